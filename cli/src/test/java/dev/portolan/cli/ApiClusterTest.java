package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import dev.portolan.cli.daemon.NeedsPeers;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.source.file.Manifests;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that read a real API server. */
@NeedsPeers
final class ApiClusterTest {
  private static final Path CLUSTER = Path.of("src", "test", "resources", "api-cluster.yaml");

  private static ControlPlane plane;
  private static ApiWriter writer;
  private static String from;

  @BeforeAll
  static void start() {
    plane = new ControlPlane();
    ClusterImage image = Manifests.read(CLUSTER).image();
    writer = new ApiWriter(plane);
    writer.apply(ClusterDelta.between(ClusterImage.EMPTY, image));
    from = "--from=kube:" + plane.adminKubeconfig();
  }

  @AfterAll
  static void stop() {
    if (plane != null) {
      plane.close();
    }
  }

  @Test
  void whatTheServerHasIsShownAsWhatFilesHave() {
    List<String> served = rows(from);

    // The server has a service of its own.
    assertThat(served).containsAll(rows("--from=file:" + CLUSTER)).hasSize(2);
  }

  private static List<String> rows(String source) {
    Result result = Shell.run("show", source, "--node=worker-1");
    assertThat(result.status()).as(result.err()).isZero();
    return result.out().lines().skip(1).map(line -> line.replaceAll(" +", " ")).toList();
  }

  @Test
  void aConnectionIsExplained() {
    Result result = Shell.run("explain", from, "--node=worker-1", "shop/web");

    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out()).contains("10.244.1.21:8080");
  }

  @Test
  void aMoveIsPlannedForTheClusterThatThereIs() {
    Result result =
        Shell.run("migrate", from, "--config", "../examples/kube-proxy/ipvs.yaml", "-o", "json");

    assertThat(result.status()).as(result.err()).isEqualTo(1);
    assertThat(result.out()).contains("\"from\"");
  }

  @Test
  void aTreeOfBrainsFollowsTheServer(@TempDir Path folder) throws Exception {
    Path root = folder.resolve("root.sock");
    Path leaf = folder.resolve("leaf.sock");
    String api = "--api=unix://" + leaf;
    Service late =
        Service.named("shop", "late")
            .clusterIps(List.of("10.96.20.99"))
            .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
            .build();
    try (Background first = ServedShop.serve("kube:" + plane.adminKubeconfig(), root, List.of());
        Background second = ServedShop.serve("api:unix://" + root, leaf, List.of())) {
      List<String> before = rows(from);
      awaitRows(api, before);

      writer.apply(ClusterDelta.builder().set(late).build());
      List<String> after = rows(from);
      assertThat(after).hasSize(before.size() + 1);
      awaitRows(api, after);

      plane.stopServer();
      assertThat(rows(api)).isEqualTo(after);
      plane.startServer();
      writer.apply(ClusterDelta.builder().removeService(late.name()).build());
      awaitRows(api, before);
      assertThat(second.stop()).as(second.err::toString).isZero();
      assertThat(first.stop()).as(first.err::toString).isZero();
    }
  }

  private static void awaitRows(String source, List<String> rows) throws InterruptedException {
    for (int i = 0; i < 300 && !rows(source).equals(rows); i++) {
      Thread.sleep(100);
    }
    assertThat(rows(source)).isEqualTo(rows);
  }

  @Test
  void aServerThatIsNotThereIsASentence() {
    Path nowhere = plane.kubeconfig("nowhere.conf", "token: x");
    String text = "--from=kube:" + nowhere;
    Result result = Shell.run("show", text, "--node=worker-1");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains(plane.address().toString());
  }
}
