package dev.portolan.daemon.metrics;

import dev.portolan.core.net.IpFamily;
import dev.portolan.mode.BackendCounters;
import dev.portolan.mode.BackendCounters.BalancerFailures;
import dev.portolan.mode.BackendCounters.ProxyStatus;
import dev.portolan.mode.BackendCounters.RejectedPackets;
import dev.portolan.mode.BackendCounters.RestoreStatus;
import dev.portolan.mode.BackendCounters.SocketStatus;
import dev.portolan.source.kube.ResourceState;
import dev.portolan.status.Registered;
import dev.portolan.telemetry.metrics.Buckets;
import dev.portolan.telemetry.metrics.Counter;
import dev.portolan.telemetry.metrics.Family;
import dev.portolan.telemetry.metrics.Gauge;
import dev.portolan.telemetry.metrics.Histogram;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What single backends and parts of the daemon measure. Each metric is there in the modes in which
 * kube-proxy has it; counting it in another mode does nothing. Any thread may call.
 */
public final class BackendMetrics {
  private static final String FAMILY = "ip_family";

  /** In mode ipvs as well: kube-proxy has chains of iptables beside its virtual servers. */
  private static final String RESTORE_FAILURES =
      "kubeproxy_sync_proxy_rules_iptables_restore_failures_total";

  private final MetricRegistry registry;
  private final MetricRegistry linux;
  private final MetricRegistry iptables;
  private final MetricRegistry ebpf;
  private final MetricRegistry userspace;
  private final MetricRegistry localhostNodePorts;
  private final Family<Counter> nftablesFailures;
  private final Family<Counter> ipvsFailures;
  private final Family<Counter> nftablesCleanupFailures;
  private final Family<Gauge> listeners;
  private final Family<Counter> listenerFailures;
  private final Family<Histogram> conntrackSeconds;
  private final Family<Counter> conntrackDeleted;
  private final Counter flowsEnded;
  private final Counter socketsEnded;
  private final MetricRegistry windows;

  /**
   * Registers them.
   *
   * @param mode as in the configuration: {@code nftables}
   * @param proxiesLocalhost whether the feature is on that serves nodePorts on localhost in mode
   *     nftables
   */
  public BackendMetrics(MetricRegistry registry, String mode, boolean proxiesLocalhost) {
    this.registry = registry;
    iptables = Registered.in(registry, mode, "iptables");
    ebpf = Registered.in(registry, mode, "ebpf");
    userspace = Registered.in(registry, mode, "userspace");
    MetricRegistry nftables = Registered.in(registry, mode, "nftables", "ebpf", "userspace");
    localhostNodePorts = proxiesLocalhost ? nftables : new MetricRegistry();
    linux = Registered.in(registry, mode, "iptables", "ipvs", "nftables", "ebpf", "userspace");
    windows = Registered.in(registry, mode, "kernelspace");
    nftablesFailures = nftables.counters("kubeproxy_sync_proxy_rules_nftables_sync_failures_total");
    ipvsFailures =
        Registered.in(registry, mode, "ipvs")
            .counters(
                RESTORE_FAILURES, "Syncs that the kernel refused, or a part of them.", FAMILY);
    nftablesCleanupFailures =
        nftables.counters("kubeproxy_sync_proxy_rules_nftables_cleanup_failures_total");
    listeners = localhostNodePorts.gauges("kubeproxy_nftables_localhost_nodeport_listeners");
    listenerFailures =
        localhostNodePorts.counters(
            "kubeproxy_nftables_localhost_nodeport_listener_creation_failures_total");
    conntrackSeconds =
        linux.histograms(
            "kubeproxy_conntrack_reconciler_sync_duration_seconds",
            Buckets.exponential(0.001, 2, 15));
    conntrackDeleted = linux.counters("kubeproxy_conntrack_reconciler_deleted_entries_total");
    flowsEnded = linux.counter("portolan_conntrack_flows_ended_total");
    socketsEnded = ebpf.counter("portolan_ebpf_sockets_ended_total");
  }

  /** The kernel refused a sync; mode iptables counts that by itself. */
  public void syncFailed(IpFamily family) {
    nftablesFailures.with(family.toString()).increment();
    ipvsFailures.with(family.toString()).increment();
  }

  /** nftables refused to remove leftovers. */
  public void nftablesCleanupFailed(IpFamily family) {
    nftablesCleanupFailures.with(family.toString()).increment();
  }

  /** Reads what a backend counts; called once. */
  public void count(BackendCounters counters) {
    restores(counters::restores);
    droppedInvalid(counters::droppedInvalid);
    acceptedOnLocalhost(counters::acceptedOnLocalhost);
    rejectedOnLocalhost(counters::rejectedOnLocalhost);
    sockets(counters::sockets);
    proxy(counters::proxy);
    for (String change : List.of("create", "update", "delete")) {
      balancers(change, counters::balancerFailures);
    }
  }

  private void balancers(String change, Supplier<List<BalancerFailures>> failures) {
    windows.read(
        "kubeproxy_sync_proxy_rules_winkernel_lb_" + change + "_failures_total",
        samples ->
            failures.get().stream()
                .filter(failure -> failure.change().equals(change))
                .forEach(failure ->
                    samples.add(
                        failure.count(),
                        failure.error(),
                        failure.family().toString(),
                        failure.type())));
  }

