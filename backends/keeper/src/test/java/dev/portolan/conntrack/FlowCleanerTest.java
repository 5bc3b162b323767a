package dev.portolan.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.conntrack.Conntrack;
import dev.portolan.netlink.conntrack.Flow;
import dev.portolan.netlink.conntrack.FlowFilter;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Ends real flows: packets from a node to two pods behind a cable, sent on by a dnat rule. */
@NeedsKernel(tools = {"ip", "nft", "conntrack"})
final class FlowCleanerTest {
  private static final String DNS = "10.96.0.10";
  private static final String POD_A = "10.244.0.2:5353";
  private static final String POD_B = "10.244.0.3:5353";

  @AutoClose private final TestNamespace node = new TestNamespace();
  @AutoClose private final TestNamespace pods = new TestNamespace();
  @AutoClose private final Conntrack conntrack = new Conntrack(node.path());
  @AutoClose private final FlowCleaner cleaner = new FlowCleaner(node.path(), TcpCleaning.NEVER);

  private NodeImage cleaned = NodeImage.unsynced("node");

  /** Ends what went stale since the last call. */
  private Cleaning clean(NodeImage image) {
    NodeChange change = NodeChange.between(cleaned, image);
    cleaned = image;
    return cleaner.clean(change);
  }

  @Test
  void aClientThatKeepsItsSocketMovesToTheNewEndpoint() throws Exception {
    node.connect(pods, "cable", "10.244.0.1/24", "10.244.0.2/24");
    pods.ip("address", "add", "10.244.0.3/24", "dev", "cable");
    node.ip("route", "add", "10.96.0.0/16", "dev", "cable");
    sendTo("10.244.0.2");
    clean(image(1, POD_A));

    try (DatagramSocket podA = answering("10.244.0.2");
        DatagramSocket podB = answering("10.244.0.3");
        DatagramSocket client = node.namespace().visit(() -> new DatagramSocket())) {
      send(client, "one");
      assertThat(receive(podA)).isEqualTo("one");
      assertThat(flows()).hasSize(1);

      sendTo("10.244.0.3");
      send(client, "two");
      assertThat(receive(podA)).as("the flow outlives the rule").isEqualTo("two");

      Cleaning cleaning = clean(image(2, POD_B));
      assertThat(cleaning.deleted()).isEqualTo(1);
      assertThat(cleaning.passes())
          .singleElement()
          .satisfies(pass -> {
            assertThat(pass.family()).isEqualTo(IpFamily.IPV4);
            assertThat(pass.examined()).isEqualTo(1);
            assertThat(pass.stale()).containsEntry(StaleReason.ENDPOINT_GONE, 1);
          });
      send(client, "three");
      assertThat(receive(podB)).isEqualTo("three");

      assertThat(clean(image(3, POD_A, POD_B))).isEqualTo(Cleaning.NONE);
      send(client, "four");
      assertThat(receive(podB)).as("a flow to a serving endpoint lives").isEqualTo("four");
      assertThat(clean(new Sketch().revision(4).image()).deleted()).isEqualTo(1);
      assertThat(flows()).isEmpty();
    }
  }

  @Test
  void flowsOfUnchangedServicesSurviveARestart() {
    insert(DNS, "53", POD_A);
    insert(DNS, "53", "10.244.9.9:5353");
    insert("10.96.0.99", "53", POD_A);
    insert("192.0.2.1", "30053", "10.244.9.9:5353");
    Cleaning cleaning = clean(image(7, POD_A));
    assertThat(cleaning.deleted()).isEqualTo(1);
    assertThat(flows()).hasSize(3);
    assertThat(clean(image(8, POD_A)).passes()).isEmpty();
  }

  @Test
  void nodePortsAreCleanedOnTheNodesAddressesOnly() {
    node.ip("address", "add", "192.0.2.1/32", "dev", "lo");
    insert("192.0.2.1", "30053", POD_A);
    insert("192.0.2.2", "30053", POD_A);
    clean(nodePort(1, POD_A));
    assertThat(flows()).hasSize(2);
    assertThat(clean(nodePort(2)).deleted()).isEqualTo(1);
    assertThat(flows())
        .singleElement()
        .matches(flow -> flow.original().destination().getHostAddress().equals("192.0.2.2"));
  }

  @Test
  void tcpFlowsEndWhereAskedFor() {
    insertTcp("4000", "ESTABLISHED", "SEEN_REPLY,ASSURED");
    assertThat(clean(tcp(1, POD_A)).passes()).isEmpty();
    assertThat(clean(tcp(2, POD_B)).passes()).isEmpty();
    try (FlowCleaner both = new FlowCleaner(node.path(), TcpCleaning.ALL)) {
      NodeImage before = tcp(1, POD_A);
      assertThat(both.clean(NodeChange.to(before)).deleted()).isZero();
      NodeChange moved = NodeChange.between(before, tcp(2, POD_B));
      assertThat(both.clean(moved).deleted()).isEqualTo(1);
    }
  }

