package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.daemon.NeedsPeers;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.source.file.Manifests;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Peers;
import dev.portolan.testkit.peers.SharedControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kubectl portolan} with the real kubectl on a real API server. No kubelet runs here: what
 * kubectl would start in a pod is noted, and answers as the test says.
 */
@NeedsPeers(tools = "kubectl")
final class KubectlPluginTest {
  private static final Path CLUSTER = Path.of("src", "test", "resources", "api-cluster.yaml");
  private static final String NOT_ASKED = "this is decided again from the API server";

  @TempDir private static Path folder;
  private static ControlPlane plane;

  @BeforeAll
  static void start() throws IOException {
    plane = SharedControlPlane.empty();
    ClusterImage image = Manifests.read(CLUSTER).image();
    new ApiWriter(plane).apply(ClusterDelta.between(ClusterImage.EMPTY, image));
    Path kubectl =
        Files.writeString(
            folder.resolve("kubectl"),
            """
            #!/bin/sh
            for word; do
              if [ "$word" = exec ]; then
                echo "$@" >%1$s/asked
                . %1$s/answer
              fi
            done
            exec %2$s --cache-dir=%1$s/cache "$@"
            """
                .formatted(folder, Peers.find("kubectl").map(Path::toString).orElse("kubectl")));
    Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwx------"));
    System.setProperty("portolan.kubectl", kubectl.toString());
  }

  @AfterAll
  static void stop() {
    System.clearProperty("portolan.kubectl");
  }

  @BeforeEach
  void nobodyWasAsked() throws IOException {
    Files.deleteIfExists(folder.resolve("asked"));
    for (String pod : List.of("kube-proxy-a", "portolan-a", "brain-a")) {
      try {
        plane.request(
            "DELETE", "/api/v1/namespaces/kube-system/pods/" + pod + "?gracePeriodSeconds=0", "");
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("NotFound");
      }
    }
  }

  private static void pod(String name, String labels) {
    plane.request(
        "POST",
        "/api/v1/namespaces/kube-system/pods",
        """
        {"metadata": {"name": "%s", "labels": {%s}},
         "spec": {"nodeName": "worker-1", "automountServiceAccountToken": false,
                  "containers": [{"name": "kube-proxy", "image": "portolan"}]}}
        """
            .formatted(name, labels));
    plane.request(
        "PATCH",
        "/api/v1/namespaces/kube-system/pods/" + name + "/status",
        """
        {"status": {"phase": "Running"}}\
        """);
  }

  private static void daemon() {
    pod(
        "portolan-a",
        """
        "app.kubernetes.io/name": "portolan", "app.kubernetes.io/component": "node\"\
        """);
  }

  private static void answer(String script) throws IOException {
    Files.writeString(folder.resolve("answer"), script + "\n");
  }

  private static String asked() throws IOException {
    return Files.readString(folder.resolve("asked")).strip();
  }

  private static Result kubectl(String... words) {
    List<String> all = new ArrayList<>(List.of("kubectl"));
    all.addAll(Arrays.asList(words));
    all.add("--kubeconfig=" + plane.adminKubeconfig());
    return Shell.run(all.toArray(String[]::new));
  }

