package dev.portolan.mode;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.metrics.Buckets;
import dev.portolan.telemetry.metrics.Counter;
import dev.portolan.telemetry.metrics.Family;
import dev.portolan.telemetry.metrics.Histogram;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.telemetry.metrics.MetricRegistry.Samples;
import dev.portolan.telemetry.metrics.MetricRow;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A metric that only some modes have.
 *
 * @param row what it is: a row of {@code metrics.table}, or one that a third party wrote
 */
public record ModeMetric(MetricRow row, Counting counting) {
  /** How a metric is counted. Several threads may ask. */
  public interface Counting {
    /** Registers it for a backend that is open; what it returns is notified by the keeper. */
    Observer register(MetricRegistry registry, Backend backend);
  }

  /** Read at each scrape from the backend of the mode, which is a {@code type}. */
  public static <B> ModeMetric read(MetricRow row, Class<B> type, BiConsumer<B, Samples> reader) {
    return new ModeMetric(
        row,
        (registry, backend) -> {
          registry.read(
              row,
              samples -> {
                if (type.isInstance(backend)) {
                  reader.accept(type.cast(backend), samples);
                }
              });
          return new Observer() {};
        });
  }

  /** Read at each scrape. */
  public static ModeMetric read(MetricRow row, Consumer<Samples> reader) {
    return read(row, Backend.class, (_, samples) -> reader.accept(samples));
  }

  /** The seconds of syncs of the whole state in each family, as kube-proxy has them. */
  public static ModeMetric fullSyncs() {
    return syncs(MetricRow.of("kubeproxy_sync_full_proxy_rules_duration_seconds"), true);
  }

  /** The seconds of all other syncs. */
  public static ModeMetric partialSyncs() {
    return syncs(MetricRow.of("kubeproxy_sync_partial_proxy_rules_duration_seconds"), false);
  }

  private static ModeMetric syncs(MetricRow row, boolean full) {
    return new ModeMetric(
        row,
        (registry, _) -> {
          Family<Histogram> seconds = registry.histograms(row.name(), Buckets.SYNC_SECONDS);
          return new Observer() {
            @Override
            public void applied(NodeChange change, Duration took) {
              if (change.isFull() == full) {
                IpFamily.ALL.forEach(family -> seconds.with(family.toString()).observe(took));
              }
            }
          };
        });
  }

  /** The syncs that failed, which says nothing of a single family. */
  public static ModeMetric failedSyncs(MetricRow row) {
    return counted(
        row,
        failures ->
            new Observer() {
              @Override
              public void failed(BackendException failure, Duration took, Duration pause) {
                IpFamily.ALL.forEach(family -> failures.with(family.toString()).increment());
              }
            });
  }

  /** How often tidying up failed, which says nothing of a single family. */
  public static ModeMetric failedTidying(MetricRow row) {
    return counted(
        row,
        failures ->
            new Observer() {
              @Override
              public void notTidied() {
                IpFamily.ALL.forEach(family -> failures.with(family.toString()).increment());
              }
            });
  }

  /** The sockets that were ended because their endpoint is gone. */
  public static ModeMetric socketsEnded(MetricRow row) {
    return counted(
        row,
        counters -> {
          Counter ended = counters.with();
          return new Observer() {
            @Override
            public void flowsEnded(Cleaning cleaning) {
              ended.add(cleaning.socketsEnded());
            }
          };
        });
  }

  /** Counted by an observer of the keeper. */
  public static ModeMetric counted(MetricRow row, Function<Family<Counter>, Observer> observer) {
    return new ModeMetric(row, (registry, _) -> observer.apply(registry.counters(row)));
  }
}
