package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Node;
import dev.portolan.testbase.Await;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A healthy daemon whose configuration file is edited to something that it cannot do. */
@NeedsPeers
final class BadEditTest extends DaemonOnNode {
  private static final String REFUSED =
      "The changed configuration file is not valid and is not used";
  private static final String BACK =
      "The changed configuration did not start; going back to the one before";

  @TempDir private Path folder;

  @BeforeAll
  static void fill() {
    // One family only, and no pod CIDR.
    Node single = new Node("single", List.of("172.16.0.7"), List.of(), "", List.of(), false);
    writer.apply(
        ClusterDelta.builder()
            .set(single)
            .set(new Node("poor", List.of("172.16.0.8"), List.of(), "", List.of(), false))
            .build());
    writer.apply(new RandomServices(3).create(0, 8));
  }

  /** Writes the file; a field that is named here replaces the usual one. */
  private Path write(String... fields) throws IOException {
    List<String> usual =
        List.of(
            "clientConnection: {kubeconfig: " + plane.kubeconfig() + "}",
            "mode: nftables",
            "hostnameOverride: single",
            "detectLocal: {clusterCIDRs: [10.128.0.0/9]}",
            "nodePortAddresses: [primary]",
            "linux: {oomScoreAdj: 0, conntrack: {maxPerCore: 0, tcpEstablishedTimeout: 0s,"
                + " tcpCloseWaitTimeout: 0s}}");
    List<String> names = Stream.of(fields).map(BadEditTest::name).toList();
    String text =
        Stream.concat(
                usual.stream().filter(field -> !names.contains(name(field))), Stream.of(fields))
            .reduce(
                "apiVersion: kubeproxy.config.k8s.io/v1alpha2\nkind: KubeProxyConfiguration\n",
                (before, field) -> before + field + "\n");
    Path next = Files.writeString(folder.resolve("next"), text);
    Path file = folder.resolve("config.yaml");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    return file;
  }

  private static String name(String field) {
    return field.substring(0, field.indexOf(':'));
  }

  /** The words that bring a program in here, with another program in the place of iptables. */
  private List<String> insideWith(Path iptables) {
    String mount =
        "for kind in nft legacy; do mount --bind "
            + iptables
            + " /usr/sbin/xtables-$kind-multi || exit 1; done; exec \"$@\"";
    return Stream.concat(
            host.inside().stream(),
            Stream.of("unshare", "--mount", "--propagation", "private", "sh", "-c", mount, "sh"))
        .toList();
  }

