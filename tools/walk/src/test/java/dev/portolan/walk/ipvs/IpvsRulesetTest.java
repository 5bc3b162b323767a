package dev.portolan.walk.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.ipvs.RealServer;
import dev.portolan.netlink.ipvs.ServiceSettings;
import dev.portolan.netlink.ipvs.VirtualService;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.HookedRules;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import dev.portolan.walk.WalkStep;
import dev.portolan.walk.WrittenNetwork;
import dev.portolan.walk.iptables.AddressSet;
import dev.portolan.walk.iptables.AddressSets;
import dev.portolan.walk.iptables.IptablesRuleset;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Walks past virtual servers that are only values. */
class IpvsRulesetTest {
  private static final int TCP = 6;

  /** The essence of what kube-proxy writes beside its virtual servers. */
  private static final List<String> RULES =
      """
      *nat
      :PREROUTING ACCEPT [0:0]
      :OUTPUT ACCEPT [0:0]
      :POSTROUTING ACCEPT [0:0]
      :KUBE-SERVICES - [0:0]
      :KUBE-MARK-MASQ - [0:0]
      :KUBE-POSTROUTING - [0:0]
      -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
      -A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
      -A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
      -A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000
      -A KUBE-POSTROUTING -m set --match-set KUBE-LOOP-BACK dst,dst,src -j MASQUERADE
      -A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
      -A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0
      -A KUBE-POSTROUTING -j MASQUERADE --random-fully
      -A KUBE-SERVICES -s 127.0.0.0/8 -j RETURN
      -A KUBE-SERVICES ! -s 10.244.1.0/24 -m set --match-set KUBE-CLUSTER-IP dst,dst -j KUBE-MARK-MASQ
      -A KUBE-SERVICES -m set --match-set KUBE-CLUSTER-IP dst,dst -j ACCEPT
      COMMIT
      *filter
      :INPUT ACCEPT [0:0]
      :OUTPUT ACCEPT [0:0]
      :KUBE-IPVS-FILTER - [0:0]
      -A OUTPUT -s 10.96.0.11/32 -m ipvs --vproto 6 --vaddr 10.96.0.11 --vport 80 -j DROP
      -A INPUT -m comment --comment "kubernetes ipvs access filter" -j KUBE-IPVS-FILTER
      -A KUBE-IPVS-FILTER -m set --match-set KUBE-CLUSTER-IP dst,dst -j RETURN
      -A KUBE-IPVS-FILTER -m conntrack --ctstate NEW -m set --match-set KUBE-IPVS-IPS dst -j REJECT
      COMMIT
      """
          .lines()
          .toList();

  private static final AddressSets SETS =
      new AddressSets(
          Map.of(
              "KUBE-LOOP-BACK",
              new AddressSet(
                  List.of(AddressSet.Part.ADDRESS, AddressSet.Part.PORT, AddressSet.Part.ADDRESS),
                  List.of(
                      new AddressSet.Entry(
                          List.of(Ip.of("10.244.1.11"), 8080, Ip.of("10.244.1.11")), TCP))),
              "KUBE-CLUSTER-IP",
              new AddressSet(
                  List.of(AddressSet.Part.ADDRESS, AddressSet.Part.PORT),
                  List.of(
                      new AddressSet.Entry(List.of(Ip.of("10.96.0.10"), 80), TCP),
                      new AddressSet.Entry(List.of(Ip.of("10.96.0.11"), 80), TCP))),
              "KUBE-IPVS-IPS",
              new AddressSet(
                  List.of(AddressSet.Part.ADDRESS),
                  List.of(
                      new AddressSet.Entry(List.of(Ip.of("10.96.0.10")), 0),
                      new AddressSet.Entry(List.of(Ip.of("10.96.0.11")), 0)))));

