package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import dev.portolan.testkit.peers.Peers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon on a node on which the real kube-proxy still runs. */
@NeedsPeers
final class BesideKubeProxyTest extends DaemonOnNode {
  private static final String METRICS = "127.0.0.1:20249";

  @TempDir private Path folder;

  private Process kubeProxy() throws Exception {
    List<String> words = new ArrayList<>(host.inside());
    // The file in the cache has its version in the name.
    Path program =
        Files.createSymbolicLink(folder.resolve("kube-proxy"), Peers.program("kube-proxy"));
    words.add(program.toString());
    words.addAll(host.flags());
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("kube-proxy.log").toFile())
        .start();
  }

  private static String events() {
    return plane.request("GET", "/apis/events.k8s.io/v1/namespaces/default/events", "");
  }

  private String metrics() throws Exception {
    return host.get("127.0.0.1", 20_249, "/metrics").body();
  }

  @Test
  void itIsNamedInLogEventAndMetricAndWhatItLeftIsRemovedWhenItHasEnded() throws Exception {
    Process other = kubeProxy();
    try {
      Await.until(other::toString, () -> host.ruleset().contains("table ip kube-proxy"));
      try (Daemon daemon = host.start("--metrics-bind-address=" + METRICS)) {
        daemon.awaitSync();
        assertThat(daemon.log())
            .containsPattern(
                "A kube-proxy runs beside this daemon, .*code=\"PORT-310\" proxy=\"kube-proxy .*"
                    + "\\(pid "
                    + other.pid()
                    + "\\)\"");
        Await.until(daemon::log, () -> events().contains("OtherProxyRunning"));
        Await.until(daemon::log, () -> metrics().contains("\nportolan_other_proxy 1\n"));
        assertThat(host.ruleset()).contains("table ip kube-proxy", "table ip portolan");

        other.destroy();
        assertThat(other.waitFor(1, TimeUnit.MINUTES)).isTrue();
        daemon.awaitLog("Removed what kube-proxy left", 1);
        assertThat(daemon.log()).contains("No other kube-proxy runs any more");
        Await.until(daemon::log, () -> !host.ruleset().contains("kube-proxy"));
        assertThat(metrics()).contains("\nportolan_other_proxy 0\n");
      }
    } finally {
      other.destroyForcibly();
    }
  }
}
