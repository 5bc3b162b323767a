package dev.portolan.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.backend.iptables.IptablesBackend;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.node.NodeChange;
import dev.portolan.doctor.bundle.Bundle;
import dev.portolan.modes.KernelModes;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.LocalBackend;
import dev.portolan.server.Options;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.NeedsKernel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found on nodes in a bad state; each is a network namespace of a real kernel. */
@NeedsKernel(tools = {"ip", "nft", "iptables", "sysctl"})
final class DoctorTest {
  private static final Path SHOP = Path.of("..", "..", "examples", "shop");
  private static final String NFTABLES = "mode: nftables\n";

  @TempDir private Path folder;
  @AutoClose private TestNamespace namespace;

  @BeforeEach
  void open() {
    namespace = new TestNamespace();
    namespace.run("sysctl", "-qw", "net.ipv4.ip_forward=1");
  }

  private List<CheckResult> examine(String configuration) {
    return Doctor.examine(Patient.of(namespace.path(), folder.resolve("node.sock"), configuration));
  }

  private CheckResult find(String id) {
    return find(id, examine(NFTABLES));
  }

  private static CheckResult find(String id, List<CheckResult> results) {
    return results.stream()
        .filter(result -> result.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError(id + " is not among " + results));
  }

  private static void assertRemedied(CheckResult result, CheckStatus status) {
    assertThat(result.status()).as(result.toString()).isEqualTo(status);
    assertThat(result.remedy()).isNotEmpty();
  }

  @Test
  void aNodeThatIsWellHasNoFailures() {
    List<CheckResult> results = examine(NFTABLES);
    assertThat(results).noneMatch(result -> result.status() == CheckStatus.FAIL);
    assertThat(results)
        .filteredOn(result -> result.status() != CheckStatus.OK)
        .extracting(CheckResult::id)
        .doesNotContain("kernel.nf_tables", "firewall.forward", "proxy.other", "sysctl.ip_forward");
    assertThat(results)
        .filteredOn(result -> result.status() != CheckStatus.OK)
        .allSatisfy(result -> assertThat(result.remedy()).isNotEmpty());
    assertThat(namespace.run("nft", "list", "ruleset")).doesNotContain("portolan");
  }

  @Test
  void forwardingMustBeOn() {
    namespace.run("sysctl", "-qw", "net.ipv4.ip_forward=0");
    CheckResult result = find("sysctl.ip_forward");
    assertRemedied(result, CheckStatus.FAIL);
    assertThat(result.remedy()).contains("sysctl -w net.ipv4.ip_forward=1");
  }

  @Test
  void settingsAreJudgedByMode() {
    namespace.run("sysctl", "-qw", "net.ipv4.conf.all.route_localnet=1");
    assertRemedied(find("sysctl.route_localnet"), CheckStatus.WARN);
    assertThat(find("sysctl.route_localnet", examine("mode: iptables\n")).status())
        .isEqualTo(CheckStatus.OK);

    assertThat(find("sysctl.rp_filter").status()).isEqualTo(CheckStatus.OK);
    namespace.run("sysctl", "-qw", "net.ipv4.conf.all.rp_filter=1");
    for (String link : List.of("one", "two")) {
      namespace.ip("link", "add", link, "type", "veth", "peer", "name", link + "-peer");
      namespace.ip("link", "set", link, "up");
    }
    namespace.ip("address", "add", "192.0.2.1/32", "dev", "one");
    assertThat(find("sysctl.rp_filter").status()).isEqualTo(CheckStatus.OK);
    namespace.ip("address", "add", "192.0.2.2/32", "dev", "two");
    assertRemedied(find("sysctl.rp_filter"), CheckStatus.WARN);
  }

