package dev.portolan.wiring;

import dev.portolan.server.ClientStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How far each node is, from what its clients say. */
public final class FleetProgress {
  private FleetProgress() {}

  /** The nodes that {@code clients} watch, the clients of each taken together. */
  public static List<NodeProgress> of(List<ClientStatus> clients, Instant now) {
    Map<String, NodeProgress> nodes = new TreeMap<>();
    for (ClientStatus client : clients) {
      if (!client.node().isEmpty() && !Visitor.is(client.client())) {
        nodes.merge(client.node(), of(client, now), FleetProgress::together);
      }
    }
    return new ArrayList<>(nodes.values());
  }

  private static NodeProgress of(ClientStatus client, Instant now) {
    Duration lag =
        client.behindSince().map(since -> Duration.between(since, now)).orElse(Duration.ZERO);
    return new NodeProgress(
        client.node(),
        client.revision(),
        client.reports() ? client.applied() : client.sent(),
        lag.isNegative() ? Duration.ZERO : lag,
        client.connected(),
        client.error(),
        client.audit().map(it -> audit(it.at(), it.differences())).orElse(""),
        Optional.empty());
  }

  /** What an audit found, in words. */
  public static String audit(Instant at, long differences) {
    return (differences == 0
            ? "no difference"
            : differences + (differences == 1 ? " difference" : " differences"))
        + " at "
        + at;
  }

  /** The one that is behind counts. */
  private static NodeProgress together(NodeProgress one, NodeProgress other) {
    return new NodeProgress(
        one.node(),
        Math.max(one.revision(), other.revision()),
        Math.min(one.applied(), other.applied()),
        one.lag().compareTo(other.lag()) > 0 ? one.lag() : other.lag(),
        one.connected() || other.connected(),
        one.error().isEmpty() ? other.error() : one.error(),
        one.audit().isEmpty() ? other.audit() : one.audit(),
        one.repairs());
  }
}
