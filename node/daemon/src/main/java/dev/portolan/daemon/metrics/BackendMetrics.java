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
import dev.portolan.telemetry.metrics.MetricType;
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
    nftablesFailures =
        nftables.counters(
            "kubeproxy_sync_proxy_rules_nftables_sync_failures_total",
            "Transactions that nftables refused.",
            FAMILY);
    ipvsFailures =
        Registered.in(registry, mode, "ipvs")
            .counters(
                RESTORE_FAILURES, "Syncs that the kernel refused, or a part of them.", FAMILY);
    nftablesCleanupFailures =
        nftables.counters(
            "kubeproxy_sync_proxy_rules_nftables_cleanup_failures_total",
            "Removals of leftovers that nftables refused.",
            FAMILY);
    listeners =
        localhostNodePorts.gauges(
            "kubeproxy_nftables_localhost_nodeport_listeners",
            "NodePorts that are served on localhost.",
            FAMILY);
    listenerFailures =
        localhostNodePorts.counters(
            "kubeproxy_nftables_localhost_nodeport_listener_creation_failures_total",
            "NodePorts that could not be opened on localhost.",
            FAMILY);
    conntrackSeconds =
        linux.histograms(
            "kubeproxy_conntrack_reconciler_sync_duration_seconds",
            "How long it took to look for stale flows, in seconds.",
            Buckets.exponential(0.001, 2, 15),
            FAMILY);
    conntrackDeleted =
        linux.counters(
            "kubeproxy_conntrack_reconciler_deleted_entries_total",
            "Stale flows that were ended.",
            FAMILY);
    flowsEnded =
        linux.counter(
            "portolan_conntrack_flows_ended_total", "Stale flows that were ended, in all.");
    socketsEnded =
        ebpf.counter(
            "portolan_ebpf_sockets_ended_total",
            "Sockets to endpoints that are gone that were ended.");
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
        MetricType.COUNTER,
        "kubeproxy_sync_proxy_rules_winkernel_lb_" + change + "_failures_total",
        "Load balancers that Windows did not " + change + ".",
        List.of("error", FAMILY, "lb_type"),
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
        MetricType.GAUGE,
        "portolan_userspace_connections",
        "Open TCP connections that pass through this process.",
        List.of(),
        samples -> proxy.get().ifPresent(status -> samples.add(status.connections())));
    userspace.read(
        MetricType.GAUGE,
        "portolan_userspace_portals",
        "Sockets that take connections and packets for services.",
        List.of(),
        samples -> proxy.get().ifPresent(status -> samples.add(status.portals())));
  }

  private void sockets(Supplier<Optional<SocketStatus>> sockets) {
    ebpf.read(
        MetricType.GAUGE,
        "portolan_ebpf_active",
        "1 where sockets are translated; 0 where nftables serves everything.",
        List.of(),
        samples -> sockets.get().ifPresent(status -> samples.add(status.active() ? 1 : 0)));
    ebpf.read(
        MetricType.GAUGE,
        "portolan_ebpf_map_entries",
        "Entries in the maps of services, slots and members.",
        List.of(),
        samples -> sockets.get().ifPresent(status -> samples.add(status.entries())));
  }

  private void restores(Supplier<List<RestoreStatus>> restores) {
    iptables.read(
        MetricType.COUNTER,
        RESTORE_FAILURES,
        "Runs of iptables-restore that failed.",
        List.of(FAMILY),
        samples ->
            restores
                .get()
                .forEach(status -> samples.add(status.failures(), status.family().toString())));
    iptables.read(
        MetricType.COUNTER,
        "kubeproxy_sync_proxy_rules_iptables_partial_restore_failures_total",
        "Runs of iptables-restore with only what had changed that failed.",
        List.of(FAMILY),
        samples ->
            restores
                .get()
                .forEach(
                    status -> samples.add(status.partialFailures(), status.family().toString())));
    rules(restores, "total", "The rules that are ours, by table.", RestoreStatus::rules);
    rules(
        restores, "last", "The rules that the last sync wrote, by table.", RestoreStatus::written);
  }

  private void rules(
      Supplier<List<RestoreStatus>> restores,
      String name,
      String help,
      Function<RestoreStatus, ToLongFunction<String>> count) {
    iptables.read(
        MetricType.GAUGE,
        "kubeproxy_sync_proxy_rules_iptables_" + name,
        help,
        List.of(FAMILY, "table"),
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
        MetricType.COUNTER,
        "kubeproxy_iptables_ct_state_invalid_dropped_packets_total",
        "Packets dropped because conntrack called them invalid.",
        List.of(),
        samples -> packets.get().ifPresent(samples::add));
  }

  private void acceptedOnLocalhost(Supplier<OptionalLong> packets) {
    iptables.read(
        MetricType.COUNTER,
        "kubeproxy_iptables_localhost_nodeports_accepted_packets_total",
        "Packets to nodePorts on localhost that were accepted.",
        List.of(),
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
        MetricType.COUNTER,
        "kubeproxy_nftables_localhost_nodeport_rejected_packets_total",
        "Packets to nodePorts on localhost that were rejected.",
        List.of(FAMILY, "protocol"),
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
        MetricType.GAUGE,
        "portolan_ipvs_takeover_connections",
        "Connections that still go through IPVS, which another mode has replaced.",
        List.of(),
        samples -> samples.add(connections.getAsInt()));
  }

  /** Where the watches of the API server say how they are doing; called once. */
  public void watches(Supplier<? extends Collection<ResourceState>> watches) {
    watch(
        watches,
        MetricType.GAUGE,
        "synced",
        "1 for a watch that has read all there was once.",
        (samples, watch) -> samples.add(watch.synced() ? 1 : 0, watch.resource()));
    watch(
        watches,
        MetricType.GAUGE,
        "silent_seconds",
        "How long ago the last byte arrived.",
        (samples, watch) ->
            watch
                .age()
                .ifPresent(silent -> samples.add(silent.toMillis() / 1e3, watch.resource())));
    watch(
        watches,
        MetricType.COUNTER,
        "lists_total",
        "How often everything was listed.",
        (samples, watch) -> samples.add(watch.lists(), watch.resource()));
    watch(
        watches,
        MetricType.COUNTER,
        "opened_total",
        "How often a watch was opened.",
        (samples, watch) -> samples.add(watch.watches(), watch.resource()));
    watch(
        watches,
        MetricType.COUNTER,
        "errors_total",
        "How often a list or a watch failed.",
        (samples, watch) -> samples.add(watch.errors(), watch.resource()));
  }

  /** Reads how long the API server has given no sign of life. */
  public void silence(Supplier<Duration> silence) {
    registry.read(
        MetricType.GAUGE,
        "portolan_api_server_silent_seconds",
        "How long the API server has given no sign of life; 0 in a quiet cluster.",
        List.of(),
        samples -> samples.add(silence.get().toMillis() / 1e3));
  }

  private void watch(
      Supplier<? extends Collection<ResourceState>> watches,
      MetricType type,
      String name,
      String help,
      BiConsumer<MetricRegistry.Samples, ResourceState> sample) {
    registry.read(
        type,
        "portolan_watch_" + name,
        help,
        List.of("resource"),
        samples -> watches.get().forEach(watch -> sample.accept(samples, watch)));
  }
}
