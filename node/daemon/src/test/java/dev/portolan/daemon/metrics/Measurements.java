package dev.portolan.daemon.metrics;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Trigger;
import dev.portolan.core.node.TriggerLog;
import dev.portolan.core.node.Verdict;
import dev.portolan.status.ProxyMetrics;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** Images, changes and a clock for tests of metrics. */
final class Measurements {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Set<IpFamily> BOTH = Set.of(IpFamily.values());

  private Measurements() {}

  /** A clock that is set by hand. */
  static final class Hands implements InstantSource {
    private Instant now = START;

    @Override
    public Instant instant() {
      return now;
    }

    void forward(Duration duration) {
      now = now.plus(duration);
    }
  }

  /** Measures once what there is in every mode; {@code others} are notified of the syncs, too. */
  static void everyMode(MetricRegistry registry, List<Observer> others) {
    ProxyMetrics metrics = new ProxyMetrics(registry, BOTH, new Hands());
    NodeImage none = NodeImage.unsynced("here");
    NodeImage one = image(1, service("a", Verdict.FORWARD, Verdict.FORWARD));
    NodeImage two = image(2, service("a", Verdict.DROP, Verdict.FORWARD));
    metrics.changed(1, 2, 1);
    for (NodeChange change : List.of(change(none, one), change(one, two, START))) {
      metrics.applied(change, Duration.ofMillis(1));
      others.forEach(observer -> observer.applied(change, Duration.ofMillis(1)));
    }
    metrics.failed();
    metrics.audited(1);
    metrics.repaired();
    metrics.healthz(200);
    metrics.livez(503);
  }

  /** An image with these services. */
  static NodeImage image(long revision, NodeService... services) {
    PersistentMap<NamespacedName, NodeService> map = PersistentMap.empty();
    for (NodeService service : services) {
      map = map.with(service.name(), service);
    }
    return NodeImage.of(revision, NodeFacts.unknown("here"), map);
  }

  /** What leads from one image to the other, triggered at these times for {@code default/a}. */
  static NodeChange change(NodeImage before, NodeImage after, Instant... times) {
    TriggerLog log = new TriggerLog();
    TriggerLog.Position start = log.position();
    for (Instant time : times) {
      log.append(new Trigger(new NamespacedName("default", "a"), time));
    }
    return NodeChange.between(
        new NodeSnapshot(before, start), new NodeSnapshot(after, log.position()));
  }

  /** A service with one port in each family. */
  static NodeService service(String name, Verdict internal, Verdict external) {
    return service(name, internal, external, "10.96.0.1", "fd00::1");
  }

  /** A service with a port on each of these addresses. */
  static NodeService service(String name, Verdict internal, Verdict external, String... ips) {
    NamespacedName full = new NamespacedName("default", name);
    List<ServicePort> ports =
        List.of(ips).stream()
            .map(ip ->
                new ServicePort(
                    new ServicePortName(full, "", Protocol.TCP),
                    ServiceAddress.list(Ip.of(ip), 80, List.of(), List.of(), 30080),
                    List.of(),
                    0,
                    Routes.of(Pool.LOCAL, internal, Pool.LOCAL, external, Verdict.FORWARD),
                    List.of(),
                    List.of(),
                    List.of()))
            .toList();
    return new NodeService(full, ServiceType.NODE_PORT, 0, 0, ports);
  }
}
