package dev.portolan.conntrack;

import static dev.portolan.conntrack.StaleReason.ENDPOINT_GONE;
import static dev.portolan.conntrack.StaleReason.NOT_FORWARDED;
import static dev.portolan.conntrack.StaleReason.NO_ENDPOINTS;
import static dev.portolan.conntrack.StaleReason.SERVICE_GONE;
import static dev.portolan.conntrack.TcpCleaning.ALL;
import static dev.portolan.conntrack.TcpCleaning.NEVER;
import static dev.portolan.conntrack.TcpCleaning.UNREPLIED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.conntrack.Flow;
import dev.portolan.netlink.conntrack.Tuple;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Which flows live and which end. The plan: services in 10.96.0.0/16, pods in 10.244.0.0/16, the
 * client at 10.1.0.9, this node at 192.0.2.1 and 192.0.2.2.
 */
final class StaleFlowsTest {
  private static final NodeImage NOTHING = NodeImage.unsynced("node");
  private static final String DNS = "10.96.0.10";
  private static final String POD_A = "10.244.0.2:5353";
  private static final String POD_B = "10.244.0.3:5353";
  private static final Set<Ip> NODE = Set.of(Ip.of("192.0.2.1"), Ip.of("192.0.2.2"));

  @Test
  void aFlowToAnEndpointThatLeftIsStale() {
    StaleFlows stale = change(new Sketch().udp("dns", DNS, POD_A, POD_B), dns(POD_B));
    assertThat(judge(stale, udp(DNS, 53, POD_A))).contains(ENDPOINT_GONE);
    assertThat(judge(stale, udp(DNS, 53, POD_B))).isEmpty();
    assertThat(judge(stale, udp("10.96.0.11", 53, POD_A))).isEmpty();
    assertThat(judge(stale, udp(DNS, 54, POD_A))).isEmpty();
  }

  @Test
  void aTargetPortThatChangedIsAnotherEndpoint() {
    StaleFlows stale = change(dns(POD_A), dns("10.244.0.2:53"));
    assertThat(judge(stale, udp(DNS, 53, POD_A))).contains(ENDPOINT_GONE);
    assertThat(judge(stale, udp(DNS, 53, "10.244.0.2:53"))).isEmpty();
  }

  @Test
  void withoutEndpointsNoFlowLives() {
    StaleFlows stale = change(dns(POD_A), dns());
    assertThat(judge(stale, udp(DNS, 53, POD_A))).contains(NO_ENDPOINTS);
    assertThat(judge(stale, udp(DNS, 53, DNS + ":53"))).contains(NO_ENDPOINTS);
  }

  @Test
  void theFlowsOfADeletedServiceAreStale() {
    StaleFlows stale = change(web(POD_A), new Sketch());
    assertThat(judge(stale, udp(DNS, 53, POD_A))).contains(SERVICE_GONE);
    assertThat(judge(stale, udp("198.51.100.7", 53, POD_A))).contains(SERVICE_GONE);
    assertThat(judge(stale, udp("192.0.2.2", 30053, POD_A))).contains(SERVICE_GONE);
    assertThat(judge(stale, udp("192.0.2.2", 30053, "192.0.2.2:30053"))).isEmpty();
  }

  @Test
  void anAddressThatAnotherServiceTookIsJudgedByItsEndpoints() {
    StaleFlows stale = change(dns(POD_A), new Sketch().udp("other", DNS, POD_B));
    assertThat(judge(stale, udp(DNS, 53, POD_A))).contains(ENDPOINT_GONE);
    assertThat(judge(stale, udp(DNS, 53, POD_B))).isEmpty();
  }

  @Test
  void aFlowOlderThanItsServiceIsStale() {
    StaleFlows stale = change(new Sketch(), dns(POD_A));
    assertThat(judge(stale, udp(DNS, 53, DNS + ":53"))).contains(NOT_FORWARDED);
    assertThat(judge(stale, inZone(udp(DNS, 53, DNS + ":53"), 7))).isEmpty();
  }

