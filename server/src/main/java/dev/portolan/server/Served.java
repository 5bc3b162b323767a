package dev.portolan.server;

import dev.portolan.core.cluster.ClusterImage;
import io.grpc.Status;
import java.util.Optional;
import java.util.function.Consumer;

/** What all streams of a server share. */
record Served(
    Views views,
    Feed<ClusterImage> cluster,
    Clients clients,
    Encodings encodings,
    Optional<String> defaultNode,
    Consumer<String> log) {
  /** Takes note of a client that has begun to watch something. */
  void welcome(Client client) {
    clients.add(client);
    log.accept(client.describe() + " has come");
  }

  /** Takes note that a client is gone; {@code why} is empty where it simply left. */
  void dismiss(Client client, String why) {
    client.gone(why);
    if (clients.remove(client) || !why.isEmpty()) {
      log.accept(client.describe() + (why.isEmpty() ? " has left" : " was ended: " + why));
    }
  }

  /** The node that a client means by {@code name}. */
  String node(String name) {
    if (!name.isEmpty()) {
      return name;
    }
    return defaultNode.orElseThrow(() ->
        Status.INVALID_ARGUMENT
            .withDescription("the request does not name a node; specify one")
            .asRuntimeException());
  }
}
