package dev.portolan.status.traffic;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.telemetry.metrics.Counter;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The traffic of services as metrics; the backend is asked once per scrape. */
public final class TrafficMetrics {
  /** Stands for the service ports without series of their own; no service has such a name. */
  static final String OTHERS = "(others)";

  private final TrafficTotals totals;
  private final Supplier<List<TrafficCount>> backend;
  private final Counter failures;

  /** The labels of one series. */
  private record Labels(String namespace, String service, String port) {}

  /**
   * Registers them. What {@code backend} has counted so far is not in them: totals begin here, as
   * those of any process do.
   */
  public TrafficMetrics(
      MetricRegistry registry, TrafficTotals totals, Supplier<List<TrafficCount>> backend) {
    this.totals = totals;
    this.backend = backend;
    failures = registry.counter("portolan_traffic_read_failures_total");
    registry.read("portolan_service_series_others", samples -> samples.add(totals.withoutSeries()));
    register(registry, "portolan_service_connections_total", Map.of("", Kind.CONNECTIONS));
    register(registry, "portolan_service_refused_total", Map.of("", Kind.REFUSED));
    register(registry, "portolan_service_dropped_total", Map.of("", Kind.DROPPED));
    register(
        registry, "portolan_service_packets_total", directions(Kind.PACKETS_IN, Kind.PACKETS_OUT));
    register(registry, "portolan_service_bytes_total", directions(Kind.BYTES_IN, Kind.BYTES_OUT));
    try {
      totals.startFrom(backend.get());
    } catch (BackendException e) {
      failures.increment();
    }
    registry.beforeScrape(this::refresh);
  }

  private static Map<String, Kind> directions(Kind in, Kind out) {
    Map<String, Kind> directions = new LinkedHashMap<>();
    directions.put("in", in);
    directions.put("out", out);
    return directions;
  }

  /** Reads the counts now. */
  public void refresh() {
    try {
      totals.add(backend.get());
    } catch (BackendException e) {
      failures.increment();
    }
  }

  /** Registers one metric; with several kinds, each is a direction. */
  private void register(MetricRegistry registry, String name, Map<String, Kind> kinds) {
    registry.read(
        name,
        samples ->
            kinds.forEach((direction, kind) ->
                merged(kind)
                    .forEach((port, total) -> {
                      if (kinds.size() > 1) {
                        samples.add(total, port.namespace, port.service, port.port, direction);
                      } else {
                        samples.add(total, port.namespace, port.service, port.port);
                      }
                    })));
  }

  /** Ports of one name may differ in their protocol, which is not a label. */
  private Map<Labels, Long> merged(Kind kind) {
    Map<Labels, Long> merged = new LinkedHashMap<>();
    totals.series(
        kind,
        (port, total) ->
            merged.merge(
                port == null ? new Labels("", OTHERS, "") : labels(port), total, Long::sum));
    return merged;
  }

  private static Labels labels(ServicePortName name) {
    return new Labels(name.service().namespace(), name.service().name(), name.port());
  }
}