  @Test
  void everyKindOfAddressIsLookedAt() {
    StaleFlows stale = change(web(POD_A, POD_B), web(POD_B));
    for (Flow flow :
        List.of(
            udp(DNS, 53, POD_A), udp("198.51.100.7", 53, POD_A), udp("192.0.2.1", 30053, POD_A))) {
      assertThat(judge(stale, flow)).as("%s", flow).contains(ENDPOINT_GONE);
    }
  }

  @Test
  void aNodePortIsOneOnlyOnTheNodesAddresses() {
    StaleFlows stale = change(web(POD_A, POD_B), web(POD_B));
    assertThat(stale.needsNodeAddresses()).isTrue();
    assertThat(judge(stale, udp("203.0.113.1", 30053, POD_A))).isEmpty();
    assertThat(judge(stale, udp("127.0.0.1", 30053, POD_A))).isEmpty();
    NodePortAddresses first = new NodePortAddresses(false, List.of(Cidr.of("192.0.2.1/32")));
    stale = change(web(POD_A, POD_B).nodePorts(first), web(POD_B).nodePorts(first));
    assertThat(judge(stale, udp("192.0.2.1", 30053, POD_A))).contains(ENDPOINT_GONE);
    assertThat(judge(stale, udp("192.0.2.2", 30053, POD_A))).isEmpty();
  }

  @Test
  void aNodePortWithoutEndpointsIsLookedAtToo() {
    StaleFlows stale = change(web(POD_A), web());
    assertThat(judge(stale, udp("192.0.2.1", 30053, POD_A))).contains(NO_ENDPOINTS);
  }

  @Test
  void nodePortsThatMoveAreAsNew() {
    NodePortAddresses first = new NodePortAddresses(false, List.of(Cidr.of("192.0.2.1/32")));
    StaleFlows stale = change(web(POD_A).nodePorts(first), web(POD_A));
    assertThat(judge(stale, udp("192.0.2.2", 30053, "192.0.2.2:30053"))).contains(NOT_FORWARDED);
    assertThat(judge(stale, udp("192.0.2.1", 30053, POD_A))).isEmpty();
    assertThat(judge(stale, udp(DNS, 53, POD_B))).isEmpty();
  }

  @Test
  void whereNothingWasLostNothingIsLookedFor() {
    assertThat(change(dns(POD_A), dns(POD_A)).isEmpty()).isTrue();
    assertThat(change(dns(POD_A), dns(POD_A, POD_B)).isEmpty()).isTrue();
    assertThat(change(tcp(POD_A, POD_B), tcp(POD_A)).isEmpty()).isTrue();
    assertThat(change(dns(), dns(POD_A)).isEmpty()).isFalse();
  }

  @Test
  void unchangedServicesAreNotTouched() {
    StaleFlows stale =
        change(
            dns(POD_A).udp("still", "10.96.0.20", POD_A),
            dns(POD_B).udp("still", "10.96.0.20", POD_A));
    assertThat(judge(stale, udp("10.96.0.20", 53, "10.244.9.9:1"))).isEmpty();
  }

  @Test
  void atTheStartOnlyFlowsToWhatDoesNotServeEnd() {
    StaleFlows stale =
        StaleFlows.after(
            NodeChange.between(NOTHING, dns(POD_A).udp("empty", "10.96.0.20").image()), NEVER);
    assertThat(judge(stale, udp(DNS, 53, POD_A))).isEmpty();
    assertThat(judge(stale, udp(DNS, 53, POD_B))).contains(ENDPOINT_GONE);
    assertThat(judge(stale, udp("10.96.0.20", 53, POD_B))).contains(NO_ENDPOINTS);
    assertThat(judge(stale, udp("10.96.0.30", 53, POD_B))).isEmpty();
    assertThat(judge(stale, udp("8.8.8.8", 53, "8.8.8.8:53"))).isEmpty();
  }

