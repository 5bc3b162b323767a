package dev.portolan.wiring;

import dev.portolan.brain.Brain;
import dev.portolan.core.cluster.Node;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ClientStatus;
import dev.portolan.telemetry.http.MetricsPage;
import dev.portolan.telemetry.http.PageServer;
import dev.portolan.telemetry.http.Response;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.telemetry.metrics.ProcessMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** What a brain shows over HTTP: its health, and how far each node has come. */
final class BrainPages {
  private final Brain brain;
  private final BrainServer server;
  private final WatchedSource source;
  private final MetricRegistry registry = new MetricRegistry();

  private BrainPages(Brain brain, BrainServer server, WatchedSource source) {
    this.brain = brain;
    this.server = server;
    this.source = source;
    register();
  }

  /** Opens the pages at {@code address}; nothing is opened where that is empty. */
  static PageServer open(String address, Brain brain, BrainServer server, WatchedSource source) {
    BrainPages pages = new BrainPages(brain, server, source);
    return PageServer.open(
        address,
        "--metrics-bind-address",
        Map.of(
            "/healthz",
            request -> pages.health(),
            "/metrics",
            request -> MetricsPage.of(request, pages.registry)));
  }

  private Response health() {
    if (!brain.isSynced()) {
      return Response.text(503, "the cluster is not known yet\n");
    }
    // It goes on with what it knows; another brain would know no more.
    return Response.text(
        200,
        source.status().lostAt().isEmpty()
            ? "ok\n"
            : "ok\nsourceLostSeconds " + (long) lost() + "\n");
  }

  /** All that is known of one node, its clients taken together. */
  private record NodeSummary(
      long revision, long applied, boolean reported, double lag, int connected, int errors) {
    static final NodeSummary NOTHING = new NodeSummary(0, 0, false, 0, 0, 0);

    NodeSummary with(ClientStatus client, Instant now) {
      double behind =
          client
              .behindSince()
              .map(since -> Math.max(0, Duration.between(since, now).toNanos() / 1e9))
              .orElse(0.0);
      return new NodeSummary(
          Math.max(revision, client.revision()),
          !client.reports() || (reported && applied < client.applied())
              ? applied
              : client.applied(),
          reported || client.reports(),
          Math.max(lag, behind),
          connected + (client.connected() ? 1 : 0),
          errors + (client.error().isEmpty() ? 0 : 1));
    }
  }

  private void register() {
    ProcessMetrics.register(registry);
    registry.read("portolan_brain_synced", samples -> samples.add(brain.isSynced() ? 1 : 0));
    registry.read("portolan_brain_source_lost_seconds", samples -> samples.add(lost()));
    registry.read("portolan_brain_relays", samples -> samples.add(relays()));
    perNode("portolan_node_revision", NodeSummary::revision);
    registry.read(
        "portolan_node_applied_revision",
        samples ->
            nodes()
                .forEach((node, summary) -> {
                  if (summary.reported) {
                    samples.add(summary.applied, node);
                  }
                }));
    perNode("portolan_node_lag_seconds", NodeSummary::lag);
    perNode("portolan_node_clients", NodeSummary::connected);
    perNode("portolan_node_failing_clients", NodeSummary::errors);
  }

  private void perNode(String name, ToDoubleFunction<NodeSummary> value) {
    registry.read(
        name,
        samples ->
            nodes().forEach((node, summary) -> samples.add(value.applyAsDouble(summary), node)));
  }

  private double lost() {
    return source
        .status()
        .lostAt()
        .map(since -> Math.max(0, Duration.between(since, Instant.now()).toMillis() / 1e3))
        .orElse(0.0);
  }

  private long relays() {
    return server.clients().stream()
        .filter(client -> client.node().isEmpty() && client.connected())
        .count();
  }

  private SortedMap<String, NodeSummary> nodes() {
    Instant now = Instant.now();
    SortedMap<String, NodeSummary> nodes = new TreeMap<>();
    for (Map.Entry<String, Node> node : brain.cluster().nodes()) {
      nodes.put(node.getKey(), NodeSummary.NOTHING);
    }
    for (ClientStatus client : server.clients()) {
      if (!client.node().isEmpty() && !Visitor.is(client.client())) {
        nodes.put(
            client.node(),
            nodes.getOrDefault(client.node(), NodeSummary.NOTHING).with(client, now));
      }
    }
    return nodes;
  }
}
