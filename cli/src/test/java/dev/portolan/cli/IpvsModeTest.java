package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.ServiceEntry;
import dev.portolan.netlink.lab.NeedsVm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mode ipvs as an operator meets it, in a kernel that has IPVS, in a release that deprecates it.
 */
@NeedsVm
final class IpvsModeTest {
  private static final String CLUSTER =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: node-1}
      spec: {podCIDRs: [10.1.0.0/24]}
      status: {addresses: [{type: InternalIP, address: 127.0.0.1}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: shop}
      spec:
        clusterIP: 10.96.0.7
        clusterIPs: [10.96.0.7]
        internalTrafficPolicy: Local
        ports: [{port: 80, targetPort: 8080}]
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
      addressType: IPv4
      ports: [{name: "", port: 8080, protocol: TCP}]
      endpoints:
      - {addresses: [10.1.0.5], nodeName: node-1, conditions: {ready: true}}
      """;

  @TempDir private Path folder;

  @Test
  void itRunsIsSeenAndLeavesNothing() throws Exception {
    Path manifests = Files.createDirectory(folder.resolve("cluster"));
    Files.writeString(manifests.resolve("all.yaml"), CLUSTER);
    Path socket = folder.resolve("brain.sock");
    try (Background _ = ServedShop.serve("file:" + manifests, socket, List.of());
        Background proxy =
            new Background(
                "kube-proxy",
                "--api=unix://" + socket,
                "--hostname-override=node-1",
                "--proxy-mode=ipvs",
                "--emulated-version=1.39",
                "--ipvs-scheduler=wlc",
                "--ipvs-strict-arp",
                "--conntrack-max-per-core=0",
                "--conntrack-tcp-timeout-established=0s",
                "--conntrack-tcp-timeout-close-wait=0s",
                "--oom-score-adj=0")) {
      awaitServers(proxy);
      assertThat(servers()).containsExactly("tcp 10.96.0.7:80 wlc");
      assertThat(Files.readString(Path.of("/proc/sys/net/ipv4/conf/all/arp_ignore")))
          .isEqualTo("1\n");
      assertThat(page("/proxyMode")).isEqualTo("ipvs");
      assertThat(page("/metrics"))
          .contains("\nportolan_deprecation{reason=\"IPVSDeprecation\"} 1\n")
          .contains("\nkubernetes_feature_enabled{name=\"KubeProxyIPVS\",stage=\"DEPRECATED\"} 1\n")
          .contains("\n# TYPE kubeproxy_sync_proxy_rules_iptables_restore_failures_total counter\n")
          .contains("\nkubeproxy_sync_proxy_rules_no_local_endpoints_total");

      Shell.Result unchanged =
          Shell.run(
              "run",
              "--from=file:" + manifests,
              "--node=node-1",
              "--backend=ipvs",
              "--dry-run",
              "--ipvs-scheduler=wlc",
              "--ipvs-strict-arp");
      assertThat(unchanged.out()).isEmpty();
      assertThat(unchanged.err()).contains("nothing would change");
      Shell.Result held = Shell.run("cleanup", "--backend=ipvs");
      assertThat(held.status()).isNotZero();
      assertThat(held.err()).contains("a running Portolan would put the rules of ipvs back");
      assertThat(Shell.run("doctor").out()).containsPattern("ok +kernel.ip_vs");
      Path archive = folder.resolve("node.zip");
      assertThat(Shell.run("bundle", "-o", archive.toString()).out()).contains("rules/ipvs.txt");
    }
    assertThat(servers()).hasSize(1);
    assertThat(Shell.run("cleanup").out())
        .contains("nftables: table ip portolan-ipvs", "device kube-ipvs0");
    assertThat(servers()).isEmpty();
  }

  private static void awaitServers(Background proxy) throws InterruptedException {
    for (int i = 0; i < 600 && servers().isEmpty(); i++) {
      Thread.sleep(100);
    }
    assertThat(servers()).as(proxy.err::toString).isNotEmpty();
  }

  private static List<String> servers() {
    Optional<Ipvs> opened = Ipvs.load(Optional.empty());
    try (Ipvs kernel = opened.orElseThrow()) {
      return kernel.entries().stream().map(ServiceEntry::toString).toList();
    }
  }

  private static String page(String path) throws Exception {
    return HttpPage.read("http://127.0.0.1:10249" + path).body();
  }
}
