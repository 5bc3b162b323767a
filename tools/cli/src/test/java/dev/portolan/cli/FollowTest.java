package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FollowTest {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final AtomicInteger status = new AtomicInteger(-1);
  private Thread thread;

  @BeforeEach
  void copyTheShop() throws IOException {
    try (Stream<Path> files = Files.list(Shell.SHOP)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    thread.interrupt();
    thread.join(LONGEST_WAIT);
    assertThat(thread.isAlive()).isFalse();
  }

  @Test
  void printsEachRevisionAsWhatItChanges() throws Exception {
    follow("-n", "shop");
    await(out, "shop/web:http");
    assertThat(out.toString()).startsWith("SERVICE").doesNotContain("revision");

    replace("endpointslices.yaml", "ready: false, serving: false", "ready: true, serving: true");
    await(
        out,
        """
        revision 2: ~shop/web
          ~ shop/web:http IPv4  +10.244.3.51:8080
          ~ shop/web:http IPv6  +[fd00:10:244:3::51]:8080
        """);

    replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
    await(out, "revision 3: ~shop/admin\n  ~ shop/admin:http  nodePort 30080 → 30081\n");

    Files.writeString(
        folder.resolve("new.yaml"),
        """
        apiVersion: v1
        kind: Service
        metadata: {namespace: shop, name: fresh}
        spec: {clusterIPs: [10.96.30.1], ports: [{name: http, port: 80}]}
        """);
    await(
        out,
        """
        revision 4: +shop/fresh
          + shop/fresh:http  10.96.30.1  80/TCP  0 endpoints  reject
        """);

    Files.delete(folder.resolve("new.yaml"));
    await(out, "revision 5: -shop/fresh\n  - shop/fresh\n");

    replace(
        "nodes.yaml",
        "worker-1\n  labels:\n    topology.kubernetes.io/zone: zone-a",
        "worker-1\n  labels:\n    topology.kubernetes.io/zone: zone-b");
    await(out, "revision 6: ~node  ~shop/catalog\n  ~ node  zone zone-a → zone-b\n");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aBrokenFileIsToldAndTheLastStateStays() throws Exception {
    follow();
    await(out, "shop/web:http");

    Files.writeString(folder.resolve("broken.yaml"), "kind: [");
    await(err, "broken.yaml:1");
    assertThat(err.toString()).startsWith("warning: ");

    Files.delete(folder.resolve("broken.yaml"));
    replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
    await(out, "revision 2: ~shop/admin\n");
  }

  @Test
  void jsonIsALineARevision() throws Exception {
    follow("-o", "json");
    await(out, "\n");
    replace("services.yaml", "nodePort: 30080", "nodePort: 30081");
    await(out, "\"revision\":2");

    List<Map<String, Object>> revisions = out.toString().lines().map(Shell::tree).toList();
    assertThat(revisions).hasSize(2);
    assertThat(revisions.get(0)).containsEntry("revision", 1).containsKey("node");
    assertThat(Shell.list(revisions.get(0).get("set"))).hasSize(9);
    assertThat(revisions.get(1))
        .containsEntry("revision", 2)
        .containsEntry("from", 1)
        .containsEntry("removed", List.of())
        .doesNotContainKey("node");
    assertThat(Shell.list(revisions.get(1).get("set")))
        .extracting(service -> service.get("name"))
        .isEqualTo(List.of("admin"));
  }

  @Test
  void yamlIsADocumentARevision() throws Exception {
    follow("-o", "yaml", "node");
    await(out, "masqueradeAll: false\n");
    replace("servicecidr.yaml", "10.96.0.0/16", "10.96.0.0/12");
    await(out, "revision: 2");

    String[] documents = out.toString().split("---\n");
    assertThat(documents).hasSize(3);
    assertThat(Shell.map(Shell.tree(documents[2]).get("node")))
        .containsEntry("serviceCIDRs", List.of("10.96.0.0/12", "fd00:10:96::/112"));
  }

  @Test
  void anInterruptEndsItQuietly() throws Exception {
    follow();
    await(out, "shop/web:http");
    thread.interrupt();
    thread.join(LONGEST_WAIT);
    assertThat(status.get()).isZero();
    assertThat(err.toString()).isEmpty();
  }

  private void follow(String... args) {
    String[] all =
        Stream.concat(
                Stream.of("show", "--from", "file:" + folder, "--node", "worker-1", "--follow"),
                Stream.of(args))
            .toArray(String[]::new);
    thread =
        Thread.ofVirtual()
            .start(() ->
                status.set(
                    CommandRun.run(
                        all, Terminal.plain(new PrintWriter(out), new PrintWriter(err, true)))));
  }

  private void replace(String file, String old, String now) throws IOException {
    String text = Files.readString(folder.resolve(file));
    assertThat(text).contains(old);
    Files.writeString(folder.resolve(file), text.replace(old, now));
  }

  private static void await(StringWriter writer, String text) throws InterruptedException {
    long end = System.nanoTime() + LONGEST_WAIT.toNanos();
    while (!writer.toString().contains(text) && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(writer.toString()).contains(text);
  }
}
