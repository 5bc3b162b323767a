package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Background;
import dev.portolan.sessions.ServedShop;
import dev.portolan.sessions.Shell;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a connection that breaks; the rest are sessions. */
final class WatchTest {
  @TempDir private Path folder;

  @Test
  void whatBecomesOfTheConnectionIsSaidAside() throws Exception {
    try (ServedShop shop = new ServedShop(folder);
        Background watch = new Background("watch", shop.api(), "--node", "worker-1")) {
      watch.await(watch.out, "shop/web:http");
      String first = watch.out.toString();

      assertThat(shop.stop()).isZero();
      watch.await(watch.err, "lost: " + shop.address() + ": ");
      shop.start();
      watch.await(watch.err, "reset: " + shop.address() + " sends the full state again\n");
      shop.replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
      watch.await(watch.out, "nodePort 30080 → 30081\n");
      assertThat(watch.out.toString())
          .isEqualTo(
              first
                  + """
                  revision 2: ~shop/admin
                    ~ shop/admin:http  nodePort 30080 → 30081
                  """);
      assertThat(watch.err.toString()).contains("; retrying\n");
    }
  }

  @Test
  void aConnectionThatBrokeIsResumed() throws Exception {
    try (ServedShop shop =
            new ServedShop(folder, "--listen=tcp://127.0.0.1:0", "--insecure-loopback");
        CutProxy proxy = new CutProxy(shop.port());
        Background watch =
            new Background("watch", "--api=127.0.0.1:" + proxy.port(), "--node", "worker-1")) {
      watch.await(watch.out, "shop/web:http");
      String first = watch.out.toString();
      String address = "tcp://127.0.0.1:" + proxy.port();

      proxy.cut();
      watch.await(watch.err, "lost: " + address + ": ");
      proxy.mend();
      watch.await(watch.err, "resumed: " + address + " is back, nothing changed\n");

      proxy.cut();
      shop.replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
      shop.awaitShown("30081");
      proxy.mend();
      watch.await(watch.out, "nodePort 30080 → 30081\n");
      assertThat(watch.err.toString())
          .contains("resumed: " + address + " sends what changed in the meantime\n")
          .doesNotContain("reset: ");
      assertThat(watch.out.toString()).startsWith(first + "revision 2: ~shop/admin\n");
    }
  }

  @Test
  void anExplanationIsPrintedAgainWhenItChanges() throws Exception {
    try (ServedShop shop = new ServedShop(folder)) {
      String[] asked = {"explain", "--node=worker-1", "shop/web:http", "--client=pod"};
      String first = Background.run(asked, shop.api()).out();
      assertThat(first).contains("forward");
      try (Background remote = Background.of(asked, shop.api(), "-w");
          Background own = Background.of(asked, "--from=file:" + shop.folder, "--watch");
          Background lines = Background.of(asked, shop.api(), "-w", "-o=json")) {
        remote.await(remote.out, first);
        own.await(own.out, "left out\n");
        lines.await(lines.out, "\n");

        shop.replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
        shop.awaitShown("30081");
        shop.replace(
            "endpointslices.yaml", "ready: false, serving: false", "ready: true, serving: true");
        remote.await(remote.out, "changed at ");
        own.await(own.out, "changed at ");
        lines.await(lines.out, "}\n{");
        String second = Background.run(asked, shop.api()).out();
        remote.await(remote.out, second);
        own.await(own.out, second.lines().reduce((a, b) -> b).orElseThrow());
        for (String text : List.of(remote.out.toString(), own.out.toString())) {
          assertThat(text.split("\nchanged at \\d\\d:\\d\\d:\\d\\d\n\n"))
              .hasSize(2)
              .satisfies(parts -> assertThat(parts[1]).isEqualTo(second));
        }
        assertThat(lines.out.toString().lines().map(Shell::tree))
            .hasSize(2)
            .allSatisfy(answer -> assertThat(answer).containsEntry("kind", "Explanation"));

        assertThat(shop.stop()).isZero();
        remote.await(remote.err, "lost: " + shop.address() + ": ");
        shop.start();
        remote.await(remote.err, "resumed: " + shop.address() + " is back\n");
        assertThat(remote.out.toString()).endsWith(second);
        assertThat(remote.stop()).isZero();
        assertThat(own.err.toString()).isEmpty();
      }
    }
  }
}
