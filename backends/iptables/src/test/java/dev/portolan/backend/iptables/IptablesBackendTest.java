package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.packets.Small;
import dev.portolan.source.file.Manifests;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the kernel has after the backend was at work, and what it says where that fails. */
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
class IptablesBackendTest extends KernelFixture {
  private static final String ROUTE_LOCALNET = "/proc/sys/net/ipv4/conf/all/route_localnet";
  private static final NodeSettings EVERYWHERE =
      NodeSettings.DEFAULT.with(NodePortChoice.parse(List.of("all")));

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void theKernelHasWhatIsPrinted(Variant chosen) {
    use(chosen);
    load();
    for (IpFamily family : IpFamily.values()) {
      try (TestNamespace other = new TestNamespace()) {
        String text = IptablesText.render(view.image(), family, options());
        String program = Saved.program(variant, family, "restore");
        other.runWithInput(text, program, "--noflush", "--test");
        other.runWithInput(text, program, "--noflush");
        Saved printed = Saved.read(variant, family, other::run);
        assertThat(uncounted(saved(family))).isEqualTo(uncounted(printed));
      }
    }
    assertThat(IptablesText.render(view.image(), options()))
        .contains("# iptables-restore --noflush\n*mangle\n", "# ip6tables-restore --noflush\n");
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void aFewServicesMayBeWrittenFirstWhereNoneIsServed(Variant chosen) {
    use(chosen);
    assertThat(backend.isBlank()).isTrue();
    brain.apply(Manifests.read(Path.of("../../examples/shop")).image());
    NodeImage image = view.image();
    NamespacedName dns = new NamespacedName("kube-system", "kube-dns");
    backend.sync(
        NodeChange.to(
            NodeImage.of(
                image.revision(),
                image.facts().withoutServiceCidrs(),
                PersistentMap.<NamespacedName, NodeService>empty().with(dns, image.service(dns)))));
    assertThat(saved(IpFamily.IPV4).lines().toString())
        .contains("kube-system/kube-dns:dns")
        .doesNotContain("shop/web");
    assertThat(backend.isBlank()).isFalse();
    sync();
    assertThat(backend.preview(image)).isEmpty();
  }

  @Test
  void chainsOfAKubeProxyServeToo() {
    namespace.run("iptables-nft", "-t", "nat", "-N", "KUBE-SERVICES");
    assertThat(backend.isBlank()).isFalse();
  }

  /** Printing does not know whether the kernel has counters. */
  private static List<String> uncounted(Saved saved) {
    return saved.lines().stream()
        .filter(line -> !line.contains("127.0.0.0/8"))
        .map(line -> line.replaceAll(" -m nfacct --nfacct-name +\\S+", ""))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void manyChangesLeaveExactlyWhatIsWanted(Variant chosen) {
    use(chosen);
    brain.apply(RandomCluster.event(0));
    view = brain.open("n1", NodeSettings.DEFAULT);
    sync();
    for (long seed = 1; seed < 200; seed++) {
      brain.apply(RandomCluster.event(seed));
      sync();
    }
    backend.tidy();
    assertThat(audit()).isEmpty();
    IptablesCounts.OfFamily counts = backend.counts().of(IpFamily.IPV4);
    assertThat(counts.fullRestores()).as("at first, and when the node changed").isLessThan(10);
    assertThat(counts.partialRestores()).isGreaterThan(20);
    assertThat(counts.restoreFailures()).isZero();
    MetricRegistry registry = new MetricRegistry();
    IptablesCounts.measured().forEach(metric -> metric.counting().register(registry, backend));
    assertThat(registry.text())
        .contains(
            "_restore_failures_total{ip_family=\"IPv4\"} 0\n",
            "_iptables_total{ip_family=\"IPv4\",table=\"nat\"} " + counts.rules("nat") + "\n",
            "_last{ip_family=\"IPv6\",table=\"filter\"} ");
    try (TestNamespace other = new TestNamespace()) {
      IptablesBackend fresh = new IptablesBackend(options().in(other.path()));
      fresh.sync(NodeChange.to(view.image()));
      for (IpFamily family : IpFamily.values()) {
        assertThat(saved(family)).isEqualTo(Saved.read(variant, family, other::run));
        for (String table : Chains.TABLES) {
          assertThat(backend.counts().of(family).rules(table))
              .as("%s %s", family, table)
              .isEqualTo(fresh.counts().of(family).rules(table));
        }
      }
    }
  }

  /** The first rule that matches is the one that counts. */
  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void theRuleThatCountsComesBeforeTheGeneralOneHoweverLateTheServiceComes(Variant chosen) {
    use(chosen);
    open(EVERYWHERE);
    load();
    List<String> before = nodePortRules("");
    brain.apply(ClusterDelta.builder().set(Small.service(31_000, 0)).set(Small.slice(2)).build());
    sync();
    assertThat(backend.counts().of(IpFamily.IPV4).partialRestores()).isEqualTo(1);
    List<String> late = nodePortRules("traffic/test:http");
    assertThat(late).hasSize(2);
    assertThat(late.get(0)).contains("-d 127.0.0.0/8", RuleText.LOCALHOST_COUNTER);
    assertThat(late.get(1)).doesNotContain("127.0.0.0/8");
    assertThat(nodePortRules("")).endsWith(before.toArray(String[]::new));
  }

  private List<String> nodePortRules(String service) {
    return Saved.inOrder(namespace.run(Saved.program(variant, IpFamily.IPV4, "save")))
        .get(Chains.NAT)
        .get(Chains.NODE_PORTS)
        .stream()
        .filter(rule -> rule.contains(service))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void aPreviewNamesWhatASyncWouldChangeAndChangesNothing(Variant chosen) {
    use(chosen);
    open(EVERYWHERE);
    brain.apply(RandomCluster.event(0));
    String nothing = saved(IpFamily.IPV4).lines().toString();
    assertThat(backend.preview(view.image()))
        .contains("+ chain filter KUBE-PROXY-CANARY (IPv4)")
        .anyMatch(line -> line.startsWith("+ rule nat PREROUTING (IPv4) "))
        .anyMatch(line -> line.startsWith("+ chain nat KUBE-SERVICES (IPv6): "))
        .allMatch(line -> line.startsWith("+ "));
    assertThat(saved(IpFamily.IPV4).lines()).hasToString(nothing);
    load();
    assertThat(backend.preview(view.image())).isEmpty();
    iptables("-t", "nat", "-F", "KUBE-POSTROUTING");
    iptables("-t", "nat", "-N", "KUBE-SVC-ABCDEFGHIJKLMNOP");
    assertThat(backend.preview(view.image()))
        .contains("- chain nat KUBE-SVC-ABCDEFGHIJKLMNOP (IPv4)")
        .anyMatch(
            line -> line.startsWith("+ rule nat KUBE-POSTROUTING (IPv4) -j MARK --xor-mark 0x4000"))
        .hasSize(4);
  }

  @Test
  void whatKubeProxyHadInItsChainsIsReplacedAndThatIsKnown() {
    load();
    assertThat(backend.tookOver()).isFalse();
    IptablesBackend next = new IptablesBackend(options());
    next.sync(NodeChange.to(view.image()));
    assertThat(next.tookOver()).as("our own of an earlier run").isFalse();
    iptables("-t", "nat", "-F", "KUBE-MARK-MASQ");
    iptables("-t", "nat", "-A", "KUBE-MARK-MASQ", "-j", "MARK", "--or-mark", "0x4000");
    next = new IptablesBackend(options());
    next.sync(NodeChange.to(view.image()));
    assertThat(next.tookOver()).isTrue();
    assertThat(saved(IpFamily.IPV4).chain(Chains.NAT, Chains.MARK_MASQUERADE))
        .containsExactly(
            "-m comment --comment \"rules of Portolan\" -j MARK --set-xmark 0x4000/0x4000");
  }

  @Test
  void aChangeWritesOnlyWhatItTouches() {
    load();
    IptablesCounts.OfFamily counts = backend.counts().of(IpFamily.IPV4);
    long all = counts.rules(Chains.NAT);
    assertThat(counts.rulesWritten(Chains.NAT)).isEqualTo(all);
    brain.apply(ClusterDelta.builder().set(Small.service()).set(Small.slice(3)).build());
    sync();
    assertThat(counts.rulesWritten(Chains.NAT)).isEqualTo(1 + 1 + 3 + 2 * 3);
    assertThat(counts.rules(Chains.NAT)).isEqualTo(all + 1 + 1 + 3 + 2 * 3);
    brain.apply(ClusterDelta.builder().set(Small.slice(2)).build());
    sync();
    assertThat(counts.rulesWritten(Chains.NAT)).isEqualTo(1 + 2 + 2 * 2);
    assertThat(counts.rulesWritten(Chains.FILTER)).isZero();
    assertThat(counts.rules(Chains.NAT)).isEqualTo(all + 1 + 1 + 2 + 2 * 2);
    assertThat(counts.fullRestores()).isEqualTo(1);
    assertThat(counts.partialRestores()).isEqualTo(2);
    sync();
    assertThat(counts.partialRestores()).as("a sync that changes nothing").isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void manyServicesAtOnceComeAndGo(Variant chosen) {
    use(chosen);
    load();
    Saved before = saved(IpFamily.IPV4);
    ClusterDelta.Builder births = ClusterDelta.builder();
    ClusterDelta.Builder deaths = ClusterDelta.builder();
    for (int i = 0; i < 150; i++) {
      Service service =
          Service.named("many", "s" + i)
              .clusterIps(List.of("10.96.8." + i))
              .ports(List.of(new Service.Port("", Protocol.UDP, 53, 31_000 + i)))
              .build();
      births.set(service);
      deaths.removeService(service.name());
    }
    brain.apply(births.build());
    sync();
    Saved more = saved(IpFamily.IPV4);
    assertThat(more.chain(Chains.FILTER, Chains.SERVICES)).hasSizeGreaterThan(150);
    assertThat(more.chain(Chains.NAT, Chains.SERVICES))
        .isEqualTo(before.chain(Chains.NAT, Chains.SERVICES));
    brain.apply(deaths.build());
    sync();
    assertThat(saved(IpFamily.IPV4)).isEqualTo(before);
    assertThat(backend.counts().of(IpFamily.IPV4).fullRestores()).isEqualTo(1);
  }

  @Test
  void aLargeClusterHasNoCommentsAtItsEndpoints() {
    backend =
        new IptablesBackend(
            new IptablesOptions(
                14,
                false,
                variant,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                2,
                true,
                namespace.path(),
                IptablesOptions.USUAL_FOLDERS));
    brain.apply(ClusterDelta.builder().set(Small.service()).set(Small.slice(2)).build());
    sync();
    String comment = "--comment \"traffic/test:http -> ";
    assertThat(saved(IpFamily.IPV4).toString()).contains(comment);
    brain.apply(ClusterDelta.builder().set(Small.slice(3)).build());
    sync();
    assertThat(saved(IpFamily.IPV4).toString())
        .doesNotContain(comment)
        .doesNotContain("INVALID")
        .contains("--comment \"traffic/test:http cluster IP\"");
    brain.apply(ClusterDelta.builder().set(Small.slice(2)).build());
    sync();
    assertThat(saved(IpFamily.IPV4).toString()).contains(comment);
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void aRejectedLineIsNamedWithItsServiceAndTheNextSyncHealsIt(Variant chosen) {
    use(chosen);
    brain.apply(ClusterDelta.builder().set(Small.service()).set(Small.slice(2)).build());
    sync();
    Saved before = saved(IpFamily.IPV4);
    NodeSettings broken =
        NodeSettings.DEFAULT
            .change()
            .localMode(NodeSettings.LocalMode.BRIDGE_INTERFACE)
            .podInterface("longer-than-linux-likes-them")
            .families(Set.of(IpFamily.IPV4))
            .build();
    open(broken);
    assertThatThrownBy(this::sync)
        .isInstanceOf(BackendException.class)
        .hasMessageMatching(
            "iptables \\(IPv4\\): \\S+-restore rejected line \\d+, '-A KUBE-SVC-\\w{16} .*! -i"
                + " longer-than-linux-likes-them -j KUBE-MARK-MASQ' in table nat for"
                + " traffic/test:http: .*interface name.*; that table keeps its previous rules");
    assertThat(saved(IpFamily.IPV4)).isEqualTo(before);
    IptablesCounts.OfFamily counts = backend.counts().of(IpFamily.IPV4);
    assertThat(counts.restoreFailures()).isEqualTo(1);
    assertThat(counts.partialRestoreFailures()).isZero();
    open(NodeSettings.DEFAULT);
    sync();
    assertThat(counts.fullRestores()).isEqualTo(2);
    assertThat(saved(IpFamily.IPV4)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void aChangeThatIsRejectedIsFollowedByAFullRestore(Variant chosen) {
    use(chosen);
    brain.apply(ClusterDelta.builder().set(Small.service()).set(Small.slice(2)).build());
    sync();
    iptables("-t", "nat", "-F");
    iptables("-t", "nat", "-X");
    brain.apply(ClusterDelta.builder().set(Small.slice(3)).build());
    // The chains of the service are there again, but not the one that they lead to.
    assertThatThrownBy(this::sync)
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("-restore rejected line ")
        .hasMessageContaining("KUBE-MARK-MASQ");
    IptablesCounts.OfFamily counts = backend.counts().of(IpFamily.IPV4);
    assertThat(counts.partialRestoreFailures()).isEqualTo(1);
    sync();
    assertThat(counts.fullRestores()).isEqualTo(2);
    assertThat(audit()).isEmpty();
  }

  @Test
  void packetsOfNodePortsOnLocalhostAreCounted() {
    load();
    assertThat(backend.counts().invalidPacketsDropped()).hasValue(0);
    assertThat(backend.counts().localhostNodePortPackets()).hasValue(0);
    open(EVERYWHERE);
    sync();
    assertThat(saved(IpFamily.IPV4).chain(Chains.NAT, Chains.NODE_PORTS).toString())
        .contains("-d 127.0.0.0/8")
        .contains(RuleText.LOCALHOST_COUNTER);
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void localhostIsOpenedBehindItsGuard(Variant chosen) {
    use(chosen);
    backend.openLocalhost();
    assertThat(saved(IpFamily.IPV4).ours())
        .anyMatch(line -> line.matches("filter KUBE-FIREWALL .*127.0.0.0/8.* -j DROP"))
        .contains("filter INPUT -j KUBE-FIREWALL", "filter OUTPUT -j KUBE-FIREWALL")
        .noneMatch(line -> line.contains("KUBE-SERVICES"));
    assertThat(namespace.run("cat", ROUTE_LOCALNET)).isEqualTo("1\n");
    List<String> once = saved(IpFamily.IPV4).lines();
    backend.openLocalhost();
    assertThat(saved(IpFamily.IPV4).lines()).isEqualTo(once);
  }

  @Test
  void localhostStaysShutWithoutItsGuard() throws IOException {
    Path programs = Files.createTempDirectory("programs");
    for (String name : List.of("iptables", "iptables-save")) {
      Files.createSymbolicLink(programs.resolve(name), Path.of("/usr/sbin/iptables-nft"));
    }
    Path restore = programs.resolve("iptables-restore");
    Files.writeString(
        restore,
        "#!/bin/sh\ncase \"$*\" in *--test*) exit 0;; esac\ncat >/dev/null\necho no >&2\nexit 1\n");
    assertThat(restore.toFile().setExecutable(true)).isTrue();
    IptablesOptions usual = options();
    IptablesBackend unable =
        new IptablesBackend(
            new IptablesOptions(
                usual.masqueradeBit(),
                true,
                Variant.AUTO,
                usual.lockWait(),
                usual.lookEvery(),
                usual.largeClusterEndpoints(),
                usual.conntrackLiberal(),
                usual.namespace(),
                List.of(programs)));
    assertThatThrownBy(unable::openLocalhost).isInstanceOf(BackendException.class);
    assertThat(namespace.run("cat", ROUTE_LOCALNET)).isEqualTo("0\n");
  }

  @Test
  void aFamilyThatIsNotServedHasNoChains() {
    load();
    assertThat(saved(IpFamily.IPV6).ours()).isNotEmpty();
    open(NodeSettings.DEFAULT.with(Set.of(IpFamily.IPV4)));
    sync();
    change();
    assertThat(saved(IpFamily.IPV4).ours()).isNotEmpty();
    assertThat(saved(IpFamily.IPV6).ours()).isEmpty();
    assertThat(audit()).isEmpty();
  }

  @Test
  void nodePortsOnLocalhostComeWithTheirGuard() {
    String sysctl = "/proc/sys/net/ipv4/conf/all/route_localnet";
    load();
    assertThat(namespace.run("cat", sysctl)).isEqualTo("0\n");
    assertThat(saved(IpFamily.IPV4).toString()).doesNotContain("localnet");
    open(EVERYWHERE);
    sync();
    assertThat(namespace.run("cat", sysctl)).isEqualTo("1\n");
    Saved saved = saved(IpFamily.IPV4);
    assertThat(saved.chain(Chains.FILTER, Chains.KUBELET_FIREWALL))
        .containsExactly(
            "! -s 127.0.0.0/8 -d 127.0.0.0/8 -m comment --comment \"block incoming localnet"
                + " connections\" -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP");
    assertThat(saved.chain(Chains.FILTER, "INPUT").getFirst()).isEqualTo("-j KUBE-FIREWALL");
    assertThat(saved.chain(Chains.FILTER, "OUTPUT").getFirst()).isEqualTo("-j KUBE-FIREWALL");
    assertThat(saved(IpFamily.IPV6).toString()).doesNotContain("KUBE-FIREWALL");
    iptables("-F", "KUBE-FIREWALL");
    assertThat(audit()).endsWith(": missing the guard of localhost in table filter (IPv4)");
    assertThat(saved(IpFamily.IPV4)).isEqualTo(saved);
    backend = backend();
    applied = NodeImage.unsynced("worker-1");
    sync();
    assertThat(saved(IpFamily.IPV4)).isEqualTo(saved);
  }

  /** CVE-2020-8558: a neighbour sends packets for 127.0.0.1 to the node. */
  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void aNeighbourDoesNotReachWhatListensOnLocalhost(Variant chosen) throws IOException {
    use(chosen);
    InetAddress localhost = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    try (TestNamespace neighbour = new TestNamespace();
        ServerSocket server =
            namespace.namespace().visit(() -> new ServerSocket(0, 5, localhost))) {
      namespace.connect(neighbour, "cable", "172.18.0.11/24", "172.18.0.12/24");
      neighbour.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet");
      neighbour.ip("address", "flush", "dev", "lo", "scope", "host");
      neighbour.ip("route", "add", "127.0.0.1/32", "via", "172.18.0.11");
      InetSocketAddress target = new InetSocketAddress(localhost, server.getLocalPort());
      open(EVERYWHERE);
      load();
      assertThat(canConnect(neighbour, target)).isFalse();
      assertThat(canConnect(namespace, target)).isTrue();
      iptables("-F", Chains.KUBELET_FIREWALL);
      assertThat(canConnect(neighbour, target)).as("without the guard").isTrue();
    }
  }

  private static boolean canConnect(TestNamespace from, InetSocketAddress to) throws IOException {
    return from.namespace()
        .<Boolean, IOException>visit(() -> {
          try (Socket socket = new Socket()) {
            socket.connect(to, 500);
            return true;
          } catch (SocketTimeoutException e) {
            return false;
          }
        });
  }

  @Test
  void aNamespaceThatIsNotThereIsNamed() {
    assertThatThrownBy(() ->
            new IptablesBackend(IptablesOptions.DEFAULT.in(Optional.of(Path.of("/nonexistent")))))
        .isInstanceOf(BackendException.class)
        .hasMessage("iptables: no such network namespace: /nonexistent");
  }
}
