package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Background;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing of another program's is destroyed, and no two programs fight, on a real kernel. */
final class SafetyTest {
  private PrivateNamespace namespace;

  @BeforeEach
  void prepare() throws Exception {
    KernelNeeds.check();
    namespace = new PrivateNamespace();
  }

  @AfterEach
  void remove() throws Exception {
    if (namespace != null) {
      namespace.delete();
    }
  }

  @Test
  void aFirewallSurvivesItsTableNamesBeingGiven() throws Exception {
    namespace.run("iptables-nft", "-A", "INPUT", "-p", "tcp", "--dport", "22", "-j", "DROP");
    namespace.nft("add", "table", "ip6", "mine");
    namespace.nft("add", "chain", "ip6", "mine", "in", "{ type filter hook input priority 0; }");
    String firewall = namespace.nft("list", "ruleset");

    Result run = run("--once", "--nftables-table", "filter");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "portolan: nftables: table ip filter belongs to another program: the comment 'rules of"
                + " Portolan' is missing; use another table name, or replace it with --force"
                + " [PORT-307]\n");
    Result cleanup = cleanup("--nftables-table", "mine");
    assertThat(cleanup.status()).isEqualTo(1);
    assertThat(cleanup.err())
        .isEqualTo(
            "portolan: nftables: table ip6 mine belongs to another program: the comment 'rules of"
                + " Portolan' is missing; use another table name, or remove it with --force"
                + " [PORT-307]\n");
    assertThat(cleanup().out()).startsWith("nothing to remove from ");
    assertThat(namespace.nft("list", "ruleset")).isEqualTo(firewall);

