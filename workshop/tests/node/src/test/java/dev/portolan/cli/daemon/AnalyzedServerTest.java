package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Kubectl;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.testkit.peers.SharedControlPlane;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real API server is analyzed, with and without the right to list Pods. */
@NeedsPeers
@NeedsBuilt({"etcd", "kube-apiserver", "kubectl"})
final class AnalyzedServerTest {
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: cart, namespace: shop}
      spec:
        selector: {app: cart}
        ports: [{name: http, port: 80, targetPort: web}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: search, namespace: shop}
      spec:
        selector: {app: serach}
        ports: [{name: http, port: 80, targetPort: 8080}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: idle, namespace: shop}
      spec:
        selector: {app: idle}
        ports: [{name: http, port: 80}]
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: idle, namespace: shop}
      spec:
        replicas: 0
        selector: {matchLabels: {app: idle}}
        template:
          metadata: {labels: {app: idle}}
          spec: {containers: [{name: main, image: none}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: cart-1, namespace: shop, labels: {app: cart}}
      spec: {containers: [{name: main, image: none, ports: [{name: http, containerPort: 8080}]}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: search-1, namespace: shop, labels: {app: search}}
      spec: {containers: [{name: main, image: none, ports: [{name: http, containerPort: 8080}]}]}
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: cart-1, namespace: shop, labels: {kubernetes.io/service-name: cart}}
      addressType: IPv4
      ports: [{name: http, port: 8080}]
      endpoints:
      - addresses: [10.244.1.9]
        targetRef: {kind: Pod, namespace: shop, name: cart-0}
      """;

  private static ControlPlane plane;

  @BeforeAll
  static void startServer() {
    plane = SharedControlPlane.empty();
    Kubectl.run(plane, "create", "namespace", "shop");
    Kubectl.runWithInput(plane, OBJECTS, "apply", "--filename=-");
  }

  @Test
  void withAllRightsPodsAreLookedAt() {
    Result result = Shell.run("analyze", "--from", "kube:" + plane.adminKubeconfig(), "-n", "shop");
    assertThat(result.status()).as(result.err()).isEqualTo(1);
    assertThat(result.out().lines().filter(line -> line.contains(" P0")))
        .satisfiesExactlyInAnyOrder(
            line ->
                assertThat(line)
                    .contains("Error", "P0103", "shop/search", "did you mean app=search?"),
            line ->
                assertThat(line).contains("Error", "P0401", "shop/cart", "they have http 8080/TCP"),
            line -> assertThat(line).contains("P0104", "shop/idle", "scaled to 0"),
            line ->
                assertThat(line).contains("P0113", "shop/cart-1", "shop/cart-0, which does not"));
    assertThat(result.err()).doesNotContain("not made", "not allowed");
  }

  @Test
  void withoutTheRightToListPodsTheOtherChecksAreMade() {
    Result result = Shell.run("analyze", "--from", "kube:" + plane.kubeconfig());
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out()).contains("P0104", "shop/search").doesNotContain("P0103", "P0401");
    assertThat(result.err())
        .containsOnlyOnce("without Pods, 7 checks were not made")
        .contains("403", "cannot list resource \"pods\"", "allow this user to list pods");
  }

  @Test
  void aChangeIsAnalyzedTogetherWithTheCluster() {
    Result result =
        Shell.run(
            "analyze",
            "--from",
            "file:" + RepositoryRoot.resolve("examples/shop/services.yaml"),
            "--from",
            "kube:" + plane.adminKubeconfig(),
            "-o",
            "json");
    assertThat(result.out()).contains("\"P0103\"", "examples/shop/services.yaml");
  }
}
