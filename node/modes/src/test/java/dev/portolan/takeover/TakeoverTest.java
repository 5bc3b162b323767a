package dev.portolan.takeover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.mode.Own;
import dev.portolan.mode.Scope;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Removes from a real kernel what a kube-proxy would have left there. */
@NeedsKernel(tools = {"ip", "nft", "ipset", "iptables-nft-save", "iptables-legacy-save"})
final class TakeoverTest {
  private static final String FOUND =
      "11 chains in nat with 3 jumps, 6 chains in filter with 9 jumps, 1 chain in mangle";

  @AutoClose private final TestNamespace place = new TestNamespace();

  @ParameterizedTest
  @CsvSource({"nft, IPV4", "nft, IPV6", "legacy, IPV4", "legacy, IPV6"})
  void onlyTheRulesOfOthersStay(String variant, AddressFamily family) {
    SampleRules rules = new SampleRules(place, variant, family);
    rules.layForeign();
    String foreign = rules.save();
    rules.layKubeProxy();
    assertThat(rules.save()).isNotEqualTo(foreign);

    Leftovers leftovers = find();
    String line =
        (variant.equals("legacy") ? "legacy iptables, " : "iptables, ") + family + ": " + FOUND;
    assertThat(leftovers.lines()).containsExactly(line);
    assertThat(leftovers).hasToString(line);
    assertThat(leftovers.unknown()).isEmpty();

    assertThat(leftovers.remove())
        .isEqualTo(new Leftovers.Removal(List.of(line), List.of(), List.of()));
    assertThat(rules.save()).isEqualTo(foreign);
    assertThat(leftovers.remove().isComplete()).as("once more").isTrue();
    assertThat(rules.save()).isEqualTo(foreign);
    assertThat(find().isEmpty()).isTrue();
  }

  @Test
  void bothVariantsAndFamiliesAtOnce() {
    for (String variant : List.of("nft", "legacy")) {
      new SampleRules(place, variant, AddressFamily.IPV4).layKubeProxy();
      new SampleRules(place, variant, AddressFamily.IPV6).layKubeProxy();
    }
    Leftovers leftovers = find();
    assertThat(leftovers.lines()).hasSize(4);
    assertThat(leftovers.remove().isComplete()).isTrue();
    assertThat(find().isEmpty()).isTrue();
  }

  @Test
  void aCleanNamespaceStaysClean() throws Exception {
    Leftovers leftovers = find();
    assertThat(leftovers.isEmpty()).isTrue();
    assertThat(leftovers.unknown()).isEmpty();
    assertThat(leftovers.remove())
        .isEqualTo(new Leftovers.Removal(List.of(), List.of(), List.of()));
    assertThat(place.run("nft", "list", "ruleset")).isEmpty();
    for (String names : List.of("ip_tables_names", "ip6_tables_names")) {
      Path file = Path.of("/proc/thread-self/net", names);
      assertThat(place.namespace().visit(() -> Files.readString(file))).as(names).isEmpty();
    }
  }

