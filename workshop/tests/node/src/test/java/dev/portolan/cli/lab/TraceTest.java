package dev.portolan.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections through the rules of a real kernel, beside what is decided for them. */
@NeedsKernel(tools = {"ip", "nft"})
class TraceTest {
  @TempDir static Path folder;
  private static Lab lab;
  private static NodeUnderTest node;

  @BeforeAll
  static void build() throws IOException {
    try (InputStream cluster = PacketTable.class.getResourceAsStream("/packets/cluster.yaml")) {
      Files.copy(cluster, folder.resolve("cluster.yaml"));
    }
    lab = Lab.open();
    node =
        new NodeUnderTest(
            lab.node(), () -> new NftablesBackend(NftablesOptions.DEFAULT), NodeSettings.DEFAULT);
    node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
  }

  @AfterAll
  static void tearDown() {
    node.close();
    lab.close();
  }

  private static Result trace(String words) {
    String where = "trace --from file:" + folder + " --node worker-1 --netns " + lab.node().name();
    return Shell.run((where + " " + words).split(" ", -1));
  }

  @Test
  void aConnectionIsFollowedThroughTheRules() {
    Result result = trace("10.96.0.20:80/tcp --client 198.51.100.10");
    assertThat(result.status()).isZero();
    assertThat(result.out().lines())
        .contains(
            "10.96.0.20:80/TCP (lab/web:tcp, node worker-1)",
            "  from 198.51.100.10, through eth0",
            "  ip portolan services 2: goto tcp-pick-4",
            "  ip portolan tcp-pick-4 1: jump tcp-draw-4",
            "  ip portolan tcp-draw-4 1: dnat to 10.244.1.11:8080",
            "  3 of 3 endpoints chosen: ready",
            "  10.244.2.11:8080  33.3 % masqueraded  33.3 % masqueraded",
            "agree: the rules do what explain says");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lab/web", "lab/loyal", "lab/fenced", "lab/empty", "lab/away"})
  void everyAddressOfAServiceIsFollowed(String service) {
    for (String client : List.of("pod", "node", "external")) {
      Result result = trace(service + " --client " + client);
      assertThat(result.status()).as(result.out() + result.err()).isZero();
    }
  }

  @Test
  void anEndpointThatIsTakenOutIsMissing() {
    lab.node().exec("nft", "delete element ip6 portolan tcp-endpoints { fd10:96::30 . 80 . 1 }");
    Result result = trace("[fd10:96::30]:80/tcp");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out().lines())
        .contains(
            "disagree: [fd10:244:2::11]:8080: missing: the rules never send there",
            "disagree: [fd10:244:1::11]:8080: explain says 50.0 %, the rules 100.0 %");
  }

  @Test
  void rulesOfOthersCountToo() {
    lab.node()
        .execWith(
            """
            table ip6 foreign {
              chain f {
                type filter hook forward priority 5; policy drop;
              }
            }
            """,
            "nft",
            "-f",
            "-");
    Result result = trace("[fd10:96::21]:80/udp");
    lab.node().exec("nft", "delete", "table", "ip6", "foreign");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out())
        .contains("  ip6 foreign f: drop\n      policy drop\n")
        .contains("disagree: verdict: explain says forward, the rules drop");
  }

  @Test
  void aRealConnectionMeetsTheRulesOfTheWalk() {
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Void> clients =
        CompletableFuture.runAsync(() -> {
          while (!done.get()) {
            Reply _ =
                lab.probe(Actor.POD_A3).ask(Protocol.TCP, Ip.of("10.96.0.21"), 80, Probe.SHORT);
          }
        });
    Result result = trace("10.96.0.21:80/tcp --client 10.244.1.13 --live -o json");
    done.set(true);
    clients.join();
    assertThat(result.status()).as(result.out() + result.err()).isZero();
    Map<String, Object> connection =
        Shell.list(Shell.tree(result.out()).get("connections")).getFirst();
    List<Map<String, Object>> live = Shell.list(connection.get("live"));
    assertThat(live).hasSize(1);
    assertThat(live.getFirst())
        .containsEntry("endpoint", "10.244.1.11:8080")
        .containsEntry("source", "10.244.1.13");
    assertThat(chains(live.getFirst())).isEqualTo(chains(Shell.map(connection.get("walked"))));
    assertThat(lab.node().exec("nft", "list", "tables")).doesNotContain("portolan-trace");
  }

  @Test
  void withoutAConnectionThereIsNothingToSee() {
    Result result = trace("10.96.0.22:80/tcp --live --timeout 300ms");
    assertThat(result.status()).isZero();
    assertThat(result.err()).contains("no new connection to 10.96.0.22:80/TCP was seen");
    assertThat(trace("lab/web --live").err()).contains("one can be watched");
  }

  /** The chains in the order of the path; how often one draws for an endpoint is chance. */
  private static List<String> chains(Map<String, Object> path) {
    return Shell.list(path.get("steps")).stream()
        .map(step -> String.valueOf(step.get("place")).replaceAll(" \\d+$", ""))
        .distinct()
        .toList();
  }
}
