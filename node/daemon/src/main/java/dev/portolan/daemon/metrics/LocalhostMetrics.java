package dev.portolan.daemon.metrics;

import dev.portolan.core.net.IpFamily;
import dev.portolan.localhost.LocalhostNodePorts;
import dev.portolan.telemetry.log.Log;
import dev.portolan.telemetry.metrics.Counter;
import dev.portolan.telemetry.metrics.Family;
import dev.portolan.telemetry.metrics.Gauge;
import dev.portolan.telemetry.metrics.MetricRegistry;

/** Counts and logs what becomes of nodePorts on localhost. */
public final class LocalhostMetrics implements LocalhostNodePorts.Listener {
  private final Family<Gauge> listeners;
  private final Family<Counter> failures;
  private final Log log;

  /** Registers them. */
  public LocalhostMetrics(MetricRegistry registry, Log log) {
    this.listeners = registry.gauges("kubeproxy_nftables_localhost_nodeport_listeners");
    this.failures =
        registry.counters("kubeproxy_nftables_localhost_nodeport_listener_creation_failures_total");
    this.log = log;
  }

  @Override
  public void notOpened(IpFamily family, int port, String cause, boolean first) {
    failures.with(family.toString()).increment();
    if (first) {
      log.warn(
          "Cannot serve a nodePort on localhost; it is retried",
          "family",
          family,
          "port",
          port,
          "cause",
          cause);
    }
  }

  @Override
  public void listening(IpFamily family, int count) {
    listeners.with(family.toString()).set(count);
  }
}
