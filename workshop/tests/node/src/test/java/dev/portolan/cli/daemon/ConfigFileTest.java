package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration comes from a file, which changes as a ConfigMap's volume does. */
@NeedsPeers
final class ConfigFileTest extends DaemonOnNode {
  @TempDir private Path folder;
  private int version;

  @BeforeAll
  static void fill() {
    writer.apply(new RandomServices(3).create(0, 8));
  }

  /** Swaps a whole folder by a link, as the kubelet does; returns the file. */
  private Path write(String settings) throws IOException {
    Path next = Files.createDirectory(folder.resolve("..version-" + version++));
    Files.writeString(
        next.resolve("config.yaml"),
        """
        apiVersion: kubeproxy.config.k8s.io/v1alpha1
        kind: KubeProxyConfiguration
        clientConnection: {kubeconfig: %s}
        mode: nftables
        hostnameOverride: node-0
        clusterCIDR: 10.128.0.0/9
        oomScoreAdj: 0
        conntrack: {maxPerCore: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
        %s
        """
            .formatted(plane.kubeconfig(), settings));
    Path link = Files.createSymbolicLink(folder.resolve("..next"), next.getFileName());
    Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    Path file = folder.resolve("config.yaml");
    if (!Files.isSymbolicLink(file)) {
      Files.createSymbolicLink(file, Path.of("..data", "config.yaml"));
    }
    return file;
  }

  @Test
  void aGoodChangeTakesEffectAndABadOneDoesNot() throws Exception {
    Path file = write("nftables: {masqueradeBit: 14}");
    try (Daemon daemon = host.startWith("--config=" + file)) {
      daemon.awaitSync();
      Await.until(() -> host.ruleset(), () -> host.ruleset().contains("0x00004000"));

      write("nftables: {masqueradeBit: 15}");
      daemon.awaitLog("Starting again", 1);
      Await.until(
          () -> host.ruleset() + daemon.log(),
          () -> host.ruleset().contains("0x00008000") && !host.ruleset().contains("0x00004000"));

      write("nftables: {masqueradeBit: 99}");
      daemon.awaitLog("The changed configuration file is not valid and is not used", 1);
      assertThat(daemon.log()).contains("masqueradeBit");
      assertThat(host.ruleset()).contains("0x00008000");

      write("nftables: {masqueradeBit: 15, masqueradeAll: true}");
      daemon.awaitLog("Starting again", 2);
      daemon.awaitLog("Synced for the first time", 3);
      assertThat(host.management("/configz").body())
          .containsPattern("\"masqueradeAll\": ?true")
          .containsPattern("\"apiVersion\": ?\"kubeproxy.config.k8s.io/v1alpha1\"");
      assertThat(daemon.isAlive()).isTrue();
    }
  }

  @Test
  void aSignalWhileItStartsAgainIsHeard() throws Exception {
    for (int moment : new int[] {100, 125, 150}) {
      Path file = write("nftables: {masqueradeBit: 14}");
      try (Daemon daemon = host.startWith("--config=" + file)) {
        daemon.awaitSync();
        write("nftables: {masqueradeBit: 15}");
        TimeUnit.MILLISECONDS.sleep(moment);
        assertThat(daemon.stop()).as(daemon::log).isZero();
        assertThat(daemon.log()).contains("Stopped").doesNotContain("did not stop");
      }
    }
  }

  @Test
  void whereAskedForAChangeEndsTheProcess() throws Exception {
    Path file = write("nftables: {masqueradeBit: 14}");
    try (Daemon daemon = host.startWith("--config=" + file, "--exit-on-config-change")) {
      daemon.awaitSync();
      String rules = host.ruleset();
      write("nftables: {masqueradeBit: 15}");
      assertThat(daemon.awaitEnd()).isEqualTo(1);
      assertThat(daemon.log()).contains("the configuration file changed, so this process exits");
      assertThat(host.ruleset()).isEqualTo(rules);
    }
  }
}
