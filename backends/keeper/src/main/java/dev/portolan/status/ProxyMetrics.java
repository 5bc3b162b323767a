package dev.portolan.status;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Trigger;
import dev.portolan.core.node.Verdict;
import dev.portolan.telemetry.metrics.Buckets;
import dev.portolan.telemetry.metrics.Counter;
import dev.portolan.telemetry.metrics.Family;
import dev.portolan.telemetry.metrics.Gauge;
import dev.portolan.telemetry.metrics.Histogram;
import dev.portolan.telemetry.metrics.Metric;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is measured in every mode: kube-proxy's metrics under their names, and finer ones of our
 * own. Any thread may call.
 */
public final class ProxyMetrics {
  private static final Buckets SECONDS_OF_A_CHANGE =
      Buckets.of(0.25, 0.5)
          .then(Buckets.linear(1, 1, 59))
          .then(Buckets.linear(60, 5, 12))
          .then(Buckets.linear(120, 30, 7));
  private static final Buckets FINE_SECONDS_OF_A_CHANGE =
      Buckets.of(
          0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.075,
          0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 2, 5, 10, 30, 60);

  private final Set<IpFamily> families;
  private final InstantSource clock;
  private final Instant start;

  private final PerFamily<Histogram> syncs;
  private final PerFamily<Gauge> lastSync;
  private final PerFamily<Gauge> lastQueued;
  private final PerFamily<Histogram> programming;
  private final Histogram fineProgramming;
  private final PerFamily<Gauge> droppingInternal;
  private final PerFamily<Gauge> droppingExternal;
  private final Gauge pendingSlices;
  private final Counter slices;
  private final Gauge pendingServices;
  private final Counter services;
  private final Family<Counter> healthz;
  private final Family<Counter> livez;
  private final Gauge decidedRevision;
  private final Gauge appliedRevision;
  private final Counter syncFailures;
  private final Counter driftRepairs;
  private final Gauge driftContested;
  private final Gauge rulesMissing;
  private final Gauge auditDifferences;

  private final Map<IpFamily, int[]> dropping = new EnumMap<>(IpFamily.class);
  private long decided;
  private long applied;

  /**
   * Registers them.
   *
   * @param families those that the backend serves
   */
  public ProxyMetrics(MetricRegistry registry, Set<IpFamily> families, InstantSource clock) {
    this.families = EnumSet.copyOf(families);
    this.clock = clock;
    this.start = clock.instant();
    syncs =
        byFamily(
            registry.histograms(
                "kubeproxy_sync_proxy_rules_duration_seconds", Buckets.SYNC_SECONDS));
    lastSync = byFamily(registry.gauges("kubeproxy_sync_proxy_rules_last_timestamp_seconds"));
    lastQueued =
        byFamily(registry.gauges("kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds"));
    programming =
        byFamily(
            registry.histograms(
                "kubeproxy_network_programming_duration_seconds", SECONDS_OF_A_CHANGE));
    fineProgramming =
        registry.histogram(
            "portolan_network_programming_duration_seconds", FINE_SECONDS_OF_A_CHANGE);
    Family<Gauge> dropped = registry.gauges("kubeproxy_sync_proxy_rules_no_local_endpoints_total");
    droppingInternal = new PerFamily<>(family -> dropped.with(family.toString(), "internal"));
    droppingExternal = new PerFamily<>(family -> dropped.with(family.toString(), "external"));
    pendingSlices = registry.gauge("kubeproxy_sync_proxy_rules_endpoint_changes_pending");
    slices = registry.counter("kubeproxy_sync_proxy_rules_endpoint_changes_total");
    pendingServices = registry.gauge("kubeproxy_sync_proxy_rules_service_changes_pending");
    services = registry.counter("kubeproxy_sync_proxy_rules_service_changes_total");
    healthz = registry.counters("kubeproxy_proxy_healthz_total");
    livez = registry.counters("kubeproxy_proxy_livez_total");
    Family<Gauge> revisions = registry.gauges("portolan_revision");
    decidedRevision = revisions.with("decided");
    appliedRevision = revisions.with("applied");
    syncFailures = registry.counter("portolan_sync_failures_total");
    driftRepairs = registry.counter("portolan_drift_repairs_total");
    driftContested = registry.gauge("portolan_drift_contested");
    rulesMissing = registry.gauge("portolan_rules_missing");
    auditDifferences = registry.gauge("portolan_audit_differences");
  }

