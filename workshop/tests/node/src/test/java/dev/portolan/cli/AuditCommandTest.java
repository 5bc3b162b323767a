package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.client.Connection;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.sessions.Background;
import dev.portolan.sessions.ServedShop;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other programs do to the rules, and what daemons report; the rest are sessions. */
@NeedsKernel(tools = {"ip", "nft", "iptables-nft-restore", "iptables-legacy-restore"})
class AuditCommandTest {
  private static final String WEB = "{ 10.96.20.10 . tcp . 80 }";

  private static final String CONTESTED =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: worker-1}
      spec: {podCIDRs: [10.244.1.0/24]}
      status: {addresses: [{type: InternalIP, address: 192.168.10.11}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: one, namespace: shop, creationTimestamp: "%sT00:00:00Z"}
      spec: {clusterIP: 10.96.20.1, externalIPs: [203.0.113.60], ports: [{name: http, port: 80}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: two, namespace: shop, creationTimestamp: "%sT00:00:00Z"}
      spec: {clusterIP: 10.96.20.2, externalIPs: [203.0.113.60], ports: [{name: http, port: 80}]}
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: one-1, namespace: shop, labels: {kubernetes.io/service-name: one}}
      addressType: IPv4
      ports: [{name: http, port: 8080}]
      endpoints: [{addresses: [10.244.1.21], nodeName: worker-1}]
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: two-1, namespace: shop, labels: {kubernetes.io/service-name: two}}
      addressType: IPv4
      ports: [{name: http, port: 8080}]
      endpoints: [{addresses: [10.244.1.22], nodeName: worker-1}]
      """;

  @TempDir private Path folder;
  private PrivateNamespace namespace;

  @BeforeEach
  void build() throws Exception {
    namespace = new PrivateNamespace();
    namespace.run("ip", "link", "set", "lo", "up");
    namespace.run("ip", "link", "add", "eth0", "type", "veth", "peer", "name", "eth1");
    namespace.run("ip", "link", "set", "eth0", "up");
    namespace.run("ip", "link", "set", "eth1", "up");
    namespace.run("ip", "address", "add", "192.168.10.11/24", "dev", "eth0");
    namespace.run("ip", "address", "add", "fd00:192:168:10::11/64", "dev", "eth0", "nodad");
  }

  @AfterEach
  void tearDown() throws Exception {
    namespace.delete();
  }

  private Result audit(String... more) {
    List<String> words = new ArrayList<>(List.of("audit", "--netns", namespace.name()));
    words.addAll(List.of("--from", "file:" + Shell.SHOP, "--node", "worker-1"));
    words.addAll(List.of(more));
    return Shell.run(words.toArray(String[]::new));
  }

  private void program(String... more) {
    List<String> words =
        new ArrayList<>(List.of("--netns", namespace.name(), "--once", "--node", "worker-1"));
    words.addAll(List.of(more));
    assertThat(Shell.over(Shell.SHOP, "run", words.toArray(String[]::new)).status()).isZero();
  }

  @Test
  void chainsOfIptablesAreAuditedWithoutAWordAboutTheMode() {
    program("--backend", "iptables");
    Result result = audit();
    assertThat(result.out()).contains("iptables-", ", chains of Portolan");
    assertThat(result.out()).endsWith(", 0 differences\n");
    assertThat(result.status()).isZero();
  }

  @Test
  void rulesThatNftLoadedAreOurs() throws Exception {
    Path rules = folder.resolve("rules.nft");
    Result rendered = Shell.over(Shell.SHOP, "render", "--node", "worker-1");
    Files.writeString(rules, rendered.out());
    namespace.run("nft", "-f", rules.toString());
    Result result = audit();
    assertThat(result.out()).endsWith(", 0 differences\n");
    assertThat(result.status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nft", "legacy"})
  void rulesThatIptablesRestoredAreOurs(String kind) throws Exception {
    for (String family : List.of("ipv4", "ipv6")) {
      Path rules = folder.resolve(family);
      Result rendered =
          Shell.over(
              Shell.SHOP,
              "render",
              "--node",
              "worker-1",
              "--backend",
              "iptables",
              "--family",
              family);
      Files.writeString(rules, rendered.out());
      String program = (family.equals("ipv4") ? "iptables-" : "ip6tables-") + kind + "-restore";
      namespace.run(program, rules.toString());
    }
    Result result = audit();
    assertThat(result.out()).contains("iptables-" + kind).endsWith(", 0 differences\n");
    assertThat(result.status()).isZero();
  }

  @Test
  void nodePortsOnAddressesThatTheHostLacksAreNotMissed() throws Exception {
    namespace.run("ip", "address", "delete", "fd00:192:168:10::11/64", "dev", "eth0");
    program("--backend", "iptables");
    Result one = audit();
    assertThat(one.out().replaceAll("\\s+", " "))
        .contains(", 0 differences", "No nodePorts were compared on fd00:192:168:10::11: ");
    assertThat(one.status()).isZero();
    assertThat(audit("-o", "json").tree())
        .containsEntry("notOnHost", List.of("fd00:192:168:10::11"));

    namespace.run("ip", "address", "delete", "192.168.10.11/24", "dev", "eth0");
    Result all = audit();
    assertThat(all.out().replaceAll("\\s+", " "))
        .contains(", 0 differences", "is it the node that is meant?");
    assertThat(all.status()).isZero();
  }

  @Test
  void ofObjectsThatContradictEachOtherAKubeProxyMayTakeEither() throws Exception {
    String now = CONTESTED.formatted("2025-01-01", "2026-01-01");
    String otherwise = CONTESTED.formatted("2026-01-01", "2025-01-01");
    Path rules = folder.resolve("rules");
    Result rendered =
        Shell.over(manifests(otherwise), "render", "--backend", "iptables", "--family", "ipv4");
    Files.writeString(rules, rendered.out().replace("rules of Portolan", "rules"));
    namespace.run("iptables-nft-restore", rules.toString());

    Result result = Shell.over(manifests(now), "audit", "--netns", namespace.name());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out().replaceAll("\\s+", " "))
        .contains("203.0.113.60:80/TCP", "takes one of two by chance", "P0201")
        .doesNotContain("restart it on this node");
  }

  private Path manifests(String text) throws IOException {
    return Files.writeString(folder.resolve("cluster.yaml"), text);
  }

  @Test
  void whatAnotherProgramTookAwayIsListedWithItsService() throws Exception {
    program();
    namespace.nft("delete", "element", "ip", "portolan", "service-ips", WEB);
    Result result = audit();
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out())
        .contains(
            "different  shop/web:http 10.96.20.10:80/TCP: the kernel rejects it, and should send it"
                + " to ",
            "missing    element ip portolan service-ips { 10.96.20.10 . tcp . 80 ",
            "objects = decision != kernel: 9 services, ",
            "2 differences (1 missing, 1 different)",
            "Portolan's daemon repairs its rules within minutes");

    Map<String, Object> tree = audit("-o", "json").tree();
    assertThat(tree)
        .containsEntry("kind", "AuditDifferenceList")
        .containsEntry("node", "worker-1")
        .containsEntry("mode", "nftables")
        .containsEntry("writtenBy", "portolan")
        .containsEntry("services", 9)
        .containsEntry("comparedRules", true);
    assertThat(Shell.list(tree.get("differences")))
        .anySatisfy(one ->
            assertThat(one)
                .containsEntry("kind", "different")
                .containsEntry("basis", "packets")
                .containsEntry("service", "shop/web:http")
                .containsEntry("place", "10.96.20.10:80/TCP"));
  }

  @Test
  void eightyColumnsAreEnough() throws Exception {
    program();
    namespace.nft("delete", "element", "ip", "portolan", "service-ips", WEB);
    Result result =
        Shell.onScreen(
            80,
            "audit",
            "--netns",
            namespace.name(),
            "--from",
            "file:" + Shell.SHOP,
            "--node",
            "worker-1");
    assertThat(result.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void aFirewallThatDropsWhatWeForwardIsForeign() throws Exception {
    program();
    namespace.nft("add", "table", "inet", "fw");
    namespace.nft(
        "add", "chain", "inet", "fw", "pass", "{ type filter hook forward priority 0 ; }");
    namespace.nft("add", "rule", "inet", "fw", "pass", "tcp", "dport", "8080", "drop");
    Result result = audit();
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out())
        .contains(
            "foreign", "inet fw pass", "this rule of another program ends packets to services")
        .contains("Rules of other programs are not repaired");
  }

  @Test
  void whatIsNotFollowedIsNamed() throws Exception {
    program();
    assertThat(audit().out()).doesNotContain("not followed");
    namespace.run(
        "iptables-nft", "-A", "FORWARD", "-m", "conntrack", "--ctstate", "NEW", "-j", "DROP");
    assertThat(audit("-o", "json").tree())
        .containsEntry("notFollowed", List.of("iptables-nft, table ip filter"));
    assertThat(audit().out().replaceAll("\\s+", " "))
        .contains(
            "Packets meet other rules too, which were not followed and may drop them: iptables-nft,"
                + " table ip filter.");
  }

  @Test
  void aServerIsAskedForTheDecision() throws Exception {
    program();
    try (ServedShop shop = new ServedShop(folder)) {
      Result alone =
          Shell.run("audit", shop.api(), "--node", "worker-1", "--netns", namespace.name());
      assertThat(alone.out()).contains("decision = kernel: 9 services");
      assertThat(alone.status()).isZero();

      Result three = audit(shop.api());
      assertThat(three.out()).contains("objects = decision = kernel: 9 services");
      assertThat(three.status()).isZero();

      shop.replace("services.yaml", "10.96.20.10", "10.96.20.99");
      shop.awaitShown("10.96.20.99");
      Result lagging = audit(shop.api());
      assertThat(lagging.status()).isEqualTo(1);
      assertThat(lagging.out())
          .contains(
              "shop/web the daemon's decision: the daemon has decided otherwise than follows from"
                  + " the cluster's objects",
              "objects != decision = kernel");
    }
  }

  @Test
  void allNodesSayWhatTheyFoundThemselves() throws Exception {
    try (ServedShop shop = new ServedShop(folder);
        Connection connection = Connection.open(Address.parse(shop.address()), Optional.empty())) {
      try (RemoteNode first = node(connection, "worker-1");
          RemoteNode second = node(connection, "worker-2")) {
        first.audited(0);
        Result clean = await(shop, "1 without an audit");
        assertThat(clean.out()).contains("2 nodes, 0 with differences, 1 without an audit");
        assertThat(clean.status()).isZero();

        second.audited(3);
        Result differing = await(shop, "0 without an audit");
        assertThat(differing.out())
            .containsPattern("worker-1 +nftables +[0-9]+ +[0-9a-z]+ ago +0\n")
            .containsPattern("worker-2 +nftables +[0-9]+ +[0-9a-z]+ ago +3\n")
            .contains("2 nodes, 1 with differences");
        assertThat(differing.status()).isEqualTo(1);
        assertThat(Shell.run("nodes", shop.api(), "-o", "wide").out()).contains("AUDIT", "3, ");
        Map<String, Object> tree =
            Shell.run("audit", shop.api(), "--all-nodes", "-o", "json").tree();
        assertThat(Shell.list(tree.get("nodes")).getLast())
            .containsEntry("node", "worker-2")
            .containsEntry("differences", 3);
      }
    }
  }

  @Test
  void aNodeWhoseRulesAreChangedShowsUpAmongAll() throws Exception {
    PrivateNamespace other = new PrivateNamespace();
    try (ServedShop shop = new ServedShop(folder);
        Background _ = run(shop, "worker-1", namespace);
        Background _ = run(shop, "worker-2", other)) {
      // The test does not wait for the regular audit, which comes after minutes.
      Result clean = await(shop, "2 nodes, 0 with differences, 0 without an audit");
      assertThat(clean.out())
          .containsPattern("worker-1 +portolan nftables +1 +[0-9a-z]+ ago +0\n")
          .containsPattern("worker-2 +portolan nftables +1 +[0-9a-z]+ ago +0\n");
      assertThat(clean.status()).isZero();

      // What was repaired does not differ a second later, so another program keeps changing it.
      Result differing =
          Await.until(
              "a difference",
              () -> {
                other.nft("insert", "rule", "ip", "portolan", "services", "accept");
                return Shell.run("audit", shop.api(), "--all-nodes");
              },
              result -> result.out().contains("1 with differences"));
      assertThat(differing.out())
          .contains("2 nodes, 1 with differences, 0 without an audit")
          .containsPattern("worker-1 +portolan nftables +1 +[0-9a-z]+ ago +0\n")
          .containsPattern("worker-2 +portolan nftables +1 +[0-9a-z]+ ago +[1-9][0-9]*\n");
      assertThat(differing.status()).isEqualTo(1);
    } finally {
      other.delete();
    }
  }

  private static Background run(ServedShop shop, String node, PrivateNamespace namespace) {
    return new Background("run", shop.api(), "--node", node, "--netns", namespace.name());
  }

  private static RemoteNode node(Connection connection, String name) throws Exception {
    RemoteNode node = RemoteNode.open(connection, Subscription.of(name).clientName("nftables"));
    assertThat(node.first(Duration.ofSeconds(30))).isPresent();
    node.applied(node.image());
    return node;
  }

  private static Result await(ServedShop shop, String text) {
    return Await.until(
        text,
        () -> Shell.run("audit", shop.api(), "--all-nodes"),
        result -> result.out().contains(text));
  }
}
