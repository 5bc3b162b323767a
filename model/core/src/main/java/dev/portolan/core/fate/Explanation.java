package dev.portolan.core.fate;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Reason;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a new connection, and why.
 *
 * @param node the node that it is asked of
 * @param subject where the connection goes: {@code address:port/PROTOCOL}, or what was asked for
 * @param destination the same in parts; empty where there is no address
 * @param client the client that opens it, in words
 * @param from the same as it is written in a command
 * @param service the service port that answers, if any
 * @param endpoints where it may go; empty unless it is forwarded
 * @param masquerade whether the endpoint sees the node's address in place of the client's, wherever
 *     it goes
 * @param leftOut endpoints of the service that it cannot go to
 * @param steps what led there, in order
 */
public record Explanation(
    String node,
    String subject,
    Optional<Destination> destination,
    String client,
    String from,
    Optional<ServicePortName> service,
    Verdict verdict,
    List<Share> endpoints,
    boolean masquerade,
    List<LeftOut> leftOut,
    List<Step> steps) {
  /**
   * Where a connection goes.
   *
   * @param port 0 where none was asked for
   * @param kind what the address is to the service that answers; empty where none does
   */
  public record Destination(
      Ip address, int port, Protocol protocol, Optional<ServiceAddress.Kind> kind) {}

  /**
   * An endpoint with its share of new connections.
   *
   * @param masquerade whether a connection to this one is masqueraded
   */
  public record Share(
      Endpoint endpoint, double share, boolean masquerade, Reason reason, String target) {}

  /**
   * An endpoint that gets nothing, with the field that decided it.
   *
   * @param address as it is written
   * @param port 0 where it is the address that cannot be used
   */
  public record LeftOut(String address, int port, Reason reason, Step source) {
    /** The address with its port. */
    public String label() {
      return port == 0
          ? address
          : Ip.parse(address).map(ip -> ip.withPort(port)).orElse(address + ":" + port);
    }
  }

  /**
   * One thought, with the object and the field that it rests on where there is one.
   *
   * @param turn the name of the {@link Turn} that it is about; empty for other thoughts
   */
  public record Step(String text, Optional<ObjectRef> object, String field, String turn) {
    /** A thought that rests on a field. */
    public static Step of(String text, ObjectRef object, String field) {
      return new Step(text, Optional.of(object), field, "");
    }

    /** A thought that rests on a setting or on no object. */
    public static Step of(String text) {
      return new Step(text, Optional.empty(), "", "");
    }

    /** The same about a turn. */
    public Step about(Turn of) {
      return new Step(text, object, field, of.getClass().getSimpleName());
    }

    /** Whether it is about such a turn. */
    public boolean isAbout(Class<? extends Turn> kind) {
      return turn.equals(kind.getSimpleName());
    }
  }

  public Explanation {
    endpoints = List.copyOf(endpoints);
    leftOut = List.copyOf(leftOut);
    steps = List.copyOf(steps);
  }

  /** Whether a client that comes back goes to the endpoint that it had. */
  public boolean isKept() {
    return steps.stream().anyMatch(step -> step.isAbout(Turn.Kept.class));
  }

  /** The worst of what happens, in the order forward, reject, drop, none. */
  public static Verdict worst(Collection<Explanation> explanations) {
    return explanations.stream()
        .map(Explanation::verdict)
        .max(Verdict::compareTo)
        .orElse(Verdict.NONE);
  }

  /** Whether only the addresses differ: the same client meets the same end for the same reasons. */
  public boolean isLike(Explanation other) {
    return node.equals(other.node)
        && client.equals(other.client)
        && verdict == other.verdict
        && masquerade == other.masquerade
        && service.isPresent() == other.service.isPresent()
        && endpoints.equals(other.endpoints)
        && leftOut.equals(other.leftOut)
        && tail(steps).equals(tail(other.steps));
  }

  /** The steps after the first, which says whose address it is. */
  private static List<Step> tail(List<Step> steps) {
    return steps.subList(Math.min(1, steps.size()), steps.size());
  }
}