  /**
   * Counts the services and slices whose changes led to the decision {@code revision}; called after
   * the brain has taken them in.
   */
  public synchronized void changed(int changedServices, int changedSlices, long revision) {
    services.add(changedServices);
    slices.add(changedSlices);
    pendingServices.set(pendingServices.value() + changedServices);
    pendingSlices.set(pendingSlices.value() + changedSlices);
    if (revision > decided) {
      decided = revision;
      decidedRevision.set(revision);
      double now = seconds(clock.instant());
      families.forEach(family -> lastQueued.of(family).set(now));
    }
    nothingPendsWhereAllIsApplied();
  }

  /** A sync succeeded. */
  public synchronized void applied(NodeChange change, Duration took) {
    applied = change.after().revision();
    appliedRevision.set(applied);
    decided = Math.max(decided, applied);
    decidedRevision.set(decided);
    nothingPendsWhereAllIsApplied();
    for (ServiceChange service : change.services()) {
      count(service.before(), -1);
      count(service.after(), 1);
    }
    Instant end = clock.instant();
    for (IpFamily family : families) {
      syncs.of(family).observe(took);
      lastSync.of(family).set(seconds(end));
      int[] ports = portsThatDrop(family);
      droppingInternal.of(family).set(ports[0]);
      droppingExternal.of(family).set(ports[1]);
    }
    for (Trigger trigger : change.triggers()) {
      if (!trigger.time().isBefore(start)) {
        programmed(trigger, change.before(), change.after(), end);
      }
    }
  }

  /** A sync failed. */
  public void failed() {
    syncFailures.increment();
  }

  /** Whether another program keeps undoing repairs. */
  public void contested(boolean now) {
    driftContested.set(now ? 1 : 0);
  }

  /** Whether rules are missing and cannot be put back. */
  public void rulesMissing(boolean now) {
    rulesMissing.set(now ? 1 : 0);
  }

  /** An audit found objects that were not as written. */
  public void audited(int differences) {
    auditDifferences.set(differences);
  }

  /** Rules that another program had changed were repaired. */
  public void repaired() {
    driftRepairs.increment();
  }

  /** {@code /healthz} answered with this status. */
  public void healthz(int status) {
    healthz.with(Integer.toString(status)).increment();
  }

  /** {@code /livez} answered with this status. */
  public void livez(int status) {
    livez.with(Integer.toString(status)).increment();
  }

  private void nothingPendsWhereAllIsApplied() {
    if (applied == decided) {
      pendingServices.set(0);
      pendingSlices.set(0);
    }
  }

  private void programmed(Trigger trigger, NodeImage before, NodeImage after, Instant end) {
    Duration took = Duration.between(trigger.time(), end);
    Duration measured = took.isNegative() ? Duration.ZERO : took;
    fineProgramming.observe(measured);
    NodeService now = after.service(trigger.service());
    NodeService service = now == null ? before.service(trigger.service()) : now;
    if (service == null) {
      return;
    }
    Set<IpFamily> programmed = EnumSet.noneOf(IpFamily.class);
    for (ServicePort port : service.ports()) {
      if (families.contains(port.family()) && programmed.add(port.family())) {
        programming.of(port.family()).observe(measured);
      }
    }
  }

  /** Counts the ports of a service that drop traffic, in or out of {@link #dropping}. */
  private void count(@Nullable NodeService service, int sign) {
    for (ServicePort port : portsOf(service)) {
      int[] ports = portsThatDrop(port.family());
      ports[0] += port.verdict(Traffic.INTERNAL) == Verdict.DROP ? sign : 0;
      ports[1] += port.verdict(Traffic.EXTERNAL) == Verdict.DROP ? sign : 0;
    }
  }

  private int[] portsThatDrop(IpFamily family) {
    return dropping.computeIfAbsent(family, key -> new int[2]);
  }

  private static List<ServicePort> portsOf(@Nullable NodeService service) {
    return service == null ? List.of() : service.ports();
  }

  private static <M extends Metric> PerFamily<M> byFamily(Family<M> metrics) {
    return new PerFamily<>(family -> metrics.with(family.toString()));
  }

  private static double seconds(Instant time) {
    return time.toEpochMilli() / 1e3;
  }
}
