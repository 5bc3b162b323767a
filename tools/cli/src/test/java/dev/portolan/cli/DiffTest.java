package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DiffTest {
  private static final String SHOP = "file:" + Shell.SHOP;
  private static final String CHANGE = Shell.EXAMPLES.resolve("change/admin.yaml").toString();

  @TempDir Path folder;

  @Test
  void equalStatesDoNotDiffer() {
    Result result = Shell.run("diff", SHOP, SHOP);
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.lines())
        .containsExactly("no difference: 9 services are the same on all 3 nodes");
  }

  @Test
  void aChangeThatIsNotAppliedIsShownWithItsCause() {
    Result result = Shell.run("diff", "--from", SHOP, "-f", CHANGE);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).isEmpty();
    assertThat(result.lines())
        .containsExactly(
            "shop/admin:http  10.96.20.5:80/TCP",
            "  because        Service shop/admin: spec.externalTrafficPolicy: Cluster → Local",
            "  setting        externalPool Cluster → Local on all 3 nodes",
            "                 externalMasquerade all → none on all 3 nodes",
            "                 shortCircuitMasquerade all → node on all 3 nodes",
            "  external       forward → drop, 1 → 0 endpoints, on worker-1 and worker-3",
            "                 - 10.244.2.14:8080 (worker-2)",
            "",
            "1 service differs on 3 of 3 nodes; 8 are the same");
  }

  @Test
  void theWorstComesFirst() throws IOException {
    edit("endpointslices.yaml", "addresses: [10.244.1.3]", "addresses: [10.244.1.4]");
    edit("services.yaml", "sessionAffinity: ClientIP", "sessionAffinity: None");
    edit(
        "endpointslices.yaml",
        "addresses: [10.244.2.14]\n    conditions: {ready: true",
        "addresses: [10.244.2.14]\n    conditions: {ready: false");
    Result result = Shell.run("diff", SHOP, "file:" + folder);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.lines().stream().filter(line -> line.matches("[a-z0-9].*")))
        .containsExactly(
            "shop/admin:http  10.96.20.5:80/TCP",
            "kube-system/kube-dns",
            "shop/cart:grpc  10.96.20.6:9090/TCP",
            "3 services differ on 3 of 3 nodes; 6 are the same");
    assertThat(result.out())
        .contains(
            "all traffic    forward → reject, 1 → 0 endpoints, on all 3 nodes",
            "cut            flows to 10.244.1.3:53 are ended at once",
            "setting        affinitySeconds 3600 → none on all 3 nodes");
    assertThat(result.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(Shell.run("diff", SHOP, "file:" + folder, "-o", "name").lines())
        .containsExactly("service/shop/admin", "service/kube-system/kube-dns", "service/shop/cart");
  }

  @Test
  void servicesAndNodesComeAndGo() throws IOException {
    edit("services.yaml", "name: admin}", "name: backoffice}");
    edit("nodes.yaml", "name: worker-3", "name: worker-4");
    Result result = Shell.run("diff", SHOP, "file:" + folder);
    assertThat(result.out())
        .contains(
            "shop/admin:http  10.96.20.5:80/TCP  (gone)",
            "shop/backoffice:http  10.96.20.5:80/TCP  (new)",
            "forward → none, 1 → 0 endpoints, on all 2 nodes",
            "- NodePort IPv4 :30080",
            "  new            worker-4",
            "  gone           worker-3")
        .endsWith("2 services differ on 2 of 2 nodes; 8 are the same\n");
  }

  @Test
  void aServiceThatIsNewHasNoEndpointsYet() throws IOException {
    Path file = folder.resolve("new.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Service
        metadata: {namespace: shop, name: search}
        spec: {clusterIP: 10.96.20.77, ports: [{name: http, port: 80}]}
        ---
        apiVersion: v1
        kind: Service
        metadata: {namespace: shop, name: later}
        spec: {ports: [{name: http, port: 80}]}
        """);
    Result result = Shell.run("diff", "--from", SHOP, "-f", file.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err())
        .contains(
            "Service shop/search is new and has no endpoints yet",
            "Service shop/later is new and has no clusterIP; the API server will allocate one")
        .doesNotContain("warning");
    assertThat(result.out()).contains("shop/search:http", "(new)", "none → reject on all 3 nodes");
  }

  @Test
  void twoNodesAreCompared() {
    Result result = diff("--node worker-1 --node worker-3");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out())
        .startsWith("monitoring/agent:otlp")
        .contains("internal       forward → drop, 1 → 0 endpoints\n", "zone zone-a → zone-b")
        .doesNotContain("cut ")
        .endsWith("3 services differ; 6 are the same\n");
    assertThat(diff("--node worker-1 --node worker-1").status()).isZero();
  }

  @Test
  void oneNodeIsEnough() {
    Result result = diff("--node worker-2 -f " + CHANGE);
    assertThat(result.out())
        .contains("  setting        externalPool Cluster → Local\n")
        .doesNotContain("drop")
        .endsWith("1 service differs; 8 are the same\n");
  }

  @Test
  void twoConfigurationsAreCompared() {
    String configs = Shell.EXAMPLES.resolve("kube-proxy").toString();
    Result result =
        diff("--config %s/config.yaml --config %s/ipvs.yaml".formatted(configs, configs));
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out())
        .contains("nodePortAddresses", "masqueradeAll true → false on all 3 nodes")
        .endsWith("no service differs; 9 are the same\n");
  }

  @Test
  void rulesDifferAsDiffPrintsIt() {
    Result result = diff("--node worker-1 --rules -f " + CHANGE);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out())
        .startsWith(
            "--- file:../../examples/shop worker-1 nftables\n+++ file:../../examples/shop with ")
        .contains(
            "\n@@ -",
            "\n+\t\telements = { tcp . 30080 comment \"shop/admin:http\" : drop }\n",
            "\n-\tchain tcp-nodeport-external-pick-4 {\n");
    // Blocks that are only printed elsewhere are no difference.
    assertThat(result.out()).doesNotContain("set affinity-3600s");
    assertThat(diff("--node worker-1 --rules -f " + CHANGE + " --backend iptables").out())
        .contains("+++ ", " iptables\n", "KUBE-");
    assertThat(diff("--node worker-1 --rules --backend nftables --backend iptables").status())
        .isEqualTo(1);
    Result same = diff("--node worker-1 --rules --backend nftables --backend nftables");
    assertThat(same.status()).isZero();
    assertThat(same.out()).isEmpty();
  }

  @Test
  void programsGetATree() {
    Result result = diff("-o json -f " + CHANGE);
    assertThat(result.status()).isEqualTo(1);
    Map<String, Object> tree = result.tree();
    assertThat(tree)
        .containsEntry("kind", "DecisionDiff")
        .containsEntry("differs", true)
        .containsEntry("nodes", 3)
        .containsEntry("servicesSame", 8);
    Map<String, Object> service = Shell.list(tree.get("services")).getFirst();
    assertThat(service).containsEntry("name", "admin").containsEntry("effect", "breaks");
    assertThat(Shell.list(service.get("causes")).getFirst())
        .containsEntry("field", "spec.externalTrafficPolicy")
        .containsEntry("after", "Local");
    Map<String, Object> port = Shell.list(service.get("ports")).getFirst();
    Map<String, Object> traffic = Shell.list(port.get("traffic")).getFirst();
    assertThat(traffic).containsEntry("traffic", "external");
    Map<String, Object> verdict = Shell.list(traffic.get("verdicts")).getFirst();
    assertThat(verdict)
        .containsEntry("before", "forward")
        .containsEntry("after", "drop")
        .containsEntry("endpointsAfter", List.of(0, 0));
    assertThat(Shell.map(verdict.get("nodes")))
        .containsEntry("count", 2)
        .containsEntry("names", List.of("worker-1", "worker-3"));
    assertThat(diff("-o jsonpath={.services[*].name} -f " + CHANGE).out()).isEqualTo("admin");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          --from S | only one state is named; name two sources, or one with --from and what differs
          S | 'file:../../examples/shop' is compared with nothing; name two sources
          `` | nothing to compare; name two sources
          S S --from S | --from: two sources are named already; remove it
          S S -f x.yaml | -f: needs one state
          ../../examples/shop S | '../../examples/shop' has no kind of source; did you mean file:../../examples/shop?
          nope:x S | unknown source 'nope'; write file:PATH
          S file:nowhere | nowhere:
          --from S -f nowhere.yaml | nowhere.yaml:
          S S --node worker-9 | --node: neither state has a Node 'worker-9'; did you mean worker-1 or
          S S --backend iptables | --backend: decisions are the same for all backends; add --rules
          S S --rules --node worker-1 --backend pf | --backend: 'pf' is not allowed; write nftables,
          S S --rules | --rules: rules are those of one node; choose it with --node: worker-1, worker-2
          S S --rules --node worker-1 -o json | -o json: --rules prints text; remove one of them
          S S -o wide | -o: 'wide' is not allowed; write text, name, yaml, json or jsonpath=…
          --from S --config a --config b --config c | --config: two can be compared, not 3
          """)
  void mistakesAreSaid(String words, String sentence) {
    Result result =
        Shell.run(
            Stream.concat(
                    Stream.of("diff"),
                    Stream.of(words.split(" "))
                        .filter(word -> !word.isEmpty())
                        .map(word -> word.equals("S") ? SHOP : word))
                .toArray(String[]::new));
    assertThat(result.status()).as(result.err()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("portolan: " + sentence);
  }

  @Test
  void statesWithoutACommonNodeAreComparedAllTheSame() throws IOException {
    Files.copy(Shell.SHOP.resolve("services.yaml"), folder.resolve("services.yaml"));
    Result result = Shell.run("diff", SHOP, "file:" + folder);
    assertThat(result.err()).contains("the two states have no Node in common");
    assertThat(result.out()).contains("shop/web", "forward → reject");
  }

  private static Result diff(String words) {
    return Shell.over(Shell.SHOP, "diff", words.split(" "));
  }

  /** Copies the example once, and changes a file of it. */
  private void edit(String file, String before, String after) throws IOException {
    try (Stream<Path> files = Files.list(Shell.SHOP)) {
      for (Path one : files.toList()) {
        Path copy = folder.resolve(one.getFileName());
        if (!Files.exists(copy)) {
          Files.copy(one, copy);
        }
      }
    }
    Path changed = folder.resolve(file);
    String text = Files.readString(changed);
    assertThat(text).contains(before);
    Files.writeString(changed, text.replace(before, after));
  }
}