  private void proxy(Supplier<Optional<ProxyStatus>> proxy) {
    userspace.read(
        "portolan_userspace_connections",
        samples -> proxy.get().ifPresent(status -> samples.add(status.connections())));
    userspace.read(
        "portolan_userspace_portals",
        samples -> proxy.get().ifPresent(status -> samples.add(status.portals())));
  }

  private void sockets(Supplier<Optional<SocketStatus>> sockets) {
    ebpf.read(
        "portolan_ebpf_active",
        samples -> sockets.get().ifPresent(status -> samples.add(status.active() ? 1 : 0)));
    ebpf.read(
        "portolan_ebpf_map_entries",
        samples -> sockets.get().ifPresent(status -> samples.add(status.entries())));
  }

  private void restores(Supplier<List<RestoreStatus>> restores) {
    iptables.read(
        RESTORE_FAILURES,
        samples ->
            restores
                .get()
                .forEach(status -> samples.add(status.failures(), status.family().toString())));
    iptables.read(
        "kubeproxy_sync_proxy_rules_iptables_partial_restore_failures_total",
        samples ->
            restores
                .get()
                .forEach(
                    status -> samples.add(status.partialFailures(), status.family().toString())));
    rules(restores, "kubeproxy_sync_proxy_rules_iptables_total", RestoreStatus::rules);
    rules(restores, "kubeproxy_sync_proxy_rules_iptables_last", RestoreStatus::written);
  }

  private void rules(
      Supplier<List<RestoreStatus>> restores,
      String name,
      Function<RestoreStatus, ToLongFunction<String>> count) {
    iptables.read(
        name,
        samples -> {
          for (RestoreStatus status : restores.get()) {
            for (String table : List.of("filter", "nat")) {
              samples.add(
                  count.apply(status).applyAsLong(table), status.family().toString(), table);
            }
          }
        });
  }

  private void droppedInvalid(Supplier<OptionalLong> packets) {
    iptables.read(
        "kubeproxy_iptables_ct_state_invalid_dropped_packets_total",
        samples -> packets.get().ifPresent(samples::add));
  }

  private void acceptedOnLocalhost(Supplier<OptionalLong> packets) {
    iptables.read(
        "kubeproxy_iptables_localhost_nodeports_accepted_packets_total",
        samples -> packets.get().ifPresent(samples::add));
  }

  /** Sets how many nodePorts are served on localhost. */
  public void localhostListeners(IpFamily family, int count) {
    listeners.with(family.toString()).set(count);
  }

  /** A nodePort could not be opened on localhost. */
  public void localhostListenerFailed(IpFamily family) {
    listenerFailures.with(family.toString()).increment();
  }

  private void rejectedOnLocalhost(Supplier<List<RejectedPackets>> rejected) {
    localhostNodePorts.read(
        "kubeproxy_nftables_localhost_nodeport_rejected_packets_total",
        samples ->
            rejected
                .get()
                .forEach(one ->
                    samples.add(
                        one.packets(), one.family().toString(), one.protocol().toString())));
  }

  /** Counts one pass over the flows of a family. */
  public void flowsEnded(IpFamily family, int ended, Duration took) {
    conntrackSeconds.with(family.toString()).observe(took);
    conntrackDeleted.with(family.toString()).add(ended);
    flowsEnded.add(ended);
  }

  /** Counts sockets ended because their endpoint is gone. */
  public void socketsEnded(int ended) {
    socketsEnded.add(ended);
  }

  /** Where the drain of a former mode ipvs says how many connections are left; called once. */
  public void takeover(IntSupplier connections) {
    linux.read(
        "portolan_ipvs_takeover_connections", samples -> samples.add(connections.getAsInt()));
  }

  /** Where the watches of the API server say how they are doing; called once. */
  public void watches(Supplier<? extends Collection<ResourceState>> watches) {
    watch(
        watches,
        "portolan_watch_synced",
        (samples, watch) -> samples.add(watch.synced() ? 1 : 0, watch.resource()));
    watch(
        watches,
        "portolan_watch_silent_seconds",
        (samples, watch) ->
            watch
                .age()
                .ifPresent(silent -> samples.add(silent.toMillis() / 1e3, watch.resource())));
    watch(
        watches,
        "portolan_watch_lists_total",
        (samples, watch) -> samples.add(watch.lists(), watch.resource()));
    watch(
        watches,
        "portolan_watch_opened_total",
        (samples, watch) -> samples.add(watch.watches(), watch.resource()));
    watch(
        watches,
        "portolan_watch_errors_total",
        (samples, watch) -> samples.add(watch.errors(), watch.resource()));
  }

  /** Reads how long the API server has given no sign of life. */
  public void silence(Supplier<Duration> silence) {
    registry.read(
        "portolan_api_server_silent_seconds",
        samples -> samples.add(silence.get().toMillis() / 1e3));
  }

  private void watch(
      Supplier<? extends Collection<ResourceState>> watches,
      String name,
      BiConsumer<MetricRegistry.Samples, ResourceState> sample) {
    registry.read(name, samples -> watches.get().forEach(watch -> sample.accept(samples, watch)));
  }
}
