package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Reply;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testkit.TrafficContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections through a real kernel while rules change, with both kinds of iptables. */
@ParameterizedClass
@EnumSource(
    value = Variant.class,
    names = {"NFT", "LEGACY"})
@AtNight
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
class TrafficTest extends TrafficContract {
  private static final Ip LOCALHOST = Ip.of("127.0.0.1");

  @Parameter Variant variant;

  @Override
  protected BackendUnderTest backend() {
    return () -> new IptablesBackend(IptablesOptions.DEFAULT.with(variant));
  }

  @Override
  protected int changes() {
    return 200;
  }

  private IptablesBackend atWork() {
    return (IptablesBackend) node.backend();
  }

  private Saved saved(IpFamily family) {
    return Saved.read(variant, family, lab.node()::exec);
  }

  private String program(String verb) {
    return Saved.program(variant, IpFamily.IPV4, verb);
  }

  @Override
  protected void assertNothingStale() {
    lab.node()
        .run(() -> {
          atWork().tidy();
          assertThat(atWork().audit(node.image())).isEqualTo(Audit.CLEAN);
        });
    for (IpFamily family : IpFamily.values()) {
      Saved now = saved(family);
      String text = now.toString();
      assertThat(now.tables().get(Chains.NAT).keySet())
          .filteredOn(Chains::isOfService)
          .allSatisfy(chain -> assertThat(text).contains("-j " + chain));
    }
  }

  @Override
  protected void assertNothingLeft() {
    for (IpFamily family : IpFamily.values()) {
      assertThat(saved(family).ours())
          .filteredOn(line -> !line.contains("KUBE-FIREWALL"))
          .isEmpty();
    }
  }

  @Test
  void flushedTablesAreBackBeforeLong() throws InterruptedException {
    IptablesOptions usual = IptablesOptions.DEFAULT.with(variant);
    IptablesOptions often =
        new IptablesOptions(
            usual.masqueradeBit(),
            usual.localhostNodePorts(),
            usual.variant(),
            usual.lockWait(),
            Duration.ofMillis(50),
            usual.largeClusterEndpoints(),
            usual.conntrackLiberal(),
            usual.namespace(),
            usual.programs());
    try (Guard guard = guard(() -> new IptablesBackend(often))) {
      int repairs = 0;
      for (String table : Chains.TABLES) {
        lab.node().execWith("*" + table + "\nCOMMIT\n", program("restore"));
        repairs = guard.awaitMore(repairs);
      }
    }
    assertHealed();
  }

  /**
   * Rules as kube-proxy would have left them for another state of the cluster: services under other
   * names and hashes lead to chains that we do not want, and all jumps are there.
   */
  @Test
  void rulesOfKubeProxyAreTakenOverInPlace() {
    lab.node().run(atWork()::cleanup);
    lab.node().execWith(UPSTREAM, program("restore"), "--noflush");
    Ip old = Ip.of("10.96.0.20");
    assertThat(lab.probe(Actor.POD_A3).ask(Protocol.TCP, old, 80))
        .isInstanceOf(Reply.Answered.class);
    assertThat(askedWhile(old, soFar -> node.restart()))
        .isNotEmpty()
        .allSatisfy(reply -> assertThat(reply).isInstanceOf(Reply.Answered.class));
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
    try (NodeUnderTest all = withNodePort()) {
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
