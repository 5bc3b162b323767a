package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ExplainTest {
  private static final String CART = "cart-6b9c4-8hjlw";

  @Test
  void saysWhatHappensThenWhyThenWhoIsLeftOut() {
    Result result = Shell.shop("worker-1", "explain", "10.96.20.10:80");

    assertThat(result.status()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.lines())
        .startsWith(
            "10.96.20.10:80/TCP  from a pod of this node  →  forward",
            "  on node worker-1, mode nftables",
            "",
            "  50 %  10.244.1.51:8080  worker-1  Pod shop/web-66b8d-c4nvq  ready",
            "  50 %  10.244.2.51:8080  worker-2  Pod shop/web-66b8d-h8sjd  ready",
            "  not masqueraded",
            "",
            "why",
            "  1. 10.96.20.10:80/TCP is the cluster IP of shop/web:http")
        .containsSequence("left out", "  10.244.3.51:8080  not ready");
    assertThat(result.out()).contains("services.yaml:105").contains("spec.internalTrafficPolicy");
  }

  @ParameterizedTest
  @CsvSource({
    "worker-1, shop/catalog:http, pod, 0, forward",
    "worker-1, shop/catalog:80, node, 0, forward",
    "worker-1, catalog.shop.svc:80, pod, 0, forward",
    "worker-1, http://catalog.shop.svc.cluster.local/path?x=1, pod, 0, forward",
    "worker-1, https://catalog.shop.svc, pod, 1, none",
    "worker-1, 10.96.0.10:53/udp, pod, 0, forward",
    "worker-1, 30080, external, 0, forward",
    "worker-1, 192.168.10.11:30080, external, 0, forward",
    "worker-1, 203.0.113.10:443, 198.51.100.7, 0, forward",
    "worker-1, 203.0.113.10:443, external, 1, drop",
    "worker-2, 203.0.113.10:443, 198.51.100.7, 1, drop",
    "worker-3, monitoring/agent, pod, 1, drop",
    "worker-1, shop/payments, pod, 1, reject",
    "worker-1, 10.96.0.10:54, pod, 1, reject",
    "worker-1, 10.96.99.99:80, pod, 1, drop",
    "worker-1, 8.8.8.8:53, pod, 1, none",
    "worker-1, 192.168.10.12:30080, external, 1, none",
    "worker-1, shop/nothing, pod, 1, none",
    "worker-1, shop/web:nothing, pod, 1, none",
  })
  void endsWithZeroOnlyIfForwarded(
      String node, String target, String client, int status, String verdict) {
    Result text = Shell.shop(node, "explain", target, "--client", client);
    assertThat(text.status()).isEqualTo(status);
    assertThat(text.lines().getFirst()).endsWith("→  " + verdict);

    Result json = Shell.shop(node, "explain", target, "--client", client, "-o", "json");
    assertThat(json.status()).isEqualTo(status);
    Map<String, Object> tree = json.tree();
    assertThat(tree)
        .containsEntry("kind", "Explanation")
        .containsEntry("apiVersion", "portolan.dev/v1")
        .containsEntry("proxyMode", "nftables")
        .containsEntry("verdict", verdict);
    Map<String, Object> answer = answer(tree);
    assertThat(answer).containsEntry("verdict", verdict).containsEntry("node", node);
    assertThat(Shell.list(answer.get("endpoints")).isEmpty()).isEqualTo(status != 0);
    assertThat(Shell.list(answer.get("steps"))).isNotEmpty();
    assertThat(answer.get("masquerade")).isInstanceOf(Boolean.class);
    assertThat(json.out()).doesNotContain("null");
  }

  /** The only answer. */
  private static Map<String, Object> answer(Map<String, Object> tree) {
    List<Map<String, Object>> answers = Shell.list(tree.get("answers"));
    assertThat(answers).hasSize(1);
    return answers.getFirst();
  }

  @Test
  void sharesAddUpToOne() {
    Map<String, Object> tree =
        answer(Shell.shop("worker-1", "explain", "10.96.20.10:80", "-o", "json").tree());

    assertThat(Shell.list(tree.get("endpoints")))
        .extracting(endpoint -> endpoint.get("address"), endpoint -> endpoint.get("share"))
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("10.244.1.51", 0.5),
            org.assertj.core.groups.Tuple.tuple("10.244.2.51", 0.5));
    assertThat(Shell.list(tree.get("leftOut")).getFirst())
        .containsEntry("address", "10.244.3.51")
        .containsEntry("port", 8080)
        .containsEntry("reason", "not ready")
        .containsEntry("object", "EndpointSlice shop/web-h7v5p")
        .containsEntry("field", "endpoints[2].conditions.ready");
    assertThat(Shell.list(tree.get("steps")).getFirst())
        .containsEntry("object", "Service shop/web")
        .containsEntry("place", Shell.SHOP + "/services.yaml:105");
    assertThat(tree)
        .containsEntry("service", "shop/web:http")
        .containsEntry("address", "10.96.20.10")
        .containsEntry("port", 80)
        .containsEntry("protocol", "TCP")
        .containsEntry("addressKind", "ClusterIP")
        .containsEntry("from", "pod");
  }

  @Test
  void allFamiliesPortsAndAddressesAreAnswered() {
    Result text = Shell.shop("worker-1", "explain", "kube-system/kube-dns");
    assertThat(text.status()).isZero();
    assertThat(text.lines())
        .startsWith(
            "kube-system/kube-dns on node worker-1, mode nftables",
            "",
            "  ADDRESS              KIND       FROM  VERDICT  ENDPOINTS",
            "  10.96.0.10:53/UDP    ClusterIP  pod   forward  2 of 2",
            "  10.96.0.10:53/TCP    ClusterIP  pod   forward  2 of 2",
            "  10.96.0.10:9153/TCP  ClusterIP  pod   forward  2 of 2",
            "",
            "10.96.0.10:53/UDP  from a pod of this node  →  forward",
            "10.96.0.10:53/TCP  from a pod of this node  →  forward",
            "");
    assertThat(text.lines().stream().filter("why"::equals))
        .as("equal walks are printed once")
        .hasSize(2);

    Map<String, Object> tree =
        Shell.shop("worker-1", "explain", "kube-system/kube-dns", "-o", "yaml").tree();
    assertThat(Shell.list(tree.get("answers")))
        .extracting(answer -> answer.get("service"))
        .isEqualTo(
            List.of(
                "kube-system/kube-dns:dns",
                "kube-system/kube-dns:dns-tcp",
                "kube-system/kube-dns:metrics"));

    assertThat(summary(Shell.shop("worker-1", "explain", "shop/web")))
        .containsExactly(
            "10.96.20.10:80/TCP ClusterIP pod forward 2 of 3",
            "[fd00:10:96::a]:80/TCP ClusterIP pod forward 2 of 3");
    assertThat(summary(Shell.shop("worker-1", "explain", "shop/web", "--client=10.244.1.7")))
        .as("an address narrows to its family")
        .isEmpty();
    assertThat(summary(Shell.shop("worker-2", "explain", "shop/storefront")))
        .containsExactly(
            "10.96.20.9:443/TCP ClusterIP pod forward 2 of 2",
            "203.0.113.10:443/TCP LoadBalancerIP 198.51.100.0/24 drop 0 of 2",
            "192.168.10.12:30443/TCP NodePort external drop 0 of 2");
  }

  /** The rows of the summary, with single spaces. */
  private static List<String> summary(Result result) {
    return result.lines().stream()
        .dropWhile(line -> !line.startsWith("  ADDRESS") && !line.startsWith("  NODE "))
        .skip(1)
        .takeWhile(line -> !line.isEmpty())
        .map(line -> line.strip().replaceAll(" +", " "))
        .toList();
  }

  @Test
  void theWorstAnswerIsTheStatus(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("m.yaml"),
        """
        apiVersion: v1
        kind: Node
        metadata: {name: n1}
        spec: {podCIDRs: [10.244.1.0/24]}
        status: {addresses: [{type: InternalIP, address: 192.168.1.1}]}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: dual}
        spec:
          clusterIPs: [10.96.0.21, "fd00::21"]
          ports: [{port: 80, nodePort: 30080}]
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: dual-1, labels: {kubernetes.io/service-name: dual}}
        addressType: IPv4
        ports: [{port: 8080}]
        endpoints: [{addresses: [10.244.1.5], nodeName: n1}]
        """);
    Result result = Shell.over(folder, "explain", "dual");
    assertThat(result.status()).isEqualTo(1);
    assertThat(summary(result))
        .containsExactly(
            "10.96.0.21:80/TCP ClusterIP pod forward 1 of 1",
            "192.168.1.1:30080/TCP NodePort external forward 1 of 1",
            "[fd00::21]:80/TCP ClusterIP pod reject 0 of 0");
    assertThat(result.out()).contains("the service has no IPv6 endpoints: rejected");
    assertThat(Shell.over(folder, "explain", "dual", "--client=10.244.1.9").status()).isZero();
  }

  @Test
  void manyEndpointsAreCounted(@TempDir Path folder) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            apiVersion: v1
            kind: Service
            metadata: {name: large}
            spec: {clusterIP: 10.96.0.21, ports: [{port: 80}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: large-1, labels: {kubernetes.io/service-name: large}}
            addressType: IPv4
            ports: [{port: 8080}]
            endpoints:
            """);
    for (int i = 1; i <= 200; i++) {
      text.append("- {addresses: [10.1.0.").append(i).append("], conditions: {ready: ");
      text.append(i <= 60).append("}}\n");
    }
    Files.writeString(folder.resolve("m.yaml"), text);
    Result result = Shell.over(folder, "explain", "--node=n1", "large");
    assertThat(result.lines())
        .contains("  and 10 more; -o json has all of them")
        .contains("  and 90 more; -o json has all of them");
    assertThat(
            Shell.list(
                answer(Shell.over(folder, "explain", "--node=n1", "large", "-o", "json").tree())
                    .get("leftOut")))
        .hasSize(140);
  }

  @Test
  void aSocketThatIsConnectedToAnEndpointIsNotMasqueraded() {
    for (String mode : List.of("nftables", "ebpf")) {
      String said =
          Shell.shop(
                  "worker-1",
                  "explain",
                  "30080",
                  "--proxy-mode=" + mode,
                  "--cluster-cidr=10.244.0.0/16",
                  "--client=10.244.1.9")
              .out();
      boolean connected = mode.equals("ebpf");
      assertThat(said.contains("connects the client's socket")).isEqualTo(connected);
      assertThat(said.contains("masqueraded:")).isEqualTo(!connected);
    }
  }

  @Test
  void aModeHasRulesOfItsOwn() {
    for (String mode : List.of("nftables", "ebpf", "iptables", "ipvs")) {
      boolean iptables = mode.equals("iptables");
      boolean ipvs = mode.equals("ipvs");
      String[] asked = {"--proxy-mode", mode};
      Result unknownPort = explain(asked, "10.96.0.10:54");
      assertThat(unknownPort.lines().getFirst()).endsWith(iptables ? "none" : "reject");
      assertThat(unknownPort.lines().get(1)).isEqualTo("  on node worker-1, mode " + mode);
      assertThat(explain(asked, "10.96.99.99:80").lines().getFirst())
          .endsWith(iptables || ipvs ? "none" : "drop");
      assertThat(explain(asked, "127.0.0.1:30080").lines().getFirst())
          .isEqualTo(
              "127.0.0.1:30080/TCP  from the node itself  →  " + (iptables ? "forward" : "none"));
      assertThat(summary(explain(asked, "30080")))
          .isEqualTo(
              iptables
                  ? List.of(
                      "192.168.10.11:30080/TCP NodePort external forward 1 of 1",
                      "127.0.0.1:30080/TCP NodePort node forward 1 of 1")
                  : List.of());
    }
    assertThat(Shell.shop("worker-1", "explain", "30080", "--proxy-mode=xdp").status())
        .isEqualTo(2);
  }

  @Test
  void anAddressHasOneListOfEndpointsInModeIpvs() {
    String[] ipvs = {"--proxy-mode=ipvs"};
    String balancer = "203.0.113.10:443";
    Result fallsBack = Shell.shop("worker-2", "explain", ipvs[0], balancer);
    assertThat(fallsBack.lines())
        .contains(
            "  50 %  10.244.1.41:8443  worker-1  Pod shop/storefront-79d5f-6wzkt  ready",
            "  50 %  10.244.3.41:8443  worker-3  Pod shop/storefront-79d5f-pl8xs  ready",
            "  not masqueraded");
    assertThat(fallsBack.out().replaceAll("\\s+", " "))
        .contains("no endpoint is serving on node worker-2, and the mode ipvs then uses those of")
        .contains("bypasses this one, and a client outside the cluster drops it");
    assertThat(Shell.shop("worker-2", "explain", "--proxy-mode=nftables", balancer).lines())
        .first(InstanceOfAssertFactories.STRING)
        .endsWith("drop");
    Result itself = Shell.shop("worker-1", "explain", ipvs[0], balancer, "--client=node");
    assertThat(itself.lines())
        .contains("  100 %  10.244.1.41:8443  worker-1  Pod shop/storefront-79d5f-6wzkt  ready");
    assertThat(itself.out().replaceAll("\\s+", " "))
        .contains("in mode ipvs that holds for pods and the node itself too");
    assertThat(explain(ipvs, "203.0.113.10:444").out().replaceAll("\\s+", " "))
        .contains("→ reject")
        .contains("203.0.113.10 is an address of shop/storefront on the device of mode ipvs");
  }

  private static Result explain(String[] options, String target) {
    List<String> words = new ArrayList<>(List.of(options));
    words.add(target);
    return Shell.shop("worker-1", "explain", words.toArray(String[]::new));
  }

  @Test
  void theModeOfTheConfigurationIsTheDefault(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("config.yaml");
    Files.writeString(
        file,
        """
        apiVersion: kubeproxy.config.k8s.io/v1alpha1
        kind: KubeProxyConfiguration
        mode: iptables
        """);
    String config = "--config=" + file;
    assertThat(Shell.shop("worker-1", "explain", config, "127.0.0.1:30080").status()).isZero();
    assertThat(
            Shell.shop("worker-1", "explain", config, "--proxy-mode=nftables", "127.0.0.1:30080")
                .out()
                .replaceAll("\\s+", " "))
        .contains("the rules of mode nftables do not serve nodePorts on loopback addresses");
    Files.writeString(file, "iptables: {localhostNodePorts: false}\n", StandardOpenOption.APPEND);
    assertThat(Shell.shop("worker-1", "explain", config, "127.0.0.1:30080").status()).isEqualTo(1);
  }

  @Test
  void theDaemonItselfAnswersOnLocalhostWithTheGate(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("config.yaml");
    String text =
        """
        apiVersion: kubeproxy.config.k8s.io/v1alpha1
        kind: KubeProxyConfiguration
        mode: nftables
        clusterCIDR: 10.244.0.0/16
        nodePortAddresses: [%s, 192.168.10.0/24]
        featureGates: {KubeProxyNFTablesLocalhostNodePorts: true}
        """;
    Files.writeString(file, text.formatted("127.0.0.0/8"));
    String[] config = {"--config=" + file};
    Result served = explain(config, "127.0.0.1:30080");
    assertThat(served.status()).isZero();
    assertThat(served.out().replaceAll("\\s+", " "))
        .contains("the daemon itself listens there, and passes bytes on to an endpoint");
    assertThat(explain(config, "30080").out().replaceAll(" +", " "))
        .contains("127.0.0.1:30080/TCP NodePort node forward 1 of 1");
    assertThat(explain(config, "127.0.0.2:30080").out()).contains("→  none");

    Result local = Shell.shop("worker-2", "explain", config[0], "127.0.0.1:30443");
    assertThat(local.out()).contains("→  reject");
    assertThat(local.out().replaceAll("\\s+", " "))
        .contains("it takes only endpoints on this node", "so it does not listen: refused");

    Files.writeString(file, text.formatted("10.0.0.0/8"));
    Result rejected = explain(config, "127.0.0.1:30080");
    assertThat(rejected.out()).contains("→  reject");
    assertThat(rejected.out().replaceAll("\\s+", " "))
        .contains("(--nodeport-addresses names none), and the rules reject it there");
  }

  @Test
  void rulesOfIptablesServeNodePortsOnAllAddresses() {
    assertThat(Shell.shop("worker-1", "render", "--backend=iptables", "--family=ipv4").out())
        .contains("--dst-type LOCAL -j KUBE-NODEPORTS")
        .doesNotContain("-d 192.168.10.11/32");
    assertThat(
            Shell.shop(
                    "worker-1",
                    "render",
                    "--backend=iptables",
                    "--family=ipv4",
                    "--nodeport-addresses=primary")
                .out())
        .contains("-d 192.168.10.11/32");
  }

  @Test
  void aPodIsAClientByName() {
    Result result =
        Shell.run(
            "explain", "--from=file:" + Shell.SHOP, "shop/cart", "-n", "shop", "--from-pod", CART);
    assertThat(result.status()).isZero();
    assertThat(result.lines().getFirst())
        .isEqualTo("10.96.20.6:9090/TCP  from pod shop/" + CART + "  →  forward");
    assertThat(result.lines().get(1)).isEqualTo("  on node worker-1, mode nftables");
    assertThat(result.out()).contains("ready, masqueraded", "masqueraded only where noted");

    assertThat(Shell.shop("worker-2", "explain", "shop/cart", "--from-pod=shop/" + CART).err())
        .contains("runs on node worker-1, not on worker-2; ask about that node (--node worker-1)");
    Result unknown = Shell.shop("worker-1", "explain", "shop/cart", "--from-pod", "shop/nobody");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("no EndpointSlice refers to a pod shop/nobody, so its address is not known");
  }

  @Test
  void allNodesAreAskedAtOnce() {
    Result result =
        Shell.run(
            "explain",
            "--from=file:" + Shell.SHOP,
            "--all-nodes",
            "agent:otlp",
            "-n",
            "monitoring");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.lines().getFirst()).isEqualTo("monitoring/agent:otlp, mode nftables");
    assertThat(summary(result))
        .containsExactly(
            "worker-1 10.96.3.17:4317/TCP pod forward 1 of 2",
            "worker-2 10.96.3.17:4317/TCP pod forward 1 of 2",
            "worker-3 10.96.3.17:4317/TCP pod drop 0 of 2");
    assertThat(Shell.shop("worker-1", "explain", "--all-nodes", "shop/web").err())
        .contains("--all-nodes and --node are mutually exclusive");
  }

  @Test
  void addressesThatAreNotServedHereAreExplained() {
    assertThat(
            Shell.shop("worker-1", "explain", "192.168.10.12:30080").out().replaceAll("\\s+", " "))
        .contains(
            "192.168.10.12 is an address of node worker-2, and 30080 is the nodePort of"
                + " shop/admin:http there",
            "(--node worker-2)");
    assertThat(Shell.shop("worker-1", "explain", "32100").out().replaceAll("\\s+", " "))
        .contains(
            "32100 is the health-check nodePort of shop/storefront: the proxy itself answers load"
                + " balancers there, now with HTTP 200 (1 ready endpoint on this node)");
    assertThat(Shell.shop("worker-1", "explain", "8.8.8.8:53").lines().getFirst())
        .isEqualTo("8.8.8.8:53/TCP  from an external client  →  none");
    assertThat(Shell.shop("worker-1", "explain", "shop/web:81").out())
        .contains("it has http 80/TCP\n");
  }

  @Test
  void sourcesAreCitedRightly() {
    String ranges =
        Shell.shop("worker-1", "explain", "203.0.113.10:443").out().replaceAll("\\s+", " ");
    assertThat(ranges)
        .contains("from an external client in 198.51.100.0/24 → forward")
        .contains("is within the allowed sources 198.51.100.0/24, 192.168.10.0/24 Service");
    String cidr =
        Shell.shop("worker-1", "explain", "10.96.20.10:80", "--cluster-cidr=10.244.0.0/16").out();
    assertThat(cidr).contains("source 10.244.0.0/16").contains("(--cluster-cidr)");
    assertThat(cidr).doesNotContain("spec.podCIDRs");
  }

  @Test
  void aPodThatReachesItselfIsMasqueradedThere() {
    Result text = Shell.shop("worker-1", "explain", "shop/cart", "--client", "10.244.1.21");
    assertThat(text.out()).contains("ready, masqueraded", "masqueraded only where noted");

    Map<String, Object> tree =
        answer(
            Shell.shop("worker-1", "explain", "shop/cart", "--client", "10.244.1.21", "-o", "json")
                .tree());
    assertThat(tree).containsEntry("masquerade", false);
    assertThat(Shell.list(tree.get("endpoints")))
        .extracting(endpoint -> endpoint.get("masquerade"))
        .isEqualTo(List.of(true, false));
  }

  @Test
  void theOptionsOfKubeProxyShapeTheAnswer() {
    Result plain = Shell.shop("worker-1", "explain", "shop/web");
    assertThat(plain.out()).contains("not masqueraded");

    Result masquerading = Shell.shop("worker-1", "explain", "--masquerade-all", "shop/web");
    assertThat(masquerading.out()).contains("\n  masqueraded\n");

    Result otherPod = Shell.shop("worker-1", "explain", "shop/web", "--client", "10.244.2.7");
    assertThat(otherPod.out()).contains("\n  masqueraded\n");

    Result wholeCluster =
        Shell.shop(
            "worker-1",
            "explain",
            "shop/web",
            "--client=10.244.2.7",
            "--cluster-cidr=10.244.0.0/16,fd00:10:244::/48");
    assertThat(wholeCluster.out()).contains("  not masqueraded");

    Result elsewhere =
        Shell.shop(
            "worker-1", "explain", "192.168.10.11:30080", "--nodeport-addresses", "10.0.0.0/8");
    assertThat(elsewhere.status()).isEqualTo(1);
    assertThat(elsewhere.out()).contains("--nodeport-addresses");
  }

  @Test
  void staysWithinEightyColumns() {
    for (String target : List.of("shop/web", "shop/cart", "203.0.113.10:443", "10.96.99.99:80")) {
      assertThat(Shell.shop("worker-1", "explain", target).lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b/c",
        "shop/web:",
        "1.2.3.4:99999",
        ":0",
        "no_such",
        "30080/quic",
        "shop/web:80/quic",
        "ftp://10.96.0.10",
        "http://"
      })
  void aTargetThatMakesNoSenseIsAMistake(String target) {
    Result result = Shell.shop("worker-1", "explain", target);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("portolan: '" + target + "'");
  }

  @Test
  void aClientThatCannotBeIsAMistake() {
    Result nobody = Shell.shop("worker-1", "explain", "shop/web", "--client", "me");
    assertThat(nobody.status()).isEqualTo(2);
    assertThat(nobody.err())
        .startsWith(
            "portolan: --client: 'me' is not a valid client; write pod, pod/NAMESPACE/NAME, node,"
                + " external or an IP address");

    Result clash = Shell.shop("worker-1", "explain", "10.96.0.10:53", "--client", "fd00::1");
    assertThat(clash.status()).isEqualTo(2);
    assertThat(clash.err()).contains("they must be of the same family");
  }
}
