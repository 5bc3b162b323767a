package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.DriftListener;
import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.testkit.lab.Actor;
import dev.portolan.testkit.lab.Lab;
import dev.portolan.testkit.lab.Probe;
import dev.portolan.testkit.lab.Reply;
import dev.portolan.testkit.packets.Churn;
import dev.portolan.testkit.packets.NodeUnderTest;
import dev.portolan.testkit.packets.PacketTable;
import dev.portolan.testkit.packets.Vigil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections through a real kernel while rules change, with both kinds of iptables. */
@ParameterizedClass
@EnumSource(
    value = Variant.class,
    names = {"NFT", "LEGACY"})
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
class TrafficTest {
  private static final int NODE_PORT = 30_099;
  private static final Ip LOCALHOST = Ip.of("127.0.0.1");
  private static final NodeSettings EVERYWHERE =
      new NodeSettings(
          NodeSettings.LocalMode.NODE_CIDR,
          List.of(),
          "",
          NodePortChoice.parse(List.of("all")),
          NodeSettings.BOTH,
          List.of(),
          false);

  @Parameter Variant variant;
  private Lab lab;
  private NodeUnderTest node;

  @BeforeEach
  void build() {
    lab = Lab.open();
    node = node(NodeSettings.DEFAULT);
    node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
  }

  @AfterEach
  void tearDown() {
    node.close();
    for (IpFamily family : IpFamily.values()) {
      assertThat(saved(family).ours())
          .filteredOn(line -> !line.contains("KUBE-FIREWALL"))
          .isEmpty();
    }
    lab.close();
  }

  private NodeUnderTest node(NodeSettings settings) {
    return new NodeUnderTest(
        lab.node(), () -> new IptablesBackend(IptablesOptions.DEFAULT.with(variant)), settings);
  }

  private IptablesBackend backend() {
    return (IptablesBackend) node.backend();
  }

  private Saved saved(IpFamily family) {
    return Saved.read(variant, family, lab.node()::exec);
  }

  private String program(String verb) {
    return Saved.program(variant, IpFamily.IPV4, verb);
  }

  private void assertNothingStale() {
    lab.node()
        .run(() -> {
          backend().tidy();
          assertThat(backend().audit()).isEmpty();
        });
    for (IpFamily family : IpFamily.values()) {
      Saved now = saved(family);
      String text = now.toString();
      assertThat(now.tables().get(Chains.NAT).keySet())
          .filteredOn(Chains::isOfService)
          .allSatisfy(chain -> assertThat(text).contains("-j " + chain));
    }
  }

  @Test
  void nobodyNoticesChangesToOthers() {
    Churn.Report report = new Churn(1).run(lab, node, 150, step -> {});
    assertThat(report.failures()).isEmpty();
    assertThat(report.probes()).isGreaterThan(100);
    assertNothingStale();
  }

  @Test
  void nobodyNoticesThatTheProcessEndsAtRandomAndStartsAgain() {
    Random random = new Random(7);
    Churn.Report report =
        new Churn(2)
            .run(
                lab,
                node,
                50,
                step -> {
                  if (random.nextInt(5) == 0) {
                    node.restart();
                  }
                });
    assertThat(report.failures()).isEmpty();
    assertNothingStale();
  }

  @Test
  void flushedTablesAreBackBeforeLong() throws InterruptedException {
    DriftListener listener =
        new DriftListener() {
          @Override
          public void repaired(int objects, String cause) {}

          @Override
          public void notRepaired(BackendException failure) {
            throw failure;
          }
        };
    try (IptablesWatch watch =
        lab.node().call(() -> new IptablesWatch(backend(), Duration.ofMillis(50), listener))) {
      for (String table : Chains.TABLES) {
        long repairs = watch.repairs();
        lab.node().execWith("*" + table + "\nCOMMIT\n", program("restore"));
        for (int waited = 0; watch.repairs() == repairs && waited < 2_000; waited++) {
          Thread.sleep(10);
        }
        assertThat(watch.repairs()).as(table).isGreaterThan(repairs);
      }
    }
    Vigil healed = Vigil.over(lab, Vigil.usual());
    Thread.sleep(500);
    healed.close();
    assertThat(healed.failures()).isEmpty();
    assertThat(healed.probes()).isPositive();
    assertNothingStale();
  }

