package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.RepositoryRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the daemon needs privilege for, and what it can do without. */
@NeedsPeers(tools = {"unshare", "setpriv", "iptables-legacy", "iptables-nft"})
final class PrivilegeTest extends DaemonOnNode {
  /** The number of CAP_NET_ADMIN, as the kernel prints sets of capabilities. */
  private static final String NET_ADMIN_ALONE = "0000000000001000";

  private static final String TIMEOUT =
      "/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_established";

  private static final String ROUTE_LOCALNET = "/proc/sys/net/ipv4/conf/all/route_localnet";

  private static final RandomServices SERVICES = new RandomServices(4);

  @TempDir private Path folder;

  @BeforeAll
  static void fill() {
    writer.apply(SERVICES.create(0, 30));
  }

  @Test
  void afterInitItNeedsOneCapabilityAndWritesNoFile() throws Exception {
    String[] timeout = {"--conntrack-tcp-timeout-established=1234s"};
    try (Daemon init = host.start("--init-only", timeout[0])) {
      assertThat(init.awaitEnd()).as(init::log).isZero();
      assertThat(host.namespace().run("cat", TIMEOUT)).isEqualTo("1234\n");
      assertThat(host.ruleset()).isEmpty();
    }
    try (Daemon daemon = Daemon.start(confined(), host.flags(timeout))) {
      FreshRules fresh = FreshRules.of(plane, folder);
      host.awaitFresh(daemon, fresh);
      assertThat(status(daemon, "CapEff")).isEqualTo(NET_ADMIN_ALONE);
      assertThat(status(daemon, "CapBnd")).isEqualTo(NET_ADMIN_ALONE);
      assertThat(status(daemon, "NoNewPrivs")).isEqualTo("1");
      for (int round = 0; round < 5; round++) {
        writer.apply(SERVICES.churn(10, 1));
        assertNoChildren(daemon);
      }
      host.awaitFresh(daemon, fresh);
      assertThat(host.healthz().status()).isEqualTo(200);
      assertNoChildren(daemon);
      assertThat(daemon.stop()).as(daemon::log).isZero();
      assertThat(daemon.log()).doesNotContain("Read-only file system", "read-only");
    }
  }

  @Test
  void afterInitModeIptablesNeedsOneCapabilityTooAndNoWritableSettings() throws Exception {
    String mode = "--proxy-mode=iptables";
    try (Daemon init = host.start("--init-only", mode)) {
      assertThat(init.awaitEnd()).as(init::log).isZero();
      assertThat(host.namespace().run("cat", ROUTE_LOCALNET)).isEqualTo("1\n");
      assertThat(host.namespace().run("iptables-save", "-t", "filter"))
          .contains("block incoming localnet connections")
          .doesNotContain("KUBE-SERVICES");
    }
    try (Daemon daemon = Daemon.start(confined(), host.flags(mode))) {
      daemon.awaitSync();
      assertThat(status(daemon, "CapEff")).isEqualTo(NET_ADMIN_ALONE);
      assertThat(daemon.stop()).as(daemon::log).isZero();
      assertThat(daemon.log()).doesNotContain("Sync failed");
    }
    try (Daemon cleanup = host.start("--cleanup", mode)) {
      assertThat(cleanup.awaitEnd()).as(cleanup::log).isZero();
    }
  }

  @Test
  void onlyIptablesLegacyNeedsRawPacketsAndSaysSo() throws Exception {
    assertThat(run("legacy", "+net_admin,+net_raw")).endsWith("ended with 0");
    assertThat(run("nft", "+net_admin")).endsWith("ended with 0");
    assertThat(run("legacy", "+net_admin"))
        .contains("CAP_NET_RAW, which iptables-legacy needs", "[PORT-301]")
        .endsWith("ended with 1");
    assertThat(run("nft", "+net_raw")).contains("CAP_NET_ADMIN").endsWith("ended with 1");
  }

