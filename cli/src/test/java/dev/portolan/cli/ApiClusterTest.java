package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import dev.portolan.cli.daemon.NeedsPeers;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.source.file.Manifests;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Commands that read a real API server. */
@NeedsPeers
final class ApiClusterTest {
  private static final Path CLUSTER = Path.of("src", "test", "resources", "api-cluster.yaml");

  private static ControlPlane plane;
  private static String from;

  @BeforeAll
  static void start() {
    plane = new ControlPlane();
    ClusterImage image = Manifests.read(CLUSTER).image();
    new ApiWriter(plane).apply(ClusterDelta.between(ClusterImage.EMPTY, image));
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
  void aServerThatIsNotThereIsASentence() {
    Path nowhere = plane.kubeconfig("nowhere.conf", "token: x");
    String text = "--from=kube:" + nowhere;
    Result result = Shell.run("show", text, "--node=worker-1");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains(plane.address().toString());
  }
}