  @Test
  void aFirewallThatDropsIsFoundUntilItAccepts() {
    namespace.nft(
        """
        table inet corporate {
          chain passing {
            type filter hook forward priority 10; policy drop;
            jump exceptions
          }
          chain exceptions {
          }
        }
        """);
    CheckResult closed = find("firewall.forward");
    assertRemedied(closed, CheckStatus.FAIL);
    assertThat(closed.finding()).contains("table inet corporate, chain passing", "priority 10");

    namespace.nft("add rule inet corporate exceptions tcp dport 22 accept\n");
    assertRemedied(find("firewall.forward"), CheckStatus.WARN);

    String command = closed.remedy().replaceFirst(".*: (nft .*)", "$1");
    namespace.run(command.split(" ", -1));
    assertThat(find("firewall.forward").status()).isEqualTo(CheckStatus.OK);
  }

  @Test
  void withIpvsAFirewallMustAcceptTheAnswersOfEndpoints() {
    namespace.nft(
        """
        table inet corporate {
          chain passing {
            type filter hook forward priority 10; policy drop;
            ct status dnat accept
          }
          chain coming {
            type filter hook input priority 10; policy drop;
            tcp dport 22 accept
          }
        }
        """);
    CheckResult closed = find("firewall.forward", examine("mode: ipvs\n"));
    assertRemedied(closed, CheckStatus.WARN);
    assertThat(find("firewall.input", examine("mode: ipvs\n")).remedy())
        .contains("the addresses on kube-ipvs0");
    String command = closed.remedy().replaceFirst(".*: (nft .*)", "$1");
    namespace.run(command.split(" ", -1));
    assertThat(find("firewall.forward", examine("mode: ipvs\n")).status())
        .isEqualTo(CheckStatus.OK);
  }

  @Test
  void aLastRuleThatRejectsIsAsGoodAsAPolicy() {
    namespace.nft(
        """
        table ip other {
          chain passing {
            type filter hook forward priority 0; policy accept;
            ip saddr 192.0.2.1 accept
            counter reject
          }
        }
        """);
    assertRemedied(find("firewall.forward"), CheckStatus.WARN);
  }

  @Test
  void iptablesPoliciesAreFoundToo() {
    namespace.run("iptables-nft", "-P", "FORWARD", "DROP");
    CheckResult closed = find("firewall.forward");
    assertRemedied(closed, CheckStatus.FAIL);
    String command = closed.remedy().replaceFirst(".*: (iptables .*)", "$1");
    namespace.run(command.replaceFirst("^iptables", "iptables-nft").split(" ", -1));
    assertThat(find("firewall.forward").status()).isEqualTo(CheckStatus.OK);
  }

  @Test
  void rulesOfAKubeProxyAreFoundAndLeftAlone() {
    namespace.run("iptables-nft", "-t", "nat", "-N", "KUBE-SERVICES");
    namespace.run("iptables-nft", "-t", "nat", "-N", "KUBE-SVC-ERIFXISQEP7F7OF4");
    namespace.nft("table ip kube-proxy { }\n");
    CheckResult found = find("proxy.other");
    assertRemedied(found, CheckStatus.WARN);
    assertThat(found.finding()).contains("table ip kube-proxy").contains("iptables, IPv4");
    assertThat(namespace.run("nft", "list", "ruleset"))
        .contains("KUBE-SERVICES", "KUBE-SVC-ERIFXISQEP7F7OF4", "table ip kube-proxy");
  }

