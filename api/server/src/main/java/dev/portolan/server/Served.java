package dev.portolan.server;

import dev.portolan.brain.ClusterDecision;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.server.access.ClientLines;
import dev.portolan.server.encoding.Encodings;
import dev.portolan.server.encoding.Heartbeat;
import dev.portolan.server.encoding.SharedChanges;
import dev.portolan.server.encoding.WholeStates;
import io.grpc.Status;
import java.util.Optional;
import java.util.function.Function;

/**
 * What all calls of a server share.
 *
 * @param cluster empty where one node alone is served
 * @param decisions the newest decision, for code that needs more than one node's image
 * @param defaultNode the node meant by clients that don't name one; the only one, where one node
 *     alone is served
 * @param proxyName the proxy whose services are decided; empty for kube-proxy
 * @param keepsMetadata whether labels and annotations of services are kept, and may be asked for
 * @param places where an object of the cluster is written
 * @param arrivals gets a sentence for each client that comes
 * @param departures gets a sentence for each client that leaves
 * @param faults gets a sentence for each client that is ended or refused
 * @param heartbeat what is sent to clients that want a sign of life
 */
record Served(
    Views views,
    Optional<Feed<ClusterImage>> cluster,
    Feed<ClusterDecision> decisions,
    Clients clients,
    Encodings encodings,
    SharedChanges sharedChanges,
    WholeStates wholeStates,
    Optional<String> defaultNode,
    Optional<String> proxyName,
    boolean keepsMetadata,
    Function<ObjectRef, Optional<String>> places,
    ClientLines arrivals,
    ClientLines departures,
    ClientLines faults,
    Heartbeat heartbeat) {
  /** Takes note of a client that has begun to watch something. */
  void welcome(ClientProgress client) {
    clients.add(client);
    arrivals.say(client.peer(), client.describe() + " has come");
  }

  /** Takes note that a client is gone; {@code why} is empty where it simply left. */
  void dismiss(ClientProgress client, String why) {
    client.gone(why);
    boolean watched = clients.remove(client);
    if (!why.isEmpty()) {
      String what = watched ? " was ended: " : " was refused: ";
      faults.say(client.peer(), client.describe() + what + why);
    } else if (watched) {
      departures.say(client.peer(), client.describe() + " has left");
    }
  }

  /** The node that a client means by {@code name}. */
  String node(String name) {
    if (cluster.isEmpty() && !name.isEmpty() && !defaultNode.equals(Optional.of(name))) {
      throw Status.NOT_FOUND
          .withDescription(
              "this server answers for the node %s only; ask the one on %s, or a 'portolan brain'"
                  .formatted(defaultNode.orElse(""), name))
          .asRuntimeException();
    }
    if (!name.isEmpty()) {
      return name;
    }
    return defaultNode.orElseThrow(() ->
        Status.INVALID_ARGUMENT
            .withDescription(
                "the request names no node, and this server answers for many; name one (--node)")
            .asRuntimeException());
  }

  /** The decisions, for what is written on services. */
  Feed<ClusterDecision> metadata() {
    if (!keepsMetadata) {
      throw Status.FAILED_PRECONDITION
          .withDescription(
              "this server does not keep labels and annotations; start it with --service-metadata")
          .asRuntimeException();
    }
    return decisions;
  }

  /** The states of the cluster. */
  Feed<ClusterImage> wholeCluster() {
    return cluster.orElseThrow(() ->
        Status.FAILED_PRECONDITION
            .withDescription(
                "this server answers for the node %s only, not for the cluster; ask a 'portolan brain'"
                    .formatted(defaultNode.orElse("")))
            .asRuntimeException());
  }
}
