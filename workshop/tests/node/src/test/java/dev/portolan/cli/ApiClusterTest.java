package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.apiserver.ApiAccess;
import dev.portolan.apiserver.ApiResponse;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.apiserver.ClientLimits;
import dev.portolan.apiserver.Kubeconfig;
import dev.portolan.cli.daemon.NeedsPeers;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.sessions.Background;
import dev.portolan.sessions.ServedShop;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.Await;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Kubectl;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.testkit.peers.SharedControlPlane;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that read a real API server. */
@NeedsPeers
@NeedsBuilt({"etcd", "kube-apiserver", "kubectl"})
final class ApiClusterTest {
  private static final Path CLUSTER = Path.of("src", "test", "resources", "api-cluster.yaml");

  private static final String UNSERVED =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: postgres, namespace: shop}
      spec: {clusterIP: None, ports: [{name: sql, port: 5432}]}
      ---
      apiVersion: v1
      kind: Service
      metadata:
        name: ambient
        namespace: shop
        labels: {service.kubernetes.io/service-proxy-name: mesh}
      spec: {ports: [{name: http, port: 80}]}
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: ambient-1, namespace: shop, labels: {kubernetes.io/service-name: ambient}}
      addressType: IPv4
      ports: [{name: http, port: 8080}]
      endpoints: [{addresses: [10.244.1.31]}]
      """;

  private static ControlPlane plane;
  private static ApiWriter writer;
  private static String from;

  @BeforeAll
  static void start() {
    plane = SharedControlPlane.empty();
    ClusterImage image = Manifests.read(CLUSTER).image();
    writer = new ApiWriter(plane);
    writer.apply(ClusterDelta.between(ClusterImage.EMPTY, image));
    from = "--from=kube:" + plane.adminKubeconfig();
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
  void servicesThatNoProxyServesAreExplainedAndNotMissed() {
    Kubectl.runWithInput(plane, UNSERVED, "apply", "--filename=-");

    assertThat(explained("shop/postgres")).contains("the service is not proxied", "headless");
    assertThat(explained("shop/ambient"))
        .contains("service.kubernetes.io/service-proxy-name gives it to another proxy");
    assertThat(explained("shop/nope"))
        .contains("the cluster has no Service shop/nope that a proxy serves");
    Result shown = Shell.run("show", from, "--node=worker-1", "svc/postgres");
    assertThat(shown.err()).contains("no service 'postgres' of", "is served");
    Result analyzed = Shell.run("analyze", from);
    assertThat(analyzed.out()).doesNotContain("P0107");
    assertThat(rows(from)).hasSize(2);
  }

  private static String explained(String service) {
    Result result = Shell.run("explain", from, "--node=worker-1", service);
    assertThat(result.err()).doesNotContain("fail");
    return result.out();
  }

  @Test
  void aChangeIsNoMoreThanWhatIsWritten(@TempDir Path folder) throws Exception {
    Path change = folder.resolve("change.yaml");
    Files.writeString(
        change,
        """
        apiVersion: v1
        kind: Service
        metadata:
          name: web
          namespace: shop
          labels: {app: web}
          creationTimestamp: "2025-01-01T00:00:00Z"
        spec:
          type: NodePort
          externalTrafficPolicy: Local
          ports: [{name: http, port: 80, protocol: TCP}]
          selector: {app: web}
        """);
    Result result = Shell.run("diff", from, "-f", change.toString(), "-o", "json");
    assertThat(result.status()).as(result.err()).isEqualTo(1);
    assertThat(result.out())
        .contains("spec.externalTrafficPolicy")
        .doesNotContain("creationTimestamp", "metadata.labels");
  }

  /** Kubernetes 1.37 has no such parameter yet. */
  @Test
  void aServerThatCannotLeaveOutManagedFieldsAnswersAllTheSame() throws Exception {
    ApiAccess access = Kubeconfig.read(List.of(plane.adminKubeconfig()), Optional.empty());
    List<Integer> statuses = new CopyOnWriteArrayList<>();
    try (ApiServer api =
        ApiServer.connect(
            access,
            new ClientLimits(-1, 0, "portolan/test"),
            (method, address, status, took) -> statuses.add(status.orElse(0)))) {
      for (String type : List.of("application/json", "application/vnd.kubernetes.protobuf")) {
        try (ApiResponse answer = api.getObjects("/api/v1/services", List.of(type))) {
          assertThat(answer.headers().firstValue("Content-Type")).contains(type);
          assertThat(new String(answer.body().readAllBytes(), StandardCharsets.ISO_8859_1))
              .contains("shop", "FieldsV1");
        }
      }
    }
    assertThat(statuses).as("nothing was refused").containsExactly(200, 200);
  }

  @Test
  void aMoveIsPlannedForTheClusterThatThereIs() {
    Result result =
        Shell.run(
            "migrate",
            from,
            "--config",
            Shell.EXAMPLES.resolve("kube-proxy/ipvs.yaml").toString(),
            "-o",
            "json");

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

  private static void awaitRows(String source, List<String> rows) {
    List<String> _ = Await.until("the rows", () -> rows(source), rows::equals);
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