  @Test
  void endpointsComeAndGoUnderConnectionsAndNoneIsRefused() throws InterruptedException {
    List<Actor> pods = Actor.PODS;
    node.apply(ClusterDelta.builder().set(Small.service()).set(Small.slice(pods)).build());
    AtomicBoolean over = new AtomicBoolean();
    List<String> failures = new ArrayList<>();
    int[] connections = {0};
    Thread client =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                connections[0]++;
                Reply reply = lab.probe(Actor.POD_A3).ask(Protocol.TCP, Small.ADDRESS, 80);
                if (!(reply instanceof Reply.Answered)) {
                  failures.add(reply.toString());
                }
              }
            });
    long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
    for (int i = 0; i < 300 || System.nanoTime() < end; i++) {
      int count = 1 + i % pods.size();
      node.apply(ClusterDelta.builder().set(Small.slice(count)).build());
    }
    over.set(true);
    client.join();
    assertThat(failures).isEmpty();
    assertThat(connections[0]).isGreaterThan(50);
  }

  @Test
  void aClientSticksUntilTheTimeIsOverOrTheEndpointGoes() throws InterruptedException {
    node.apply(
        ClusterDelta.builder().set(Small.service(0, 2)).set(Small.slice(Actor.PODS)).build());
    String first = answer();
    for (int i = 0; i < 20; i++) {
      assertThat(answer()).isEqualTo(first);
    }
    List<Actor> others = Actor.PODS.stream().filter(pod -> !pod.toString().equals(first)).toList();
    node.apply(ClusterDelta.builder().set(Small.slice(others)).build());
    String second = answer();
    assertThat(second).isNotEqualTo(first);
    assertThat(answer()).isEqualTo(second);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 8 && seen.size() < 2; i++) {
      Thread.sleep(2_500);
      seen.add(answer());
    }
    assertThat(seen).as("after the time is over, another endpoint is drawn").hasSizeGreaterThan(1);
  }

  private String answer() {
    Reply reply = lab.probe(Actor.POD_A3).ask(Protocol.TCP, Small.ADDRESS, 80);
    assertThat(reply).isInstanceOf(Reply.Answered.class);
    return ((Reply.Answered) reply).name();
  }

  @Test
  void anAddressThatTheNodeGetsServesNodePortsAtOnce() {
    Ip fresh = Ip.of("172.18.0.99");
    try (NodeUnderTest all = node(EVERYWHERE)) {
      all.apply(
          ClusterDelta.builder()
              .set(Small.service(NODE_PORT, 0))
              .set(Small.slice(Actor.PODS))
              .build());
      lab.node().exec("ip", "address", "add", "172.18.0.99/32", "dev", "lo");
      assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, fresh, NODE_PORT))
          .isInstanceOf(Reply.Answered.class);
      lab.node().exec("ip", "address", "delete", "172.18.0.99/32", "dev", "lo");
      assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, fresh, NODE_PORT, Probe.SHORT))
          .isNotInstanceOf(Reply.Answered.class);
    }
  }

  /**
   * Rules as kube-proxy would have left them for another state of the cluster: services under other
   * names and hashes lead to chains that we do not want, and all jumps are there.
   */
  @Test
  void rulesOfKubeProxyAreTakenOverInPlace() {
    lab.node().run(backend()::cleanup);
    lab.node().execWith(UPSTREAM, program("restore"), "--noflush");
    Ip old = Ip.of("10.96.0.20");
    assertThat(lab.probe(Actor.POD_A3).ask(Protocol.TCP, old, 80))
        .isInstanceOf(Reply.Answered.class);
    AtomicBoolean over = new AtomicBoolean();
    List<Reply> failures = new ArrayList<>();
    Thread client =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                Reply reply = lab.probe(Actor.POD_A3).ask(Protocol.TCP, old, 80);
                if (!(reply instanceof Reply.Answered)) {
                  failures.add(reply);
                }
              }
            });
    node.restart();
    over.set(true);
    join(client);
    assertThat(failures).isEmpty();
    Saved now = saved(IpFamily.IPV4);
    assertThat(now.toString())
        .doesNotContain("AAAAAAAAAAAAAAAA", "10.96.77.77", "old/gone")
        .contains("lab/web:tcp cluster IP");
    List<String> jumps = now.chain(Chains.FILTER, "FORWARD");
    assertThat(jumps).hasSize(5).doesNotHaveDuplicates();
    assertThat(jumps.getLast()).isEqualTo("-i nowhere -j ACCEPT");
    assertThat(now.chain(Chains.NAT, "PREROUTING")).hasSize(1);
    assertNothingStale();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static final String UPSTREAM =
      """
      *mangle
      :KUBE-PROXY-CANARY - [0:0]
      COMMIT
      *filter
      :KUBE-SERVICES - [0:0]
      :KUBE-EXTERNAL-SERVICES - [0:0]
      :KUBE-FORWARD - [0:0]
      :KUBE-NODEPORTS - [0:0]
      :KUBE-PROXY-FIREWALL - [0:0]
      :KUBE-PROXY-CANARY - [0:0]
      -A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL
      -A INPUT -m comment --comment "kubernetes health check service ports" -j KUBE-NODEPORTS
      -A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes externally-visible service portals" -j KUBE-EXTERNAL-SERVICES
      -A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL
      -A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
      -A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
      -A FORWARD -m conntrack --ctstate NEW -m comment --comment "kubernetes externally-visible service portals" -j KUBE-EXTERNAL-SERVICES
      -A FORWARD -i nowhere -j ACCEPT
      -A OUTPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL
      -A OUTPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
      -A KUBE-EXTERNAL-SERVICES -m comment --comment "old/gone:http has no endpoints" -m addrtype --dst-type LOCAL -m tcp -p tcp --dport 30777 -j REJECT
      -A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP
      COMMIT
      *nat
      :KUBE-SERVICES - [0:0]
      :KUBE-NODEPORTS - [0:0]
      :KUBE-POSTROUTING - [0:0]
      :KUBE-MARK-MASQ - [0:0]
      :KUBE-PROXY-CANARY - [0:0]
      :KUBE-SVC-AAAAAAAAAAAAAAAA - [0:0]
      :KUBE-SEP-AAAAAAAAAAAAAAAA - [0:0]
      :KUBE-SVC-BBBBBBBBBBBBBBBB - [0:0]
      -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
      -A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
      -A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
      -A KUBE-SEP-AAAAAAAAAAAAAAAA -m comment --comment old/gone:http -s 10.244.1.11 -j KUBE-MARK-MASQ
      -A KUBE-SEP-AAAAAAAAAAAAAAAA -m comment --comment old/gone:http -m tcp -p tcp -j DNAT --to-destination 10.244.1.11:8080
      -A KUBE-SVC-AAAAAAAAAAAAAAAA -m comment --comment "old/gone:http -> 10.244.1.11:8080" -j KUBE-SEP-AAAAAAAAAAAAAAAA
      -A KUBE-SVC-BBBBBBBBBBBBBBBB -m comment --comment "old/gone:http -> 10.244.1.11:8080" -j KUBE-SEP-AAAAAAAAAAAAAAAA
      -A KUBE-SERVICES -m comment --comment "old/gone:http cluster IP" -m tcp -p tcp -d 10.96.77.77 --dport 80 -j KUBE-SVC-AAAAAAAAAAAAAAAA
      -A KUBE-SERVICES -m comment --comment "lab/web:tcp cluster IP" -m tcp -p tcp -d 10.96.0.20 --dport 80 -j KUBE-SVC-AAAAAAAAAAAAAAAA
      COMMIT
      """;

  @Test
  void nodePortsAnswerOnLocalhost() {
    try (NodeUnderTest all = node(EVERYWHERE)) {
      all.apply(
          ClusterDelta.builder()
              .set(Small.service(NODE_PORT, 0))
              .set(Small.slice(Actor.PODS))
              .build());
      long before = counted(all);
      assertThat(lab.probe(Actor.NODE).ask(Protocol.TCP, LOCALHOST, NODE_PORT))
          .isInstanceOf(Reply.Answered.class);
      assertThat(counted(all)).isGreaterThan(before);
    }
  }

  private long counted(NodeUnderTest place) {
    IptablesBackend one = (IptablesBackend) place.backend();
    return lab.node().call(() -> one.counts().localhostNodePortPackets().orElseThrow());
  }
}