  @Test
  void driftIsFoundAndLeftAlone() throws Exception {
    assertThat(find("rules.drift").status()).isEqualTo(CheckStatus.UNKNOWN);

    Brain brain = new Brain(warning -> {});
    brain.apply(ClusterDelta.between(ClusterImage.EMPTY, Manifests.read(SHOP).image()));
    NodeView view = brain.open("worker-1", NodeSettings.DEFAULT);
    NftablesOptions options = new NftablesOptions("portolan", 14, namespace.path());
    try (NftablesBackend backend = new NftablesBackend(options);
        BrainServer server =
            BrainServer.start(
                brain,
                Options.builder()
                    .only(view)
                    .listen(ListenAddress.plain(new Address.Unix(folder.resolve("node.sock"))))
                    .build())) {
      backend.sync(NodeChange.to(view.image()));
      LocalBackend reported = server.backend("worker-1", "nftables");
      reported.applied(view.image().revision());
      CheckResult same = find("rules.drift");
      assertThat(same.status()).as(same.toString()).isEqualTo(CheckStatus.OK);

      namespace.nft("flush map ip portolan service-ips\n");
      CheckResult drifted = find("rules.drift");
      assertRemedied(drifted, CheckStatus.FAIL);
      assertThat(drifted.finding())
          .contains("a repair would change: + element ip portolan service-ips { ");
      assertThat(find("rules.drift").status()).isEqualTo(CheckStatus.FAIL);

      reported.failed("the kernel says no");
      assertThat(find("rules.drift").finding()).contains("the kernel says no");
    }
  }

  @Test
  void driftOfIptablesIsFoundWithTheDaemonsSettings() throws Exception {
    Brain brain = new Brain(warning -> {});
    brain.apply(ClusterDelta.between(ClusterImage.EMPTY, Manifests.read(SHOP).image()));
    NodeView view = brain.open("worker-1", NodeSettings.DEFAULT);
    String configuration = "mode: iptables\niptables: {masqueradeBit: 5}\n";
    IptablesOptions options =
        IptablesOptions.DEFAULT.withMasqueradeBit(5).with(Variant.NFT).in(namespace.path());
    try (IptablesBackend backend = new IptablesBackend(options);
        BrainServer server =
            BrainServer.start(
                brain,
                Options.builder()
                    .only(view)
                    .listen(ListenAddress.plain(new Address.Unix(folder.resolve("node.sock"))))
                    .build())) {
      backend.sync(NodeChange.to(view.image()));
      server.backend("worker-1", "iptables").applied(view.image().revision());
      CheckResult same = find("rules.drift", examine(configuration));
      assertThat(same.status()).as(same.toString()).isEqualTo(CheckStatus.OK);

      Subject subject = Patient.of(namespace.path(), folder.resolve("node.sock"), configuration);
      assertThat(Bundle.of(subject, List.of("1")).files())
          .contains("rules/decided.iptables")
          .doesNotContain("rules/decided.nft");

      namespace.run("iptables-nft", "-t", "nat", "-F", "KUBE-POSTROUTING");
      CheckResult drifted = find("rules.drift", examine(configuration));
      assertThat(drifted.status()).isEqualTo(CheckStatus.FAIL);
      assertThat(drifted.finding()).contains("+ rule nat KUBE-POSTROUTING (IPv4) ");
    }
  }

  @Test
  void aPortThatAnotherProgramHasIsFound() throws Exception {
    assertThat(find("port.metrics").status()).isEqualTo(CheckStatus.OK);
    Process program =
        new ProcessBuilder(
                "ip",
                "netns",
                "exec",
                namespace.namespace().path().getFileName().toString(),
                Path.of(System.getProperty("java.home"), "bin", "jwebserver").toString(),
                "-b",
                "127.0.0.1",
                "-p",
                "10249",
                "-d",
                folder.toAbsolutePath().toString())
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(program.inputReader().readLine()).isNotNull();
      CheckResult taken = find("port.metrics");
      assertRemedied(taken, CheckStatus.FAIL);
      assertThat(taken.finding()).contains("in use by jwebserver (pid ");
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  @Test
  void tooOldAKernelIsSaid() {
    Subject subject = Patient.of(namespace.path(), folder.resolve("s"), NFTABLES);
    KernelChecks checks =
        new KernelChecks(subject, KernelModes.of(subject.configuration().mode()).orElseThrow());
    assertRemedied(checks.version("5.4.0-91-generic"), CheckStatus.FAIL);
    assertThat(checks.version("5.13.0").status()).isEqualTo(CheckStatus.OK);
    assertThat(checks.version("6.1.0-13-amd64").status()).isEqualTo(CheckStatus.OK);
  }
}