    Result forced = run("--once", "--nftables-table", "mine", "--force");
    assertThat(forced.status()).isZero();
    assertThat(forced.err()).contains("replaced table ip6 mine that another program wrote\n");
    assertThat(cleanup().out()).contains("nftables: table ip mine", "nftables: table ip6 mine");
  }

  @Test
  void theTableOfKubeProxyIsTakenOverAndThatIsSaid() throws Exception {
    namespace.nft("add", "table", "ip", "kube-proxy");
    assertThat(cleanup().out()).startsWith("nothing to remove from ");
    Result run = run("--once", "--nftables-table", "kube-proxy");
    assertThat(run.status()).isZero();
    assertThat(run.err()).contains("replaced table ip kube-proxy that another program wrote\n");

    namespace.nft("flush", "ruleset");
    namespace.nft("add", "table", "ip", "kube-proxy");
    Result cleanup = cleanup("--nftables-table", "kube-proxy");
    assertThat(cleanup.status()).isZero();
    assertThat(cleanup.err()).isEqualTo("table ip kube-proxy was made by another program\n");
    assertThat(namespace.nft("list", "ruleset")).isEmpty();
  }

  @Test
  void aSecondPortolanIsToldOfTheFirst() throws Exception {
    long pid = ProcessHandle.current().pid();
    try (Background first = background()) {
      first.await(first.err, "revision 1: ");
      Result second = run("--once");
      assertThat(second.status()).isEqualTo(1);
      assertThat(second.err())
          .isEqualTo(
              "portolan: nftables: another Portolan already programs the network namespace "
                  + namespace.path()
                  + ": portolan run (pid "
                  + pid
                  + "); end it first, or wait for it with --wait-lock [PORT-308]\n");
      Result cleanup = cleanup();
      assertThat(cleanup.status()).isEqualTo(1);
      assertThat(cleanup.out()).isEmpty();
      assertThat(cleanup.err())
          .startsWith("portolan: nothing removed from network namespace " + namespace.name())
          .contains("would put the rules of nftables back: portolan run (pid " + pid + ")")
          .endsWith("[PORT-308]\n");
      assertThat(namespace.nft("list", "ruleset")).contains("10.96.20.10");

      try (Background waiting = background("--wait-lock")) {
        waiting.await(waiting.err, "portolan run (pid " + pid + "); waiting until it ends\n");
        assertThat(waiting.err.toString()).doesNotContain("revision");
        assertThat(first.stop()).isZero();
        waiting.await(waiting.err, "revision 1: ");
      }
    }
  }

  /** One that has no lock, because it is of another make. */
  @Test
  void cleanupSeesThatRulesComeBack() throws Exception {
    assertThat(run("--once").status()).isZero();
    String rules = namespace.nft("list", "ruleset");
    var file = Files.createTempFile("rules", ".nft");
    Files.writeString(file, rules);
    Process other =
        new ProcessBuilder(
                "ip",
                "netns",
                "exec",
                namespace.name(),
                "sh",
                "-c",
                "echo ready; nft monitor | while read -r line; do case"
                    + " $line in 'delete table ip6 portolan'*) nft -f "
                    + file
                    + ";; esac; done")
            .start();
    try {
      assertThat(other.inputReader().readLine()).isEqualTo("ready");
      Result cleanup = cleanup();
      for (int i = 0; i < 50 && cleanup.status() == 0; i++) {
        // The monitor had not begun yet.
        assertThat(run("--once").status()).isZero();
        cleanup = cleanup();
      }
      assertThat(cleanup.status()).isEqualTo(1);
      assertThat(cleanup.err())
          .contains("another program put back nftables: table ip portolan", "[PORT-306]");
    } finally {
      other.descendants().forEach(ProcessHandle::destroyForcibly);
      other.destroyForcibly().waitFor();
      Files.delete(file);
    }
  }

  @Test
  void cleanupFindsWhatEveryBackendWrote() throws Exception {
    assertThat(run("--once", "--backend", "iptables").status()).isZero();
    assertThat(namespace.run("iptables-nft-save")).contains("KUBE-SERVICES");
    Result dry = cleanup("--dry-run");
    assertThat(dry.out())
        .startsWith("would remove from network namespace " + namespace.name() + ":\n  iptables, ");
    assertThat(namespace.run("iptables-nft-save")).contains("KUBE-SERVICES");
    Result cleanup = cleanup();
    assertThat(cleanup.status()).as(cleanup.err()).isZero();
    assertThat(cleanup.out())
        .startsWith("removed from network namespace " + namespace.name() + ":\n  iptables, IPv4: ")
        .contains("\n  iptables, IPv6: ");
    assertThat(namespace.run("iptables-nft-save"))
        .doesNotContain("KUBE-SERVICES", "KUBE-SVC-", "KUBE-PROXY", "KUBE-MARK-MASQ");
    for (String[] again : new String[][] {{}, {"--backend", "iptables"}}) {
      Result nothing = cleanup(again);
      assertThat(nothing.status()).isZero();
      assertThat(nothing.out())
          .isEqualTo("nothing to remove from network namespace " + namespace.name() + "\n");
    }
  }

  @Test
  void theChainsOfAKubeProxyStayUnlessTheyAreAskedFor() throws Exception {
    namespace.run("iptables-nft", "-t", "nat", "-N", "KUBE-SERVICES");
    namespace.run("iptables-nft", "-t", "nat", "-A", "OUTPUT", "-j", "KUBE-SERVICES");
    Result plain = cleanup();
    assertThat(plain.out()).startsWith("nothing to remove from ");
    assertThat(plain.err())
        .isEqualTo(
            "stays, because Portolan did not write it: iptables, IPv4: 1 chain in nat with 1"
                + " jump\n");
    Result asked = cleanup("--backend", "iptables");
    assertThat(asked.out()).endsWith("  iptables, IPv4: 1 chain in nat with 1 jump\n");
    assertThat(namespace.run("iptables-nft-save"))
        .doesNotContain("KUBE-SERVICES", "KUBE-SVC-", "KUBE-PROXY", "KUBE-MARK-MASQ");
  }

  @Test
  void theRulesOfALivingPortolanStayWhenAnotherBackendStarts() throws Exception {
    try (Background first = background()) {
      first.await(first.err, "revision 1: ");
      Result second = run("--once", "--backend", "iptables");
      assertThat(second.status()).isZero();
      assertThat(second.err())
          .contains("the rules of nftables stay, because another Portolan keeps them: portolan");
      assertThat(first.err.toString()).doesNotContain("repaired");
      assertThat(namespace.nft("list", "tables")).contains("table ip portolan");
    }
  }

  @Test
  void aDryRunChangesNothing() throws Exception {
    Result first = run("--dry-run");
    assertThat(first.status()).isZero();
    assertThat(first.out())
        .startsWith("+ table ip portolan\n")
        .contains("+ map ip portolan service-ips: 11 elements\n");
    assertThat(first.err()).contains("nothing was changed");
    assertThat(namespace.nft("list", "ruleset")).isEmpty();

    assertThat(run("--once").status()).isZero();
    Result same = run("--dry-run");
    assertThat(same.out()).isEmpty();
    assertThat(same.err())
        .isEqualTo("network namespace " + namespace.name() + ": nothing would change\n");

    Result other = run("--dry-run", "--backend", "iptables");
    assertThat(other.out())
        .contains("+ chain nat KUBE-SERVICES (IPv4): ", "- nftables: table ip portolan\n");
    assertThat(namespace.run("iptables-nft-save"))
        .doesNotContain("KUBE-SERVICES", "KUBE-SVC-", "KUBE-PROXY", "KUBE-MARK-MASQ");
  }

  @Test
  void aProgramRunsInTheNamespaceThatWasAskedFor() throws Exception {
    Result result =
        run(
            "--once",
            "--backend",
            "exec",
            "--exec-mode",
            "call",
            "--",
            "sh",
            "-c",
            "cat >/dev/null; readlink /proc/self/ns/net >&2");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.err()).contains(namespace.run("readlink", "/proc/self/ns/net").strip());
  }

  private Result run(String... args) {
    return Shell.shop(
        "worker-1",
        "run",
        Stream.concat(Stream.of("--netns", namespace.name()), Stream.of(args))
            .toArray(String[]::new));
  }

  private Result cleanup(String... args) {
    return Shell.run(
        Stream.concat(Stream.of("cleanup", "--netns", namespace.name()), Stream.of(args))
            .toArray(String[]::new));
  }

  private Background background(String... args) {
    return new Background(
        Stream.concat(
                Stream.of(
                    "run",
                    "--from",
                    "file:" + Shell.SHOP,
                    "--node",
                    "worker-1",
                    "--netns",
                    namespace.name()),
                Stream.of(args))
            .toArray(String[]::new));
  }
}
