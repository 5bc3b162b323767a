package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.testbase.Await;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the daemon serves on its ports, and its events. */
@NeedsPeers
final class PortsTest extends DaemonOnNode {
  private static final String NODE_ADDRESS = "172.16.0.1";

  private static Service balanced(String name, String ip, int port) {
    return Service.named("default", name)
        .type(ServiceType.LOAD_BALANCER)
        .clusterIps(List.of(ip))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, port - 1)))
        .externalTrafficPolicy(TrafficPolicy.LOCAL)
        .healthCheckNodePort(port)
        .build();
  }

  private static EndpointSlice slice(String service, String... nodes) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    for (String node : nodes) {
      members.add(
          new EndpointSlice.Member(
              List.of("10.128.0." + (members.size() + 1)),
              EndpointSlice.Conditions.READY,
              node,
              "",
              List.of(),
              List.of(),
              ""));
    }
    return new EndpointSlice(
        new NamespacedName("default", service + "-1"),
        service,
        EndpointSlice.AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        members,
        false,
        null);
  }

  private static String events() {
    return plane.request("GET", "/apis/events.k8s.io/v1/namespaces/default/events", "");
  }

  @Test
  void aBalancerLearnsWhichNodesHaveEndpoints() throws Exception {
    writer.apply(
        ClusterDelta.builder()
            .set(balanced("web", "10.97.0.1", 25_001))
            .set(slice("web", "node-0", "node-0", "node-1"))
            .build());
    try (Daemon daemon = host.start()) {
      Await.until(daemon::log, () -> host.get(NODE_ADDRESS, 25_001, "/").status() == 200);
      Host.Answer answer = host.get(NODE_ADDRESS, 25_001, "/");
      assertThat(answer.head())
          .contains("X-Load-Balancing-Endpoint-Weight: 2", "Content-Type: application/json");
      assertThat(answer.body())
          .contains(
              "\"namespace\": \"default\"",
              "\"name\": \"web\"",
              "\"localEndpoints\": 2",
              "\"serviceProxyHealthy\": true");

      writer.apply(ClusterDelta.builder().set(slice("web", "node-1")).build());
      Await.until(daemon::log, () -> host.get(NODE_ADDRESS, 25_001, "/").status() == 503);
      assertThat(host.get(NODE_ADDRESS, 25_001, "/").body()).contains("\"localEndpoints\": 0");
    }
  }

  @Test
  void aTakenHealthCheckPortIsToldAndOpenedLater() throws Exception {
    try (Daemon daemon = host.start()) {
      daemon.awaitSync();
      Await.until(PortsTest::events, () -> events().contains("\"Starting\""));
      try (ServerSocket _ = host.occupy(NODE_ADDRESS, 25_003)) {
        writer.apply(
            ClusterDelta.builder()
                .set(balanced("taken", "10.97.0.3", 25_003))
                .set(slice("taken", "node-0"))
                .build());
        Await.until(
            () -> events() + daemon.log(),
            () -> events().contains("FailedToStartServiceHealthcheck"));
        assertThat(events()).contains("\"kind\":\"Service\"", "\"name\":\"taken\"", "25003");
      }
      Await.until(daemon::log, () -> host.get(NODE_ADDRESS, 25_003, "/").status() == 200);
      assertThat(daemon.log()).contains("The health check nodePort is open now");
    }
  }

  @Test
  void aProgramThatFightsForTheRulesIsAnEvent() throws Exception {
    try (Daemon daemon = host.start()) {
      daemon.awaitSync();
      Await.until(
          () -> events() + daemon.log(),
          () -> {
            host.namespace().nft("add table ip portolan; delete table ip portolan;");
            return events().contains("\"RulesContested\"");
          });
      assertThat(events())
          .containsPattern("keeps changing the rules of this proxy back \\([^)]*nft");
      assertThat(host.management("/metrics").body()).contains("portolan_drift_contested 1");
    }
  }

  /** The names of all metrics that have a value. */
  private Set<String> metrics() throws IOException {
    return host.management("/metrics")
        .body()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("[{ ]", 2)[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void thePagesOfKubeProxyAreThere() throws Exception {
    try (Daemon daemon = host.start()) {
      daemon.awaitSync();
      assertThat(host.management("/proxyMode").body()).isEqualTo("nftables");
      assertThat(host.management("/healthz").status()).isEqualTo(200);
      assertThat(host.management("/configz").body())
          .startsWith("{\"kubeproxy.config.k8s.io\":")
          .containsPattern("\"hostnameOverride\": ?\"node-0\"");
      assertThat(host.management("/debug/pprof/").status()).isEqualTo(404);
      Await.until(daemon::log, () -> host.healthz().status() == 200);
      writer.apply(ClusterDelta.builder().set(balanced("counted", "10.97.0.5", 25_005)).build());
      plane.request(
          "POST",
          "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
          """
          {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
           "metadata": {"name": "counted", "labels": {"kubernetes.io/service-name": "counted"},
             "annotations": {"endpoints.kubernetes.io/last-change-trigger-time": "%s"}},
           "addressType": "IPv4", "ports": [{"name": "http", "port": 8080}],
           "endpoints": [{"addresses": ["10.128.0.9"]}]}
          """
              .formatted(Instant.now()));
      Await.until(
          daemon::log,
          () -> metrics().contains("kubeproxy_network_programming_duration_seconds_count"));
      assertThat(metrics())
          .contains(
              "kubeproxy_sync_proxy_rules_duration_seconds_bucket",
              "kubeproxy_sync_full_proxy_rules_duration_seconds_count",
              "kubeproxy_sync_partial_proxy_rules_duration_seconds_count",
              "kubeproxy_sync_proxy_rules_last_timestamp_seconds",
              "kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds",
              "kubeproxy_sync_proxy_rules_endpoint_changes_pending",
              "kubeproxy_sync_proxy_rules_endpoint_changes_total",
              "kubeproxy_sync_proxy_rules_service_changes_pending",
              "kubeproxy_sync_proxy_rules_service_changes_total",
              "kubeproxy_proxy_healthz_total",
              "kubeproxy_sync_proxy_rules_no_local_endpoints_total",
              "kubernetes_build_info",
              "kubernetes_feature_enabled",
              "process_resident_memory_bytes",
              "portolan_revision",
              "portolan_watch_synced");
    }
  }

  @Test
  void someAreOnlyThereWhereAskedFor() throws Exception {
    try (Daemon daemon =
        host.start("--profiling", "--feature-gates=ComponentStatusz=true,ComponentFlagz=true")) {
      daemon.awaitSync();
      assertThat(host.management("/debug/pprof/").status()).isEqualTo(200);
      assertThat(host.management("/statusz").body()).contains("kube-proxy");
      assertThat(host.management("/flagz").body()).contains("hostname-override=node-0");
    }
  }

  @Test
  void whatIsOnItsWayOutIsAnEvent() throws Exception {
    try (Daemon daemon = host.start("--proxy-mode=", "--emulated-version=1.40")) {
      daemon.awaitSync();
      Await.until(() -> events() + daemon.log(), () -> events().contains("KubeProxyDefaultMode"));
    }
  }

  /** Up to 1.34 mode ipvs runs silently; then with an event; from 1.40 on only with the gate. */
  @ParameterizedTest
  @CsvSource({
    "1.34, --feature-gates=, false",
    "1.35, --feature-gates=, true",
    "1.42, --feature-gates=KubeProxyIPVS=true, true"
  })
  void theDeprecationOfAModeIsAnEventEvenWhereTheKernelLacksIt(
      String release, String gate, boolean said) throws Exception {
    String _ = plane.request("DELETE", "/apis/events.k8s.io/v1/namespaces/default/events", "");
    try (Daemon daemon = host.start("--proxy-mode=ipvs", "--emulated-version=" + release, gate)) {
      if (hasIpvs()) {
        daemon.awaitSync();
      } else {
        assertThat(daemon.awaitEnd()).as(daemon::log).isEqualTo(1);
        assertThat(daemon.log())
            .contains("ipvs: this kernel does not have IPVS; load the module ip_vs");
        assertThat(host.ruleset()).isEmpty();
      }
      assertThat(events().contains("IPVSDeprecation")).as(PortsTest::events).isEqualTo(said);
      assertThat(daemon.log().contains("ipvs is deprecated: it is off by default from 1.40"))
          .as(daemon::log)
          .isEqualTo(said);
    }
  }

  private static boolean hasIpvs() {
    Optional<Ipvs> ipvs = Ipvs.load(Optional.empty());
    ipvs.ifPresent(Ipvs::close);
    return ipvs.isPresent();
  }

  @Test
  void aTakenPortIsOpenedLaterOrEndsTheStart() throws Exception {
    ServerSocket taken = host.occupy("127.0.0.1", 10249);
    try (taken;
        Daemon hard = host.start("--bind-address-hard-fail")) {
      assertThat(hard.awaitEnd()).as(hard::log).isEqualTo(1);
      assertThat(hard.log()).contains("10249");
      assertThat(events()).contains("FailedToStartMetricServer");
      assertThat(host.ruleset()).isEmpty();
    }
    ServerSocket again = host.occupy("127.0.0.1", 10249);
    try (again;
        Daemon soft = host.start()) {
      soft.awaitSync();
      Await.until(soft::log, () -> events().contains("FailedToStartMetricServer"));
      again.close();
      Await.until(soft::log, () -> host.management("/proxyMode").status() == 200);
    }
  }
}
