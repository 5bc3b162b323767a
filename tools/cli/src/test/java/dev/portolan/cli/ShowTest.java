package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShowTest {
  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: only}
      spec: {podCIDRs: [10.244.0.0/24]}
      status: {addresses: [{type: InternalIP, address: 192.168.0.1}]}
      """;

  @Test
  void listsOneLineAServicePortAndFamily() {
    Result result = Shell.shop("worker-2", "show");

    assertThat(result.status()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.lines()).hasSize(13);
    assertThat(line(result, "shop/admin:http")).contains("10.96.20.5", "80:30080/TCP", " 1");
    assertThat(line(result, "shop/payments:https")).endsWith("0           reject");
    assertThat(line(result, "shop/storefront:https")).endsWith("2, 0 local  drop outside");
    assertThat(line(result, "monitoring/agent:otlp")).endsWith("1 local");
  }

  @Test
  void saysDropWhereTheInternalPolicyLeavesNoEndpoint() {
    assertThat(line(Shell.shop("worker-3", "show"), "monitoring/agent:otlp"))
        .contains("0 local")
        .endsWith("drop");
  }

  @Test
  void wideCutsNothingAndHasEverything() {
    Result result = Shell.shop("worker-1", "show", "services", "-o", "wide");

    assertThat(result.status()).isZero();
    assertThat(result.out()).doesNotContain("…");
    assertThat(line(result, "shop/storefront:https"))
        .contains(
            "LoadBalancer",
            "203.0.113.10",
            "198.51.100.0/24,192.168.10.0/24",
            "Cluster   Local",
            "10.244.1.41:8443,10.244.3.41:8443 local 10.244.1.41:8443");
    assertThat(line(result, "shop/cart:grpc")).contains("3600s");
  }

  @Test
  void listsEndpointsWithTheirUse() {
    Result result = Shell.shop("worker-1", "show", "endpoints");

    assertThat(result.status()).isZero();
    assertThat(result.lines())
        .anySatisfy(line ->
            assertThat(line).contains("10.244.1.41:8443").endsWith("worker-1  cluster,local"))
        .anySatisfy(line -> assertThat(line).contains("10.244.1.9:4317").endsWith("local"))
        .anySatisfy(line -> assertThat(line).contains("10.244.3.21:9090").endsWith("none"))
        .noneSatisfy(line -> assertThat(line).contains("10.244.3.51"));
  }

  @Test
  void listsTheNode() {
    Result result = Shell.shop("worker-3", "show", "node");

    assertThat(result.status()).isZero();
    assertThat(result.lines())
        .contains("node                 worker-3", "zone                 zone-b")
        .contains("pods recognized by   IPv4 source 10.244.3.0/24, IPv6 source fd00:10:244:3::/64");
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "yaml"})
  void printsATreeForPrograms(String format) {
    Map<String, Object> tree = Shell.shop("worker-2", "show", "-o", format).tree();

    assertThat(tree)
        .containsOnlyKeys("apiVersion", "kind", "revision", "node", "services")
        .containsEntry("apiVersion", "portolan.dev/v1")
        .containsEntry("kind", "ServiceList")
        .containsEntry("revision", 1);
    assertThat(Shell.map(tree.get("node")))
        .containsEntry("name", "worker-2")
        .containsEntry("known", true)
        .containsEntry("podCIDRs", List.of("10.244.2.0/24", "fd00:10:244:2::/64"));
    Map<String, Object> service =
        Shell.list(tree.get("services")).stream()
            .filter(found -> found.get("name").equals("storefront"))
            .findFirst()
            .orElseThrow();
    assertThat(service).containsEntry("namespace", "shop").containsEntry("type", "LoadBalancer");
    Map<String, Object> port = Shell.list(service.get("ports")).getFirst();
    assertThat(port)
        .containsEntry("name", "https")
        .containsEntry("nodePort", 30443)
        .containsEntry("loadBalancerIPs", List.of("203.0.113.10"))
        .containsEntry("externalTrafficPolicy", "Local")
        .containsEntry(
            "verdicts",
            Map.of("internal", "forward", "external", "drop", "shortCircuit", "forward"))
        .containsEntry(
            "uses", Map.of("internal", "cluster", "external", "local", "shortCircuit", "cluster"));
    assertThat(Shell.list(Shell.map(port.get("endpoints")).get("cluster")))
        .containsExactly(
            Map.of("address", "10.244.1.41", "port", 8443, "node", "worker-1"),
            Map.of("address", "10.244.3.41", "port", 8443, "node", "worker-3"));
    assertThat(Shell.list(Shell.map(port.get("endpoints")).get("local"))).isEmpty();
  }

  @Test
  void bothTreesAreTheSame() {
    Map<String, String> kinds =
        Map.of("services", "ServiceList", "endpoints", "EndpointList", "node", "Node");
    for (String listing : kinds.keySet()) {
      assertThat(Shell.shop("worker-1", "show", listing, "-o", "yaml").tree())
          .containsEntry("kind", kinds.get(listing));
      assertThat(Shell.shop("worker-1", "show", listing, "-o", "yaml").tree())
          .isEqualTo(Shell.shop("worker-1", "show", listing, "-o", "json").tree());
    }
  }

  @Test
  void endpointsAsATree() {
    Map<String, Object> tree = Shell.shop("worker-1", "show", "endpoints", "-o", "json").tree();

    assertThat(Shell.list(tree.get("endpoints")))
        .contains(
            Map.of(
                "service", "shop/cart",
                "servicePort", "grpc",
                "protocol", "TCP",
                "address", "10.244.3.21",
                "port", 9090,
                "node", "worker-3",
                "usedFor", List.of()));
  }

  @Test
  void narrowsToANamespace() {
    Result result = Shell.shop("worker-1", "show", "-n", "monitoring");
    assertThat(result.lines()).hasSize(2);

    Result missing = Shell.shop("worker-1", "show", "-n", "nowhere");
    assertThat(missing.status()).isEqualTo(1);
    assertThat(missing.err()).startsWith("portolan: no service in namespace 'nowhere' of file:");
  }

  @Test
  void theOnlyNodeNeedsNoName(@TempDir Path folder) throws IOException {
    Shell.write(folder, "node.yaml", NODE);
    Result result = Shell.over(folder, "show", "node");
    assertThat(result.status()).isZero();
    assertThat(result.lines()).contains("node                 only");
  }

  @Test
  void severalNodesNeedOne() {
    Result result = Shell.over(Shell.SHOP, "show");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .contains("several Nodes; choose one with --node: worker-1, worker-2, worker-3");
  }

  @Test
  void anUnknownNodeIsMissing() {
    Result result = Shell.shop("worker-9", "show");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .isEqualTo(
            "portolan: no Node 'worker-9' in file:"
                + Shell.SHOP
                + "; it has: worker-1, worker-2, worker-3 [PORT-103]\n");
  }

  @Test
  void aClusterWithoutNodesTakesAnyNameAndWarns(@TempDir Path folder) throws IOException {
    Shell.write(folder, "service.yaml", service("shop", "web", "10.96.0.5", "http", 80));

    Result named = Shell.over(folder, "show", "--node", "x");
    assertThat(named.status()).isZero();
    assertThat(named.err()).startsWith("warning: file:").contains("has no Node");
    assertThat(named.lines()).hasSize(2);

    Result unnamed = Shell.over(folder, "show");
    assertThat(unnamed.status()).isEqualTo(2);
    assertThat(unnamed.err()).contains("has no Node; specify one with --node");
  }

  @Test
  void warningsNameTheFileAndTheLineOnTheOtherStream(@TempDir Path folder) throws IOException {
    Shell.write(folder, "node.yaml", NODE);
    Shell.write(folder, "web.yaml", "\n" + service("shop", "web", "127.0.0.1", "http", 80));

    Result result = Shell.over(folder, "show");
    assertThat(result.status()).isZero();
    assertThat(result.err())
        .isEqualTo(
            "warning: "
                + folder.resolve("web.yaml")
                + ":2: Service shop/web: spec.clusterIPs[0]: 127.0.0.1 is not allowed for a"
                + " service; ignored\n");
  }

  @Test
  void badManifestsAreBadInput(@TempDir Path folder) throws IOException {
    Shell.write(folder, "bad.yaml", "kind: [");
    Result result = Shell.over(folder, "show", "--node", "x");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("portolan: ").contains("bad.yaml:1").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"services", "endpoints", "node"})
  void fitsTheTerminalAndIsNeverCutIntoAPipe(String listing, @TempDir Path folder)
      throws IOException {
    String longest = "a".repeat(63);
    StringBuilder text = new StringBuilder(NODE.replace("only", "n".repeat(253)));
    for (String[] address :
        new String[][] {
          {"IPv4", "10.96.255.254", "10.244.255.254"},
          {"IPv6", "fd00:1111:2222:3333:4444:5555:6666:7777", "fd00:1:2222:3333:4444:5555:6666:7"}
        }) {
      String name = longest.substring(4) + address[0].charAt(3) + "xy";
      text.append("---\n")
          .append(service(longest, name, address[1], "p".repeat(15), 65535))
          .append("  type: NodePort\n  externalTrafficPolicy: Local\n")
          .append("---\n")
          .append(
              """
              apiVersion: discovery.k8s.io/v1
              kind: EndpointSlice
              metadata:
                namespace: %s
                name: %s
                labels: {kubernetes.io/service-name: %s}
              addressType: %s
              ports: [{name: %s, port: 65535, protocol: SCTP}]
              endpoints: [{addresses: ["%s"], nodeName: %s}]
              """
                  .formatted(
                      longest,
                      name,
                      name,
                      address[0],
                      "p".repeat(15),
                      address[2],
                      "n".repeat(253)));
    }
    Shell.write(
        folder,
        "long.yaml",
        text.toString().replace("port: 65535}]", "port: 65535, nodePort: 65535}]"));

    for (int columns : new int[] {80, 132}) {
      Result result = Shell.onScreen(columns, "show", "--from", "file:" + folder, listing);

      assertThat(result.err()).isEmpty();
      assertThat(result.status()).isZero();
      assertThat(result.lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
    }
    assertThat(Shell.onScreen(80, "show", "--from", "file:" + folder, listing, "-o", "wide").out())
        .doesNotContain("…");
    assertThat(Shell.over(folder, "show", listing).out())
        .contains("n".repeat(listing.equals("services") ? 0 : 253))
        .doesNotContain("…");
  }

  @Test
  void writesNoColoursWhereNobodyLooks() {
    assertThat(Shell.shop("worker-2", "show").out()).doesNotContain("\u001b");
    assertThat(Shell.run("show", "--help").out()).doesNotContain("\u001b");
    assertThat(Shell.shop("worker-9", "show").err()).doesNotContain("\u001b");
  }

  private static String service(String namespace, String name, String ip, String port, int number) {
    return """
    apiVersion: v1
    kind: Service
    metadata: {namespace: %s, name: %s}
    spec:
      clusterIP: "%s"
      clusterIPs: ["%s"]
      ports: [{name: %s, protocol: SCTP, port: %d}]
    """
        .formatted(namespace, name, ip, ip, port, number);
  }

  private static String line(Result result, String start) {
    return result.lines().stream()
        .filter(line -> line.startsWith(start + " "))
        .findFirst()
        .orElseThrow();
  }
}