  @Test
  void tcpLivesUnlessAskedFor() {
    StaleFlows udpOnly = change(tcp(POD_A, POD_B), tcp(POD_B));
    assertThat(judge(udpOnly, tcpFlow(POD_A, DNS))).isEmpty();
    StaleFlows both =
        StaleFlows.after(
            NodeChange.between(tcp(POD_A, POD_B).image(), tcp(POD_B).revision(2).image()), ALL);
    assertThat(judge(both, tcpFlow(POD_A, DNS))).contains(ENDPOINT_GONE);
    assertThat(judge(both, tcpFlow(POD_B, DNS))).isEmpty();
    assertThat(judge(both, tcpFlow(DNS + ":53", DNS))).isEmpty();
    StaleFlows unreplied =
        StaleFlows.after(
            NodeChange.between(tcp(POD_A, POD_B).image(), tcp(POD_B).revision(2).image()),
            UNREPLIED);
    Flow silent = tcpFlow(POD_A, DNS);
    assertThat(judge(unreplied, silent)).contains(ENDPOINT_GONE);
    assertThat(judge(unreplied, replied(silent))).isEmpty();
    assertThat(judge(both, replied(silent))).contains(ENDPOINT_GONE);
    StaleFlows gone =
        StaleFlows.after(
            NodeChange.between(tcp(POD_A).image(), new Sketch().revision(2).image()), ALL);
    assertThat(judge(gone, tcpFlow(POD_A, DNS))).isEmpty();
  }

  @Test
  void ipv6IsNoDifferent() {
    StaleFlows stale =
        change(
            new Sketch().udp("dns", "fd00:96::10", "[fd00:244::2]:53", "[fd00:244::3]:53"),
            new Sketch().udp("dns", "fd00:96::10", "[fd00:244::3]:53"));
    assertThat(judge(stale, udp("fd00:96::10", 53, "[fd00:244::2]:53"))).contains(ENDPOINT_GONE);
    assertThat(judge(stale, udp("fd00:96::10", 53, "[fd00:244::3]:53"))).isEmpty();
  }

  private static Flow replied(Flow flow) {
    return new Flow(
        flow.family(),
        flow.protocol(),
        flow.original(),
        flow.reply(),
        flow.id(),
        flow.status() | Flow.SEEN_REPLY,
        flow.mark(),
        flow.zone());
  }

  private static Sketch dns(String... endpoints) {
    return new Sketch().udp("dns", DNS, endpoints);
  }

  private static Sketch web(String... endpoints) {
    return new Sketch()
        .service("web", Protocol.UDP, DNS, 53, 30053, List.of("198.51.100.7"), endpoints);
  }

  private static Sketch tcp(String... endpoints) {
    return new Sketch().service("web", Protocol.TCP, DNS, 53, 0, List.of(), endpoints);
  }

  private static StaleFlows change(Sketch before, Sketch after) {
    return StaleFlows.after(NodeChange.between(before.image(), after.revision(2).image()), NEVER);
  }

  private static Optional<StaleReason> judge(StaleFlows stale, Flow flow) {
    return stale.judge(flow, NODE::contains).map(StaleFlow::reason);
  }

  private static Flow udp(String destination, int port, String target) {
    return flow(Flow.UDP, destination, port, target);
  }

  private static Flow tcpFlow(String target, String destination) {
    return flow(Flow.TCP, destination, 53, target);
  }

  private static Flow inZone(Flow flow, int zone) {
    return new Flow(
        flow.family(),
        flow.protocol(),
        flow.original(),
        flow.reply(),
        flow.id(),
        flow.status(),
        flow.mark(),
        zone);
  }

  private static Flow flow(int protocol, String destination, int port, String target) {
    int colon = target.lastIndexOf(':');
    InetAddress to = address(destination);
    InetAddress end = address(target.substring(0, colon).replaceAll("[\\[\\]]", ""));
    AddressFamily family = AddressFamily.of(to);
    InetAddress client = address(family == AddressFamily.IPV6 ? "fd00:1::9" : "10.1.0.9");
    int targetPort = Integer.parseInt(target.substring(colon + 1));
    return new Flow(
        family,
        protocol,
        new Tuple(client, 4000, to, port, 0),
        new Tuple(end, targetPort, client, 4000, 0),
        1,
        0,
        0,
        0);
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
