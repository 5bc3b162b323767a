package dev.portolan.daemon.metrics;

import static dev.portolan.core.node.Verdict.DROP;
import static dev.portolan.core.node.Verdict.FORWARD;
import static dev.portolan.core.node.Verdict.REJECT;
import static dev.portolan.daemon.metrics.Measurements.START;
import static dev.portolan.daemon.metrics.Measurements.change;
import static dev.portolan.daemon.metrics.Measurements.image;
import static dev.portolan.daemon.metrics.Measurements.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.mode.ModeMetric;
import dev.portolan.status.ProxyMetrics;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.testbase.ParsedText;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ProxyMetricsTest {
  private static final Duration SOON = Duration.ofMillis(3);

  private final MetricRegistry registry = new MetricRegistry();
  private final Measurements.Hands clock = new Measurements.Hands();
  private final ProxyMetrics metrics = new ProxyMetrics(registry, Set.of(IpFamily.values()), clock);
  private final List<Observer> byKind =
      Stream.of(ModeMetric.fullSyncs(), ModeMetric.partialSyncs())
          .map(metric ->
              metric
                  .counting()
                  .register(
                      registry,
                      new Backend() {
                        @Override
                        public void sync(NodeChange change) {}

                        @Override
                        public void cleanup() {}
                      }))
          .toList();
  private NodeImage applied = NodeImage.unsynced("here");

  @Test
  void aWholeSyncAndAPartialOneAreToldApart() {
    apply(image(1, service("a", FORWARD, FORWARD)));
    clock.forward(Duration.ofSeconds(9));
    apply(image(2, service("a", FORWARD, REJECT)));

    assertThat(at("kubeproxy_sync_proxy_rules_duration_seconds", "_count", "ip_family=IPv4"))
        .isEqualTo(2);
    assertThat(at("kubeproxy_sync_full_proxy_rules_duration_seconds", "_count", "ip_family=IPv6"))
        .isEqualTo(1);
    assertThat(at("kubeproxy_sync_partial_proxy_rules_duration_seconds", "_sum", "ip_family=IPv6"))
        .isEqualTo(0.003);
    assertThat(at("kubeproxy_sync_proxy_rules_last_timestamp_seconds", "", "ip_family=IPv4"))
        .isEqualTo(START.plusSeconds(9).toEpochMilli() / 1e3);
  }

  @Test
  void aFamilyThatIsNotServedIsNotShown() {
    MetricRegistry single = new MetricRegistry();
    ProxyMetrics ipv4 = new ProxyMetrics(single, Set.of(IpFamily.IPV4), clock);
    NodeImage one = image(1, service("a", FORWARD, FORWARD));
    ipv4.changed(1, 1, 1);
    ipv4.applied(change(applied, one, START), SOON);

    assertThat(single.text()).contains("IPv4").doesNotContain("IPv6");
  }

  @Test
  void portsWithoutLocalEndpointsAreCountedAsTheyComeAndGo() {
    String name = "kubeproxy_sync_proxy_rules_no_local_endpoints_total";
    apply(image(1, service("a", DROP, FORWARD), service("b", DROP, DROP, "10.96.0.2")));
    assertThat(at(name, "", "ip_family=IPv4,traffic_policy=internal")).isEqualTo(2);
    assertThat(at(name, "", "ip_family=IPv6,traffic_policy=internal")).isEqualTo(1);
    assertThat(at(name, "", "ip_family=IPv4,traffic_policy=external")).isEqualTo(1);

    apply(image(2, service("a", FORWARD, DROP), service("c", REJECT, FORWARD)));
    assertThat(at(name, "", "ip_family=IPv4,traffic_policy=internal")).isZero();
    assertThat(at(name, "", "ip_family=IPv4,traffic_policy=external")).isEqualTo(1);
    assertThat(at(name, "", "ip_family=IPv6,traffic_policy=external")).isEqualTo(1);

    apply(image(3));
    assertThat(at(name, "", "ip_family=IPv4,traffic_policy=external")).isZero();
  }

  @Test
  void aChangeIsMeasuredFromItsTriggerInTheFamiliesOfItsService() {
    NodeImage one = image(1, service("a", FORWARD, FORWARD, "10.96.0.1"));
    clock.forward(Duration.ofMillis(400));
    metrics.applied(
        change(applied, one, START, START.minusSeconds(3600), START.plusSeconds(5)), SOON);

    String fine = "portolan_network_programming_duration_seconds";
    assertThat(at(fine, "_count", "")).as("one was before the start").isEqualTo(2);
    assertThat(at(fine, "_bucket", "le=0.0005")).as("one is in the future").isEqualTo(1);
    assertThat(at(fine, "_sum", "")).isEqualTo(0.4);
    String upstream = "kubeproxy_network_programming_duration_seconds";
    assertThat(at(upstream, "_bucket", "ip_family=IPv4,le=0.25")).isEqualTo(1);
    assertThat(at(upstream, "_bucket", "ip_family=IPv4,le=0.5")).isEqualTo(2);
    assertThat(registry.text()).doesNotContain(upstream + "_count{ip_family=\"IPv6\"}");
  }

  @Test
  void changesPendUntilTheirDecisionIsApplied() {
    String pending = "kubeproxy_sync_proxy_rules_service_changes_pending";
    metrics.changed(2, 0, 1);
    metrics.changed(1, 5, 2);
    assertThat(only(pending)).isEqualTo(3);
    apply(image(1));
    assertThat(only(pending)).as("the second is still to come").isEqualTo(3);
    apply(image(2));
    assertThat(only(pending)).isZero();
    metrics.changed(4, 0, 2);
    assertThat(only(pending)).as("nothing is to be done for these").isZero();
    assertThat(only("kubeproxy_sync_proxy_rules_service_changes_total")).isEqualTo(7);
    assertThat(only("kubeproxy_sync_proxy_rules_endpoint_changes_total")).isEqualTo(5);
  }

  @Test
  void onlyADecisionQueuesASync() {
    String queued = "kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds";
    metrics.changed(1, 0, 1);
    clock.forward(Duration.ofSeconds(10));
    metrics.changed(1, 0, 1);
    assertThat(at(queued, "", "ip_family=IPv4")).isEqualTo(START.toEpochMilli() / 1e3);
    assertThat(at("portolan_revision", "", "state=decided")).isEqualTo(1);
    assertThat(at("portolan_revision", "", "state=applied")).isZero();
  }

  private void apply(NodeImage image) {
    NodeChange change = change(applied, image);
    metrics.applied(change, SOON);
    byKind.forEach(observer -> observer.applied(change, SOON));
    applied = image;
  }

  private double at(String name, String ending, String labels) {
    return ParsedText.parse(registry.text()).get(name).at(ending, labels);
  }

  private double only(String name) {
    return ParsedText.parse(registry.text()).get(name).only();
  }
}