  private static final NodeNetwork HOST =
      new WrittenNetwork()
          .with("kube-ipvs0", "10.96.0.10/32", "10.96.0.11/32")
          .with("cni0", "10.244.1.1/24")
          .with("eth0", "172.18.0.11/16")
          .leadingOut()
          .network();

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByAddress(Ip.of(text).toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static VirtualServers.Server server(
      String address, int port, String scheduler, int flags, RealServer... real) {
    return new VirtualServers.Server(
        new VirtualService(TCP, address(address), port, 0),
        ServiceSettings.of(AddressFamily.IPV4, scheduler, flags, flags == 0 ? 0 : 10_800),
        List.of(real));
  }

  private static RealServer real(String address, int weight) {
    return new RealServer(address(address), 8080, weight);
  }

  private static IpvsRuleset rules(VirtualServers.Server... servers) {
    IptablesRuleset iptables =
        new IptablesRuleset("iptables-nft", Map.of(IpFamily.IPV4, RULES), HOST, SETS);
    List<HookedRules> beside = iptables.hooks(IpFamily.IPV4).stream().toList();
    return new IpvsRuleset(
        new VirtualServers(List.of(servers)),
        HOST,
        iptables.description(),
        Map.of(IpFamily.IPV4, beside));
  }

  private static WalkResult walk(IpvsRuleset rules, String from, String to, int port) {
    Optional<String> through =
        from.equals("172.18.0.11")
            ? Optional.empty()
            : Optional.of(from.startsWith("10.244.1.") ? "cni0" : "eth0");
    return rules.walk(new FirstPacket(Ip.of(from), 40_000, Ip.of(to), port, Protocol.TCP, through));
  }

  private static Way way(String address, boolean masquerade, double share) {
    return new Way(Ip.of(address), 8080, masquerade, share, false);
  }

  @Test
  void connectionsAreSpreadOverRealServersThatTakeNewOnes() {
    IpvsRuleset rules =
        rules(
            server(
                "10.96.0.10",
                80,
                "rr",
                0,
                real("10.244.1.11", 1),
                real("10.244.2.12", 3),
                real("10.244.2.13", 0)));
    assertThat(walk(rules, "10.244.1.77", "10.96.0.10", 80).ways())
        .containsExactly(way("10.244.1.11", false, 0.5), way("10.244.2.12", false, 0.5));
    assertThat(walk(rules, "198.51.100.9", "10.96.0.10", 80).ways())
        .containsExactly(way("10.244.1.11", true, 0.5), way("10.244.2.12", true, 0.5));
    assertThat(walk(rules, "172.18.0.11", "10.96.0.10", 80).ways())
        .containsExactly(way("10.244.1.11", true, 0.5), way("10.244.2.12", true, 0.5));
    assertThat(walk(rules, "10.244.1.11", "10.96.0.10", 80).ways())
        .containsExactly(way("10.244.1.11", true, 0.5), way("10.244.2.12", false, 0.5));
  }

  @Test
  void weightsCountWhereTheSchedulerAsks() {
    IpvsRuleset rules =
        rules(server("10.96.0.10", 80, "wrr", 0, real("10.244.1.11", 1), real("10.244.2.12", 3)));
    assertThat(walk(rules, "10.244.1.77", "10.96.0.10", 80).ways())
        .containsExactly(way("10.244.1.11", false, 0.25), way("10.244.2.12", false, 0.75));
  }

  @Test
  void aPersistentServerRemembersItsClients() {
    IpvsRuleset rules =
        rules(server("10.96.0.10", 80, "rr", ServiceSettings.PERSISTENT, real("10.244.1.11", 1)));
    assertThat(walk(rules, "10.244.1.77", "10.96.0.10", 80).ways()).allMatch(Way::remembered);
  }

  @Test
  void aServerWithoutRealOnesRejects() {
    IpvsRuleset rules = rules(server("10.96.0.11", 80, "rr", 0, real("10.244.1.11", 0)));
    WalkResult result = walk(rules, "10.244.1.77", "10.96.0.11", 80);
    assertThat(result.verdict()).isEqualTo(Verdict.REJECT);
    assertThat(result.steps().getLast())
        .isEqualTo(new WalkStep("ipvs", "tcp 10.96.0.11:80 rr", "no real server: reject"));
  }

  @Test
  void rulesEndWhatIsNotForAServer() {
    IpvsRuleset rules = rules(server("10.96.0.10", 80, "rr", 0, real("10.244.1.11", 1)));
    assertThat(walk(rules, "10.244.1.77", "10.96.0.10", 81).verdict()).isEqualTo(Verdict.REJECT);
    assertThat(walk(rules, "10.244.1.77", "10.96.0.77", 80).verdict()).isEqualTo(Verdict.NONE);
    assertThat(walk(rules, "198.51.100.9", "172.18.0.11", 22).verdict()).isEqualTo(Verdict.NONE);
  }

  @Test
  void rulesSeeWhichServerAPacketWasFor() {
    IpvsRuleset rules =
        rules(
            server("10.96.0.10", 80, "rr", 0, real("10.244.1.11", 1)),
            server("10.96.0.11", 80, "rr", 0, real("10.244.1.11", 1)));
    FirstPacket node =
        new FirstPacket(
            Ip.of("172.18.0.11"), 40_000, Ip.of("10.96.0.11"), 80, Protocol.TCP, Optional.empty());
    assertThat(rules.walk(node).verdict()).isEqualTo(Verdict.FORWARD);
    assertThat(rules.walk(rules.connecting(node)).verdict()).isEqualTo(Verdict.DROP);
    assertThat(walk(rules, "10.96.0.11", "10.96.0.10", 80).verdict()).isEqualTo(Verdict.FORWARD);
  }

  @Test
  void packetsThatAreNotTranslatedAreRemarkable() {
    IpvsRuleset rules =
        rules(
            server(
                "10.96.0.10",
                80,
                "rr",
                0,
                new RealServer(address("10.244.1.11"), 8080, 1, RealServer.ROUTE, 0, 0)));
    assertThat(walk(rules, "10.244.1.77", "10.96.0.10", 80).remark())
        .isEqualTo("packets to real server 10.244.1.11:8080 are not translated");
  }

  @Test
  void itServesAddressesOfServicesAndNodePorts() {
    IpvsRuleset rules =
        rules(
            server("10.96.0.10", 80, "rr", 0, real("10.244.1.11", 1)),
            server("172.18.0.11", 30_080, "rr", 0, real("10.244.1.11", 1)));
    assertThat(rules.served())
        .extracting(ServedPlace::toString)
        .containsExactly("10.96.0.10:80/TCP", "nodePort 30080/TCP (IPv4)");
    assertThat(rules.description())
        .isEqualTo("virtual servers of IPVS, with iptables-nft, chains of kube-proxy");
  }
}