  /** What {@code run} says with a variant of iptables and only some capabilities. */
  private String run(String variant, String capabilities) throws Exception {
    List<String> place = new ArrayList<>(host.inside());
    place.addAll(
        List.of(
            "setpriv", "--bounding-set=-all," + capabilities, "--inh-caps=-all", "--no-new-privs"));
    List<String> options =
        List.of(
            "--from=file:" + RepositoryRoot.resolve("examples/shop"),
            "--node=worker-1",
            "--backend=iptables",
            "--iptables-variant=" + variant,
            "--once");
    try (Daemon run = Daemon.start(place, "run", options)) {
      int status = run.awaitEnd();
      return run.log() + "ended with " + status;
    }
  }

  /** A DaemonSet's surge, and a start by hand beside the daemon. */
  @Test
  void aSecondDaemonNamesTheFirstOrWaitsForIt() throws Exception {
    try (Daemon first = host.start().awaitSync()) {
      String holder = "portolan kube-proxy (pid " + first.pid() + ")";
      try (Daemon second = host.start()) {
        assertThat(second.awaitEnd()).as(second::log).isEqualTo(1);
        assertThat(second.log()).contains(holder, "[PORT-308]");
      }
      try (Daemon cleanup = host.start("--cleanup")) {
        assertThat(cleanup.awaitEnd()).as(cleanup::log).isEqualTo(1);
        assertThat(cleanup.log()).contains("the rules of nftables stay", holder);
        assertThat(host.ruleset()).contains("table ip portolan");
      }
      try (Daemon surge = host.start("--wait-lock")) {
        surge.awaitLog(holder + "; waiting until it ends", 1);
        assertThat(surge.log()).doesNotContain("Synced");
        assertThat(first.stop()).as(first::log).isZero();
        surge.awaitSync();
      }
    }
  }

  /**
   * The words that bring a program into the namespace with nothing but CAP_NET_ADMIN, where every
   * file system is for reading only.
   */
  private List<String> confined() {
    List<String> words = new ArrayList<>(host.inside());
    words.addAll(
        List.of(
            "unshare",
            "--mount",
            "sh",
            "-c",
            """
            awk '{ print $2 }' /proc/self/mounts | while read -r place; do
              mount -o remount,bind,ro "$place" 2>/dev/null
            done
            for place in /tmp /var/tmp /dev/shm /run "$HOME" "$PWD"; do
              ! touch "$place/written" 2>/dev/null || { echo "$place can be written"; exit 9; }
            done
            read -r before </proc/self/stat
            echo "before: $before"
            exec "$@"
            """,
            "sh",
            "setpriv",
            "--bounding-set=-all,+net_admin",
            "--inh-caps=-all",
            "--no-new-privs"));
    return words;
  }

  private static String status(Daemon daemon, String key) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(daemon.pid()), "status")).stream()
        .filter(line -> line.startsWith(key + ":"))
        .map(line -> line.substring(key.length() + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  /** None now, and none since the program began: the kernel counts what children did. */
  private static void assertNoChildren(Daemon daemon) throws IOException {
    assertThat(ProcessHandle.of(daemon.pid()).orElseThrow().children()).isEmpty();
    String now = Files.readString(Path.of("/proc", Long.toString(daemon.pid()), "stat"));
    String before = daemon.log().lines().findFirst().orElseThrow();
    assertThat(faultsOfChildren(now)).isEqualTo(faultsOfChildren(before));
  }

  private static String faultsOfChildren(String stat) {
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[8];
  }

  @Test
  void cleanupRemovesOursAndKubeProxys() throws Exception {
    try (Daemon daemon = host.start("--keep-leftovers")) {
      daemon.awaitSync();
      assertThat(daemon.stop()).isZero();
    }
    host.namespace()
        .nft(
            """
            table ip kube-proxy { chain services { counter; }; }
            table ip6 kube-proxy { chain services { counter; }; }
            table ip theirs { chain own { counter; }; }
            """);
    try (Daemon cleanup = host.start("--cleanup")) {
      assertThat(cleanup.awaitEnd()).as(cleanup::log).isZero();
      assertThat(host.namespace().run("nft", "list", "tables")).isEqualTo("table ip theirs\n");
    }
    try (Daemon again = host.start("--cleanup", "--bind-address=::")) {
      assertThat(again.awaitEnd()).as(again::log).isZero();
      assertThat(again.log().lines().toList()).as(again.log()).hasSize(1);
      assertThat(again.log()).contains("Nothing to remove");
    }
  }
}