  @Test
  void whatCannotBeLookedAtForNowFailsSoThatItIsTriedAgain() {
    List<Leftover> found = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    assertThatThrownBy(() -> Takeover.look(found, unknown, "chains", () -> refuse(Errno.EMFILE)))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "cannot tell whether kube-proxy left chains: a test: EMFILE: too many open files")
        .extracting(e -> ((BackendException) e).code())
        .isEqualTo(ErrorCode.TAKEOVER);
    assertThat(unknown).isEmpty();
    Takeover.look(found, unknown, "chains", () -> refuse(Errno.EOPNOTSUPP));
    assertThat(unknown).singleElement().asString().contains("not supported by this kernel");
    assertThat(found).isEmpty();
  }

  private static List<Leftover> refuse(int errno) {
    throw new NetlinkException("a test", errno, "");
  }

  @ParameterizedTest
  @CsvSource({"nft", "legacy"})
  void aChainThatSomebodyElseUsesStays(String variant) {
    SampleRules rules = new SampleRules(place, variant, AddressFamily.IPV4);
    rules.layKubeProxy();
    rules.lay(
        """
        *nat
        :CNI-DN-1 - [0:0]
        -A PREROUTING -p tcp --dport 9000 -j CNI-DN-1
        -A CNI-DN-1 -s 10.244.0.0/16 -j KUBE-MARK-MASQ
        COMMIT
        """);
    Leftovers leftovers = find();
    assertThat(leftovers.lines())
        .singleElement()
        .asString()
        .contains("10 chains in nat with 3 jumps (KUBE-MARK-MASQ stays for CNI-DN-1)");
    assertThat(leftovers.remove().isComplete()).isTrue();
    assertThat(find().isEmpty()).isTrue();
    assertThat(rules.save())
        .contains("-A CNI-DN-1 -s 10.244.0.0/16 -j KUBE-MARK-MASQ")
        .contains("-A KUBE-MARK-MASQ -j MARK")
        .doesNotContain("KUBE-SERVICES", "KUBE-S", "KUBE-P");
  }

  @Test
  void withoutProgramsTheLegacyTablesAreNamed(@TempDir Path nothing) {
    new SampleRules(place, "legacy", AddressFamily.IPV4).layKubeProxy();
    TakeoverOptions options =
        new TakeoverOptions(
            place.path(),
            "portolan",
            Set.of(Own.TABLES),
            Scope.EVERYTHING,
            List.of(),
            Path.of("/sys/fs/bpf/portolan"),
            List.of(nothing));
    Leftovers leftovers = Takeover.find(options);
    assertThat(leftovers.isEmpty()).isTrue();
    assertThat(leftovers.unknown())
        .containsExactly(
            "cannot tell whether kube-proxy left iptables-legacy chains of IPv4: iptables-legacy"
                + " tables are in use (nat, filter, mangle), but there is no program"
                + " iptables-legacy-save to read them; install iptables, or run kube-proxy"
                + " --cleanup where it is installed");
    assertThat(leftovers.remove().stayed()).isEqualTo(leftovers.unknown());
  }

  @Test
  void aProgramThatFailsIsQuoted(@TempDir Path folder) throws Exception {
    new SampleRules(place, "legacy", AddressFamily.IPV4).layKubeProxy();
    Path save = folder.resolve("iptables-legacy-save");
    Files.writeString(save, "#!/bin/sh\nexec /usr/sbin/iptables-legacy-save\n");
    Path restore = folder.resolve("iptables-legacy-restore");
    Files.writeString(restore, "#!/bin/sh\necho no >&2\necho way >&2\nexit 4\n");
    assertThat(save.toFile().setExecutable(true)).isTrue();
    assertThat(restore.toFile().setExecutable(true)).isTrue();
    Leftovers leftovers =
        Takeover.find(
            new TakeoverOptions(
                place.path(),
                "portolan",
                Set.of(Own.TABLES),
                Scope.EVERYTHING,
                List.of(),
                Path.of("/sys/fs/bpf/portolan"),
                List.of(folder)));
    assertThat(leftovers.remove().stayed())
        .containsExactly("legacy iptables, IPv4: " + FOUND + ": " + restore + " failed: no; way");
  }

  @Test
  void theTablesOfModeNftablesAreRemoved() {
    place.nft(
        """
        table ip kube-proxy { chain services { counter; }; }
        table ip6 kube-proxy { chain services { counter; }; }
        table inet kube-proxy { chain other { counter; }; }
        table ip portolan { chain services { counter; }; }
        """);
    Leftovers leftovers = find();
    assertThat(leftovers.lines())
        .containsExactly("nftables: table ip kube-proxy", "nftables: table ip6 kube-proxy");
    assertThat(leftovers.remove().isComplete()).isTrue();
    assertThat(leftovers.remove().isComplete()).as("once more").isTrue();
    assertThat(place.run("nft", "list", "tables"))
        .isEqualTo("table inet kube-proxy\ntable ip portolan\n");
  }

  @Test
  void ourOwnTableIsNoLeftover() {
    place.nft("table ip kube-proxy { chain services { counter; }; }");
    Leftovers leftovers =
        Takeover.find(
            TakeoverOptions.of("kube-proxy", Set.of(Own.TABLES), List.of()).in(place.path()));
    assertThat(leftovers.isEmpty()).isTrue();
  }

  @Test
  void setsGoAfterTheRulesThatUseThem() {
    place.run("ipset", "create", "KUBE-CLUSTER-IP", "hash:ip,port");
    place.run(
        "ipset",
        "create",
        "KUBE-6-LOAD-BALANCER-SOURCE-CID",
        "hash:ip,port,net",
        "family",
        "inet6");
    place.run("ipset", "create", "KUBE-OTHER", "hash:ip");
    SampleRules rules = new SampleRules(place, "nft", AddressFamily.IPV4);
    rules.lay(
        """
        *nat
        :KUBE-SERVICES - [0:0]
        -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
        -A KUBE-SERVICES -m set --match-set KUBE-CLUSTER-IP dst,dst -j ACCEPT
        COMMIT
        """);
    Leftovers leftovers = find();
    assertThat(leftovers.lines())
        .containsExactly("iptables, IPv4: 1 chain in nat with 1 jump", "ipset: 2 sets");
    assertThat(leftovers.remove().isComplete()).isTrue();
    assertThat(place.run("ipset", "list", "-n")).isEqualTo("KUBE-OTHER\n");
  }

  @Test
  void aSetInUseIsNamedAndTheRestIsRemoved() {
    place.run("ipset", "create", "KUBE-CLUSTER-IP", "hash:ip,port");
    place.run("ipset", "create", "KUBE-LOOP-BACK", "hash:ip,port,ip");
    place.nft("table ip kube-proxy { chain services { counter; }; }");
    place.run(
        "iptables-nft",
        "-A",
        "INPUT",
        "-m",
        "set",
        "--match-set",
        "KUBE-CLUSTER-IP",
        "dst,dst",
        "-j",
        "ACCEPT");
    Leftovers.Removal removal = find().remove();
    assertThat(removal.removed()).containsExactly("nftables: table ip kube-proxy");
    assertThat(removal.stayed())
        .containsExactly(
            "ipset: 2 sets: cannot destroy the set KUBE-CLUSTER-IP: EBUSY: still in use (a rule"
                + " uses it)");
    assertThat(place.run("ipset", "list", "-n")).isEqualTo("KUBE-CLUSTER-IP\n");
  }

  /** This kernel may have no dummy device; what counts is the name. */
  @Test
  void theDeviceOfModeIpvsIsRemoved() {
    place.ip("link", "add", "kube-ipvs0", "type", "veth", "peer", "name", "other");
    place.ip("address", "add", "10.96.0.1/32", "dev", "kube-ipvs0");
    Leftovers leftovers = find();
    assertThat(leftovers.lines()).containsExactly("ipvs: 0 virtual servers, device kube-ipvs0");
    assertThat(leftovers.remove().isComplete()).isTrue();
    assertThat(leftovers.remove().isComplete()).as("once more").isTrue();
    assertThat(place.ip("link")).doesNotContain("kube-ipvs0");
  }

  /**
   * Without any rule that tracks connections the kernel would stop to translate them; so the new
   * rules come before the old ones go.
   */
  @Test
  void aConnectionGoesOn() throws Exception {
    place.nft(
        """
        table ip portolan {
          chain output { type nat hook output priority -100; ct state new counter; }
          chain postrouting { type nat hook postrouting priority 100; mark 0x4000 masquerade; }
        }
        """);
    place.ip("address", "add", "10.244.0.1/32", "dev", "lo");
    place.ip("address", "add", "10.244.0.2/32", "dev", "lo");
    place.ip("address", "add", "10.96.0.1/32", "dev", "lo");
    new SampleRules(place, "nft", AddressFamily.IPV4).layKubeProxy();
    place
        .namespace()
        .visit(() -> {
          try (ServerSocket pod1 = listen("10.244.0.1");
              ServerSocket pod2 = listen("10.244.0.2");
              Socket client = new Socket()) {
            client.connect(new InetSocketAddress("10.96.0.1", 80), 10_000);
            try (Socket pod = acceptAny(pod1, pod2)) {
              exchange(client, pod);
              assertThat(find().remove().isComplete()).isTrue();
              exchange(client, pod);
            }
          }
          return null;
        });
  }

  private static ServerSocket listen(String address) throws Exception {
    ServerSocket socket = new ServerSocket(8080, 1, InetAddress.getByName(address));
    socket.setSoTimeout(200);
    return socket;
  }

  private static Socket acceptAny(ServerSocket... servers) throws Exception {
    for (int i = 0; ; i++) {
      try {
        return servers[i % servers.length].accept();
      } catch (SocketTimeoutException e) {
        assertThat(i).as("how often no endpoint answered").isLessThan(100);
      }
    }
  }

  private static void exchange(Socket client, Socket pod) throws Exception {
    client.setSoTimeout(10_000);
    pod.setSoTimeout(10_000);
    client.getOutputStream().write('a');
    assertThat(pod.getInputStream().read()).isEqualTo('a');
    pod.getOutputStream().write('b');
    assertThat(client.getInputStream().read()).isEqualTo('b');
  }

  private Leftovers find() {
    return Takeover.find(
        TakeoverOptions.of("portolan", Set.of(Own.TABLES), List.of()).in(place.path()));
  }
}