  @Test
  void onlyTcpFlowsWithoutAReplyEndWhereDrainingIsToBeSafe() {
    insertTcp("4000", "ESTABLISHED", "SEEN_REPLY,ASSURED");
    insertTcp("4001", "SYN_SENT", "");
    try (FlowCleaner unreplied = new FlowCleaner(node.path(), TcpCleaning.UNREPLIED)) {
      NodeImage before = tcp(1, POD_A);
      assertThat(unreplied.clean(NodeChange.to(before)).deleted()).isZero();
      NodeChange moved = NodeChange.between(before, tcp(2, POD_B));
      assertThat(unreplied.clean(moved).deleted()).isEqualTo(1);
    }
    assertThat(conntrack.flows(FlowFilter.of(AddressFamily.IPV4, Flow.TCP)))
        .singleElement()
        .matches(flow -> flow.original().sourcePort() == 4000)
        .matches(Flow::isReplied);
  }

  private void insertTcp(String sourcePort, String state, String status) {
    String words =
        "conntrack -I -p tcp -s 10.1.0.9 -d %s --sport %s --dport 80 --dst-nat %s --state %s"
            + " --timeout 600"
            + (status.isEmpty() ? "" : " --status " + status);
    node.run(words.formatted(DNS, sourcePort, POD_A, state).split(" "));
  }

  @Test
  void ipv6FlowsEndToo() {
    List<String> words =
        List.of(
            "conntrack",
            "-I",
            "-p",
            "udp",
            "-s",
            "fd00::9",
            "-d",
            "fd00:96::10",
            "--sport",
            "4000",
            "--dport",
            "53",
            "--dst-nat",
            "[fd00:244::2]:5353",
            "--timeout",
            "600");
    node.run(words.toArray(String[]::new));
    clean(new Sketch().udp("six", "fd00:96::10", "[fd00:244::2]:5353").image());
    assertThat(conntrack.flows(FlowFilter.of(AddressFamily.IPV6, Flow.UDP))).hasSize(1);
    Cleaning cleaning =
        clean(new Sketch().revision(2).udp("six", "fd00:96::10", "[fd00:244::3]:5353").image());
    assertThat(cleaning.deleted()).isEqualTo(1);
  }

  private List<Flow> flows() {
    return conntrack.flows(FlowFilter.of(AddressFamily.IPV4, Flow.UDP));
  }

  private static NodeImage image(long revision, String... endpoints) {
    return new Sketch().revision(revision).udp("dns", DNS, endpoints).image();
  }

  private static NodeImage nodePort(long revision, String... endpoints) {
    return new Sketch()
        .revision(revision)
        .service("dns", Protocol.UDP, DNS, 53, 30053, List.of(), endpoints)
        .image();
  }

  private static NodeImage tcp(long revision, String... endpoints) {
    return new Sketch()
        .revision(revision)
        .service("web", Protocol.TCP, DNS, 80, 0, List.of(), endpoints)
        .image();
  }

  /** Lets new flows to the service go to a pod. */
  private void sendTo(String pod) {
    node.nft(
        """
        table ip lab
        delete table ip lab
        table ip lab {
          chain output {
            type nat hook output priority -100;
            ip daddr 10.96.0.10 udp dport 53 dnat to %s:5353;
          }
        }
        """
            .formatted(pod));
  }

  private DatagramSocket answering(String address) throws Exception {
    DatagramSocket socket =
        pods.namespace()
            .visit(() ->
                new DatagramSocket(new InetSocketAddress(InetAddress.getByName(address), 5353)));
    socket.setSoTimeout((int) Await.PATIENCE.toMillis());
    return socket;
  }

  private static void send(DatagramSocket client, String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    client.send(
        new DatagramPacket(
            bytes, bytes.length, new InetSocketAddress(InetAddress.getByName(DNS), 53)));
  }

  /** What comes next; it is answered, so that the flow counts as one in both directions. */
  private static String receive(DatagramSocket pod) throws Exception {
    DatagramPacket packet = new DatagramPacket(new byte[100], 100);
    pod.receive(packet);
    pod.send(packet);
    return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
  }

  private int inserted;

  private void insert(String destination, String port, String target) {
    inserted++;
    List<String> words =
        new ArrayList<>(
            List.of("conntrack", "-I", "-p", "udp", "-s", "10.1.0.9", "-d", destination));
    words.addAll(List.of("--sport", String.valueOf(4000 + inserted), "--dport", port));
    words.addAll(List.of("--dst-nat", target, "--timeout", "600"));
    node.run(words.toArray(String[]::new));
  }
}
