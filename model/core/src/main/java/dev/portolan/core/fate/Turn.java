package dev.portolan.core.fate;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Traffic;
import java.util.List;

/** One thing that decides on what becomes of a connection, in the order in which rules do. */
public sealed interface Turn {
  /** It goes to a loopback address of another host, so that it never leaves the client. */
  record NeverSent() implements Turn {}

  /** No rule is met: a process of the node listens there and passes bytes on to an endpoint. */
  record Listened() implements Turn {}

  /** There is no endpoint for that process, so that it does not listen. */
  record NotListening() implements Turn {}

  /**
   * Source ranges are not looked at.
   *
   * @param ever whether they are where the service has endpoints
   */
  record Unfiltered(List<Cidr> allowed, boolean ever) implements Turn {}

  /**
   * Source ranges let the client in.
   *
   * @param itself whether only as the address itself, which the node may use as its source
   */
  record LetIn(List<Cidr> allowed, boolean itself) implements Turn {}

  /** Source ranges keep the client out. */
  record ShutOut(List<Cidr> allowed) implements Turn {}

  /**
   * The policy for a kind of traffic says which endpoints are looked at.
   *
   * @param alike whether it holds for this client although it is not meant for pods and the node
   */
  record ByPolicy(Traffic traffic, boolean alike) implements Turn {}

  /** No endpoint may answer, and there is no way to refuse. */
  record NotRefused() implements Turn {}

  /** No endpoint may answer, and the rules that would refuse do not see the connection. */
  record Unseen() implements Turn {}

  /**
   * Endpoints of all nodes are used, because the policy leaves none.
   *
   * @param bypassed whether their answers bypass the node, to a client that does not expect them
   */
  record Fallback(boolean bypassed) implements Turn {}

  /** No endpoint may answer anywhere. */
  record Rejected() implements Turn {}

  /** The policy leaves no endpoint. */
  record Dropped() implements Turn {}

  /**
   * There are endpoints that it may go to.
   *
   * @param otherPorts how many get nothing, because only one port can be used and theirs is another
   */
  record Chosen(int otherPorts) implements Turn {}

  /** A client that comes back goes to the endpoint that it had. */
  record Kept(Keeper keeper) implements Turn {
    /** Who remembers, and whom. */
    public enum Keeper {
      /** Rules, each client, for as long as the service says. */
      RULES,
      /** What connects sockets, each pod, and all of the node's own network together. */
      SOCKETS,
      /** A process of the node, all its clients together. */
      LISTENER,
      /** A system that has a time limit of its own. */
      SYSTEM
    }
  }

  /**
   * The client's address or port is to decide on the endpoint.
   *
   * @param done whether it does
   */
  record Hashed(boolean done) implements Turn {}

  /** The endpoints have weights from {@code least} to {@code most}. */
  record Weighted(int least, int most, int total) implements Turn {}

  /** The weights of endpoints are not looked at. */
  record Unweighted() implements Turn {}

  /** A process of the node stands in between. */
  record Relayed() implements Turn {}

  /** The client's socket is connected to the endpoint itself, and no rule is met. */
  record Connected() implements Turn {}

  /** The system decides on the address that the endpoint sees. */
  record LeftToSystem() implements Turn {}

  /** The endpoint sees an address of the node. */
  record Masqueraded(Why why) implements Turn {
    /** What asks for it. */
    public enum Why {
      /** The answer must come back through the node. */
      ANSWERS,
      /** All traffic to cluster IPs is. */
      ALL_CLUSTER_IPS,
      /** The client is not a pod of the node. */
      NOT_A_POD,
      /** The node has the cluster IP, and would connect from there. */
      OWN_CLUSTER_IP,
      /** The client is the node itself. */
      NODE_ITSELF
    }
  }

  /** The endpoint is the client itself, and sees an address of the node. */
  record Hairpin(Endpoint endpoint) implements Turn {}
}