  private String refusedMetric() throws IOException {
    return host.management("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("portolan_configuration_refused"))
        .findFirst()
        .orElse("");
  }

  private void assertServes(Daemon daemon, String rules) throws Exception {
    assertThat(daemon.isAlive()).as(daemon::log).isTrue();
    assertThat(host.ruleset()).isEqualTo(rules);
    Await.until(daemon::log, () -> host.healthz().status() == 200);
  }

  private static String events() {
    return plane.request("GET", "/apis/events.k8s.io/v1/namespaces/default/events", "");
  }

  @Test
  void whatCannotRunHereIsRefusedBeforeAnythingEnds() throws Exception {
    Path lost = folder.resolve("lost.conf");
    Path elsewhere =
        Files.writeString(
            folder.resolve("elsewhere.conf"),
            Files.readString(plane.kubeconfig()).replaceAll("(server: .*:)[0-9]+", "$11"));
    try (ServerSocket _ = host.occupy("127.0.0.1", 10777);
        Daemon daemon =
            Daemon.start(insideWith(Path.of("/bin/false")), List.of("--config=" + write()))) {
      daemon.awaitSync();
      assertThat(refusedMetric()).endsWith(" 0");
      String rules = host.ruleset();
      List<List<String>> edits =
          List.of(
              List.of("mode: ipvs", ":8:1: mode: ipvs: this kernel does not have IPVS"),
              List.of("mode: iptables", ":8:1: mode: iptables: program not found"),
              List.of(
                  "ipFamilyPolicy: RequireDualStack",
                  "ipFamilyPolicy: RequireDualStack, but this node has only"),
              List.of("detectLocalMode: NodeCIDR", "has no pod CIDR"),
              List.of("clientConnection: {kubeconfig: " + lost + "}", lost.toString()),
              List.of("clientConnection: {kubeconfig: " + elsewhere + "}", "connection refused"),
              List.of("metricsBindAddress: 127.0.0.1:10777", "cannot listen on 127.0.0.1:10777"),
              List.of("syncPeriod: \"\\UFFFFFFFF\"", ":9:16: not valid YAML: an escape needs"),
              List.of("syncPeriod: -1s", "syncPeriod: Invalid value"));
      for (int i = 0; i < edits.size(); i++) {
        write(edits.get(i).getFirst());
        daemon.awaitLog(REFUSED, i + 1);
        assertThat(daemon.log()).contains(edits.get(i).getLast());
        assertServes(daemon, rules);
        assertThat(refusedMetric()).endsWith(" 1");
        write();
        Await.until(daemon::log, () -> refusedMetric().endsWith(" 0"));
      }
      assertThat(daemon.log()).doesNotContain("Starting again");
      Await.until(() -> events() + daemon.log(), () -> events().contains("ConfigurationRefused"));

      assertThat(host.management("/configz").body())
          .containsPattern("\"apiVersion\": ?\"kubeproxy.config.k8s.io/v1alpha2\"")
          .containsPattern("\"configHardFail\": ?true")
          .containsPattern("\"clusterCIDRs\": ?\\[\"10.128.0.0/9\"\\]");

      write("nftables: {masqueradeBit: 15}");
      daemon.awaitLog("Synced for the first time", 2);
      Await.until(() -> host.ruleset(), () -> host.ruleset().contains("0x00008000"));
    }
  }

  @Test
  void aStartThatFailsLeadsBackToTheConfigurationBefore() throws Exception {
    try (Daemon daemon = host.startWith("--config=" + write())) {
      daemon.awaitSync();
      String rules = host.ruleset();

      write("hostnameOverride: poor", "ipFamilyPolicy: RequireDualStack");
      daemon.awaitLog(BACK, 1);
      assertThat(daemon.log()).contains("RequireDualStack, but this node has only");
      daemon.awaitLog("Synced for the first time", 2);
      assertServes(daemon, rules);
      assertThat(refusedMetric()).endsWith(" 1");

      write("hostnameOverride: poor");
      daemon.awaitLog("Synced for the first time", 3);
      Await.until(daemon::log, () -> refusedMetric().endsWith(" 0"));
      assertThat(daemon.isAlive()).as(daemon::log).isTrue();
      assertThat(daemon.log().split(BACK, -1)).hasSize(2);
    }
  }

  @Test
  void aKernelThatRefusesTheFirstSyncLeadsBackToo() throws Exception {
    Path real = Files.copy(Path.of("/usr/sbin/xtables-nft-multi"), folder.resolve("real"));
    Path broken =
        Files.writeString(
            folder.resolve("broken"),
            """
            #!/bin/bash
            case "$0 $*" in
              *-restore*--test*) ;;
              *-restore*) echo "no space in this kernel" >&2; exit 4 ;;
            esac
            exec -a "$0" %s "$@"
            """
                .formatted(real));
    for (Path program : List.of(real, broken)) {
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    try (Daemon daemon = Daemon.start(insideWith(broken), List.of("--config=" + write()))) {
      daemon.awaitSync();
      String rules = host.ruleset();
      write("mode: iptables");
      daemon.awaitLog(BACK, 1);
      assertThat(daemon.log()).contains("no space in this kernel");
      daemon.awaitLog("Synced for the first time", 2);
      assertServes(daemon, rules);
      assertThat(host.management("/proxyMode").body()).isEqualTo("nftables");
    }
  }
}
