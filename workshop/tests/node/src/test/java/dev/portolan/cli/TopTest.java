package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Background;
import dev.portolan.sessions.Shell;
import dev.portolan.testbase.NeedsKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What needs packets or time, over rules that our own command has written; the rest are sessions.
 */
@NeedsKernel(tools = {"ip", "nft"})
final class TopTest {
  private PrivateNamespace namespace;

  @BeforeEach
  void build() throws Exception {
    namespace = new PrivateNamespace();
    namespace.run("ip", "link", "set", "lo", "up");
    namespace.run("ip", "link", "add", "eth0", "type", "veth", "peer", "name", "eth1");
    namespace.run("ip", "link", "set", "eth1", "up");
    namespace.run("ip", "link", "set", "eth0", "up");
    namespace.run("ip", "address", "add", "192.168.10.11/24", "dev", "eth0");
    namespace.run("ip", "route", "add", "default", "dev", "eth0");
  }

  @AfterEach
  void tearDown() throws Exception {
    namespace.delete();
  }

  private void program(String... more) {
    List<String> words =
        new ArrayList<>(List.of("--netns", namespace.name(), "--once", "--node", "worker-1"));
    words.addAll(List.of(more));
    assertThat(Shell.over(Shell.SHOP, "run", words.toArray(String[]::new)).status()).isZero();
  }

  /** Sends the first packet of {@code times} connections; nothing answers. */
  private void connect(int times, String address, int port) throws Exception {
    namespace.run(
        "bash",
        "-c",
        "for i in $(seq %d); do echo -n . >/dev/udp/%s/%d || true; done"
            .formatted(times, address, port));
  }

  private String[] top(String... more) {
    List<String> words = new ArrayList<>(List.of("top", "--netns", namespace.name()));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  @Test
  void connectionsOfEachServiceAreCounted() throws Exception {
    program("--traffic-counters");
    connect(5, "10.96.0.10", 53);
    Map<String, Object> tree =
        Shell.run(top("--once", "--every", "200ms", "-o", "json", "-n", "kube-system")).tree();
    assertThat(tree).containsEntry("kind", "ServiceTrafficList");
    assertThat(Shell.list(tree.get("services")))
        .anySatisfy(service ->
            assertThat(service)
                .containsEntry("name", "kube-dns")
                .containsEntry("port", "dns")
                .containsEntry("protocol", "UDP")
                .containsEntry("totals", Map.of("connections", 5)))
        .allSatisfy(service -> assertThat(service).containsEntry("namespace", "kube-system"));
  }

  @Test
  void aTableFollowsAnotherUntilItIsEnded() throws Exception {
    program("--traffic-counters");
    try (Background top = new Background(top("--every", "200ms", "--rows", "1"))) {
      top.await(top.out, "SERVICE");
      connect(3, "10.96.0.10", 53);
      top.await(top.out, "kube-system/kube-dns:dns ");
      assertThat(top.out.toString().lines().filter(line -> line.startsWith("SERVICE")))
          .hasSizeGreaterThan(1);
      assertThat(top.out.toString()).doesNotContain("\033");
      assertThat(top.stop()).isZero();
    }
  }
}
