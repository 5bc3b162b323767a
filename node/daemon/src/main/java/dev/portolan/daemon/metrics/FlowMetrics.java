package dev.portolan.daemon.metrics;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.metrics.Buckets;
import dev.portolan.telemetry.metrics.Counter;
import dev.portolan.telemetry.metrics.Family;
import dev.portolan.telemetry.metrics.Histogram;
import dev.portolan.telemetry.metrics.MetricRegistry;

/** The stale flows that were ended, for backends that leave connections to the kernel. */
public final class FlowMetrics implements Observer {
  private final Family<Histogram> seconds;
  private final Family<Counter> deleted;
  private final Counter ended;

  /** Registers them. */
  public FlowMetrics(MetricRegistry registry) {
    seconds =
        registry.histograms(
            "kubeproxy_conntrack_reconciler_sync_duration_seconds", Buckets.SYNC_SECONDS);
    deleted = registry.counters("kubeproxy_conntrack_reconciler_deleted_entries_total");
    ended = registry.counter("portolan_conntrack_flows_ended_total");
  }

  @Override
  public void flowsEnded(Cleaning cleaning) {
    for (Cleaning.Pass pass : cleaning.passes()) {
      seconds.with(pass.family().toString()).observe(pass.took());
      deleted.with(pass.family().toString()).add(pass.deleted());
    }
    ended.add(cleaning.deleted());
  }
}
