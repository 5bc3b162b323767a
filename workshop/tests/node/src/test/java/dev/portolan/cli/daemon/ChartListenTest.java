package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The running daemon can be looked at with a browser. */
@NeedsPeers
final class ChartListenTest extends DaemonOnNode {
  private static final int PORT = 10_270;

  @TempDir private Path folder;

  @BeforeAll
  static void fill() {
    writer.apply(new RandomServices(5).create(0, 20));
  }

  @Test
  void theDaemonShowsItsNode() throws Exception {
    try (Daemon daemon = host.start("--chart-listen=" + PORT, "--record=" + folder)) {
      daemon.awaitSync().awaitLog("Serving the chart", 1);
      assertThat(get("overview"))
          .contains("\"node\":\"node-0\"", "\"fleet\":true", "\"history\":true");
      assertThat(get("services")).contains("\"id\":\"default/kubernetes\"");
      assertThat(get("service?id=default/kubernetes")).contains("\"node\":\"node-0\"");
      assertThat(get("explain?target=default/kubernetes"))
          .contains("is the cluster IP of default/kubernetes");
      Await.until(daemon::log, () -> get("nodes").contains("\"connected\":true"));
      assertThat(get("nodes"))
          .contains(
              "\"name\":\"node-0\"", "\"lagSeconds\":0,", "\"error\":\"\"", "\"driftRepairs\"")
          .doesNotContain("\"applied\":0,");
      assertThat(host.get("127.0.0.1", PORT, "/").body()).contains("<!doctype html>");
      assertThat(daemon.stop()).as(daemon::log).isZero();
    }
  }

  private String get(String question) throws IOException {
    Host.Answer answer = host.get("127.0.0.1", PORT, "/api/" + question);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void aPortInUseKeepsNothingFromWorking() throws Exception {
    // The metrics are there already.
    try (Daemon daemon = host.start("--chart-listen=10249")) {
      daemon.awaitSync().awaitLog("The chart is not served yet", 1);
      assertThat(daemon.log()).contains("127.0.0.1:10249: cannot listen");
      assertThat(daemon.stop()).as(daemon::log).isZero();
    }
  }

  @Test
  void whatWouldBeOpenToEverybodyIsRefused() throws Exception {
    try (Daemon daemon = host.start("--chart-listen=0.0.0.0:" + PORT)) {
      daemon.awaitLog("--chart-listen: '0.0.0.0:10270' can be reached from other machines", 1);
    }
  }

  @Test
  void withoutTheFlagNothingOfItIsLoaded() throws Exception {
    try (Daemon daemon = host.start()) {
      daemon.awaitSync();
      assertThat(daemon.loadedClasses())
          .contains("dev.portolan.daemon.Session")
          .doesNotContain("dev.portolan.web", "NodeChart", "com.sun.net.httpserver");
    }
  }
}
