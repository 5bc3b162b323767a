package dev.portolan.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.explain.ExplainQuestion;
import dev.portolan.source.file.Manifests;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Of which nodes an explanation is asked. */
final class AskedNodesTest {
  private static final ClusterImage CLUSTER =
      Manifests.parse(
              "cluster.yaml",
              """
              {apiVersion: v1, kind: Node, metadata: {name: a}}
              ---
              {apiVersion: v1, kind: Node, metadata: {name: b}}
              ---
              apiVersion: v1
              kind: Service
              metadata: {namespace: shop, name: web}
              spec: {clusterIPs: [10.96.30.1], ports: [{name: http, port: 80}]}
              ---
              apiVersion: discovery.k8s.io/v1
              kind: EndpointSlice
              metadata: {namespace: shop, name: web-1, labels: {kubernetes.io/service-name: web}}
              addressType: IPv4
              ports: [{name: http, port: 8080}]
              endpoints:
              - {addresses: [10.244.1.21], nodeName: b, targetRef: {kind: Pod, namespace: shop, name: web-0}}
              """)
          .image();

  private static ExplainQuestion question(String client, boolean allNodes) {
    return ExplainQuestion.parse("shop/web", client, allNodes, "");
  }

  private static NodeChoice choice(String node) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return new NodeChoice(
        "the cluster",
        Optional.of(node).filter(name -> !name.isEmpty()),
        "",
        new Remarks(Terminal.plain(nowhere, nowhere)));
  }

  @Test
  void allNodesAreThoseOfTheCluster() {
    assertThat(choice("").in(CLUSTER, question("", true))).containsExactly("a", "b");
    assertThatThrownBy(() -> choice("").in(ClusterImage.EMPTY, question("", true)))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("the cluster has no Node; specify one with --node");
  }

  @Test
  void aPodAsksFromItsNodeUnlessOneIsNamed() {
    assertThat(choice("").in(CLUSTER, question("pod/shop/web-0", false))).containsExactly("b");
    assertThat(choice("a").in(CLUSTER, question("pod/shop/web-0", false))).containsExactly("a");
  }

  @Test
  void otherwiseANodeMustBeNamedWhereThereAreSeveral() {
    assertThatThrownBy(() -> choice("").in(CLUSTER, question("pod", false)))
        .hasMessage("the cluster has several Nodes; choose one with --node: a, b");
  }
}