  @Test
  void aClusterWithoutDaemonsIsDecidedHere() {
    Result result = kubectl("explain", "-n", "shop", "web");

    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out()).contains("10.244.1.21:8080");
    assertThat(result.err())
        .contains("no pod of Portolan runs on node worker-1", NOT_ASKED)
        .contains("as node worker-1 sees it; --node chooses another");
  }

  @Test
  void theHabitsOfKubectlWork() {
    assertThat(kubectl("-n", "shop", "show", "svc/web", "-o", "json").tree())
        .containsEntry("kind", "ServiceList");
    assertThat(kubectl("show", "-A", "--context=test").out())
        .contains("default/kubernetes", "shop/web");
    // The namespace of the context, as for kubectl: that is default.
    assertThat(kubectl("show").out()).contains("default/kubernetes").doesNotContain("shop/web");
    assertThat(kubectl("show", "--context=none").err()).contains("none");
    assertThat(kubectl("explain", "web").out()).contains("default/web");
  }

  @Test
  void theDaemonOfTheNodeIsAsked() throws IOException {
    daemon();
    answer("echo from the node; exit 0");
    Result result = kubectl("explain", "-n", "shop", "web", "--node", "worker-1", "-o", "yaml");

    assertThat(result).isEqualTo(new Result(0, "from the node\n", ""));
    assertThat(asked())
        .endsWith(
            "exec --namespace=kube-system portolan-a -c kube-proxy -- /usr/local/bin/portolan"
                + " explain -n shop web -o yaml");
  }

  @Test
  void theAnswerMayBeNo() throws IOException {
    daemon();
    answer("echo rejected; echo command terminated with exit code 1 >&2; exit 1");

    assertThat(kubectl("explain", "-n", "shop", "web", "--node=worker-1"))
        .isEqualTo(new Result(1, "rejected\n", ""));
  }

  @Test
  void aTakenOverKubeProxyIsAskedToo() throws IOException {
    pod("kube-proxy-a", "\"k8s-app\": \"kube-proxy\"");
    answer("echo from the node; exit 0");

    assertThat(kubectl("show", "-A").out()).isEqualTo("from the node\n");
    assertThat(asked()).contains(" kube-proxy-a ").endsWith("portolan show -A");
  }

  @Test
  void whereTheDaemonCannotBeAskedTheReasonIsGiven() throws IOException {
    daemon();
    answer("echo 'Error from server (Forbidden): pods is forbidden' >&2; exit 1");
    Result result = kubectl("explain", "-n", "shop", "web");

    assertThat(result.out()).contains("10.244.1.21:8080");
    assertThat(result.err())
        .contains("pod kube-system/portolan-a: Error from server (Forbidden)", NOT_ASKED);

    answer(
        "echo 'portolan: it does not listen' >&2; echo command terminated with exit code 2 >&2;"
            + " exit 2");
    assertThat(kubectl("doctor", "--node=worker-1"))
        .isEqualTo(
            new Result(
                1,
                "",
                "portolan: cannot check node worker-1: pod kube-system/portolan-a: portolan: it"
                    + " does not listen\n"));
    assertThat(kubectl("doctor").err()).contains("specify which with --node");
  }

  @Test
  void optionsOfADecisionAreForADecisionHere() throws IOException {
    daemon();
    answer("exit 3");
    assertThat(kubectl("explain", "-n", "shop", "web", "--cluster-cidr=10.244.0.0/16").status())
        .isZero();
    assertThat(kubectl("explain", "-n", "shop", "web", "--all-nodes").out()).contains("worker-1");
    assertThat(kubectl("render", "--node=worker-1").out()).contains("table");
    assertThat(folder.resolve("asked")).doesNotExist();
  }

  @Test
  void aBrainIsAskedAboutItsNodes() throws IOException {
    assertThat(kubectl("nodes").err()).contains("no brain was found in this cluster");
    pod(
        "brain-a",
        """
        "app.kubernetes.io/name": "portolan", "app.kubernetes.io/component": "brain\"\
        """);
    answer("echo 3 nodes; exit 0");

    assertThat(kubectl("nodes", "-o", "wide").out()).isEqualTo("3 nodes\n");
    assertThat(asked()).endsWith("brain-a -c brain -- /usr/local/bin/portolan nodes -o wide");
    // It also answers for a node whose daemon only follows it.
    assertThat(kubectl("show", "-A").out()).isEqualTo("3 nodes\n");
    assertThat(asked()).endsWith("/usr/local/bin/portolan show -A --node=worker-1");
  }

  @Test
  void helpIsForUsersOfKubectl() {
    String help = Shell.run("kubectl", "help", "explain").out();
    assertThat(help)
        .contains("kubectl portolan explain [--node NODE] TARGET")
        .contains("  kubectl portolan explain --node worker-1 shop/web:http")
        .doesNotContain("--tls-key", "examples/shop")
        .doesNotContainPattern("(?<!kubectl )portolan explain");
    assertThat(Shell.run("kubectl").out())
        .contains("kubectl portolan explain -n shop web")
        .doesNotContain("  brain ", "  demo ");
    assertThat(Shell.run("kubectl", "run").err()).contains("kubectl portolan --help");
    assertThat(Shell.run("--help").out()).doesNotContain("kubectl");
  }

  @Test
  void wordsAreCompleted() {
    String config = "--kubeconfig=" + plane.adminKubeconfig();
    assertThat(complete("ex"))
        .containsExactly(
            "explain\tExplain what happens to a connection on a" + " node, and why.", ":4");
    assertThat(complete("explain", "--al"))
        .containsExactly("--all-nodes\tPrint the answer of every node, in one table.", ":4");
    assertThat(complete("explain", "--color", "a")).containsExactly("always", "auto", ":4");
    assertThat(complete("explain", config, "-n", "sh")).containsExactly("shop", ":4");
    assertThat(complete("explain", config, "-n", "shop", "w")).containsExactly("web", ":4");
    assertThat(complete("show", config, "--node", "")).containsExactly("worker-1", ":4");
    assertThat(complete("show", config, "--context", "")).containsExactly("test", ":4");
    assertThat(complete("show", "")).containsExactly("endpoints", "node", "services", ":4");
    assertThat(complete("render", "--config", "")).containsExactly(":0");
  }

  private static List<String> complete(String... words) {
    List<String> all = new ArrayList<>(List.of("kubectl-complete"));
    all.addAll(Arrays.asList(words));
    return Shell.run(all.toArray(String[]::new)).lines();
  }
}
