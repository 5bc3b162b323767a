package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.error.Threads;
import dev.portolan.core.net.Protocol;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real daemon in mode iptables whose rules another program changes while endpoints do. */
@NeedsPeers
@NeedsKernel(tools = {"iptables-nft", "iptables-legacy"})
final class IptablesDriftTest extends DaemonOnNode {
  private static final int PAUSE_MILLIS = 20;

  private final Thread changes = Threads.platform("changes").unstarted(this::changeEndpoints);

  @BeforeAll
  static void fill() {
    writer.apply(
        ClusterDelta.builder()
            .set(
                Service.named("default", "web")
                    .type(ServiceType.NODE_PORT)
                    .clusterIps(List.of("10.96.7.1"))
                    .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 30_080)))
                    .build())
            .set(slice(1))
            .build());
  }

  private static EndpointSlice slice(int last) {
    return new EndpointSlice(
        new NamespacedName("default", "web-1"),
        "web",
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        List.of(
            new EndpointSlice.Member(
                List.of("10.128.0." + last),
                Conditions.READY,
                "node-1",
                "",
                List.of(),
                List.of(),
                "")),
        false,
        null);
  }

  private void changeEndpoints() throws InterruptedException {
    for (int i = 0; ; i++) {
      writer.apply(ClusterDelta.builder().set(slice(1 + i % 200)).build());
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    changes.interrupt();
    changes.join();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nft", "legacy"})
  void whatIsFlushedComesBackWhileEndpointsChange(String kind) throws Exception {
    String iptables = "iptables-" + kind;
    host.namespace().run(iptables, "-t", "mangle", "-N", "KUBE-IPTABLES-HINT");
    changes.start();
    // Without the watch, nothing would be looked at while the test lasts.
    try (Daemon daemon = host.start("--proxy-mode=iptables", "--iptables-sync-period=1h")) {
      daemon.awaitSync();
      int repairs = 0;
      for (String chain : List.of("KUBE-SERVICES", "KUBE-NODEPORTS")) {
        String rule = "-A " + chain + " -";
        assertThat(rules(iptables)).contains(rule);
        host.namespace().run(iptables, "-w", "60", "-t", "nat", "-F", chain);
        repairs++;
        daemon.awaitLog("Repaired the rules", repairs);
        Await.until(daemon::log, () -> rules(iptables).contains(rule));
        assertThat(daemon.log())
            .contains("missing the rules of " + chain + " in table nat (IPv4)")
            .doesNotContain("Sync failed");
      }
      assertThat(host.management("/metrics").body()).contains("\nportolan_drift_repairs_total 2\n");
      assertThat(host.healthz().status()).isEqualTo(200);
    }
  }

  private String rules(String iptables) {
    return host.namespace().run(iptables + "-save", "-t", "nat");
  }
}
