package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Background;
import dev.portolan.sessions.HttpPage;
import dev.portolan.sessions.ServedShop;
import dev.portolan.sessions.Shell;
import dev.portolan.testbase.Await;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brains that feed on each other. */
final class BrainTreeTest {
  private static final String LOST = "\nportolan_brain_source_lost_seconds ";
  private static final String NOT_LOST = LOST + "0\n";

  @TempDir private Path folder;

  @Test
  void whatTheLastBrainKnowsIsWhatTheFirstOneReads() throws Exception {
    Path middle = folder.resolve("middle.sock");
    Path last = folder.resolve("last.sock");
    try (ServedShop shop = new ServedShop(folder)) {
      Background relay = ServedShop.serve("api:" + shop.address(), middle, List.of());
      try (Background leaf = ServedShop.serve("api:unix://" + middle, last, List.of());
          Background watch = new Background("watch", "--api=unix://" + last, "--node=worker-1")) {
        for (String listing : List.of("services", "endpoints", "node")) {
          assertThat(
                  Shell.run("show", "--api=unix://" + last, "--node=worker-2", listing, "-o=json"))
              .isEqualTo(Shell.shop("worker-2", "show", listing, "-o=json"));
        }
        watch.await(watch.out, "shop/web:http");
        String first = watch.out.toString();

        assertThat(relay.stop()).isZero();
        leaf.await(leaf.err, "warning: unix://" + middle + ": no such socket");
        relay = ServedShop.serve("api:" + shop.address(), middle, List.of());
        leaf.await(leaf.err, "unix://" + middle + " is back\n");
        assertThat(watch.out.toString()).isEqualTo(first);
        assertThat(watch.err.toString()).isEmpty();

        shop.replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
        watch.await(watch.out, "nodePort 30080 → 30081\n");
        assertThat(watch.out.toString())
            .isEqualTo(
                first
                    + """
                    revision 2: ~shop/admin
                      ~ shop/admin:http  nodePort 30080 → 30081
                    """);
      } finally {
        relay.close();
      }
    }
  }

  @Test
  void aRelaySaysThatTheBrainItFeedsOnIsBlind() throws Exception {
    Path last = folder.resolve("last.sock");
    try (ServedShop shop = new ServedShop(folder);
        Background relay =
            ServedShop.serve(
                "api:" + shop.address(), last, List.of("--metrics-bind-address=127.0.0.1:0"))) {
      String pages = HttpPage.address(relay.err.toString());
      assertThat(HttpPage.read(pages + "/healthz")).isEqualTo(new HttpPage(200, "ok\n"));
      shop.replace("services.yaml", "nodePort: 30080", "nodePort: [");
      String lost = shop.address() + ": the brain's own source is lost: " + shop.folder;
      relay.await(relay.err, "warning: " + lost + "/services.yaml:");
      assertThat(HttpPage.read(pages + "/metrics").body()).doesNotContain(NOT_LOST).contains(LOST);
      assertThat(HttpPage.read(pages + "/healthz").body()).matches("ok\nsourceLostSeconds \\d+\n");
      shop.replace("services.yaml", "nodePort: [", "nodePort: 30080");
      Await.until(
          relay.err::toString, () -> HttpPage.read(pages + "/metrics").body().contains(NOT_LOST));
      assertThat(HttpPage.read(pages + "/healthz")).isEqualTo(new HttpPage(200, "ok\n"));
    }
  }

  @Test
  void aRelayWaitsForTheBrainThatItFeedsOn() throws Exception {
    Path upstream = folder.resolve("brain.sock");
    String socket = "unix://" + folder.resolve("relay.sock");
    try (Background relay =
        new Background(
            "brain",
            "--from=api:unix://" + upstream,
            "--listen=" + socket,
            "--metrics-bind-address=127.0.0.1:0")) {
      relay.await(relay.err, "warning: unix://" + upstream + ": no such socket");
      String health = HttpPage.address(relay.err.toString()) + "/healthz";
      assertThat(HttpPage.read(health))
          .isEqualTo(new HttpPage(503, "the cluster is not known yet\n"));
      String metrics = HttpPage.address(relay.err.toString()) + "/metrics";
      assertThat(HttpPage.read(metrics).body()).doesNotContain(NOT_LOST).contains(LOST);
      assertThat(Shell.run("nodes", "--api=" + socket).err())
          .contains(
              "warning: " + socket + " has not read its cluster yet, so there are no decisions")
          .contains("no client is connected to " + socket);
      try (Background show = new Background("show", "--api=" + socket, "--node=worker-1")) {
        show.await(show.err, "waiting for " + socket + ": connected, but no state received yet\n");
        try (ServedShop shop = new ServedShop(folder)) {
          show.await(show.out, "shop/web:http");
          assertThat(show.stop()).isZero();
          relay.await(relay.err, "synced: 9 services, 10 slices and 3 nodes from api:");
          assertThat(relay.err.toString()).contains(shop.address() + " is back\n");
          assertThat(HttpPage.read(health)).isEqualTo(new HttpPage(200, "ok\n"));
          assertThat(HttpPage.read(metrics).body()).contains(NOT_LOST);
        }
      }
    }
  }
}
