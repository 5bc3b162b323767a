package dev.portolan.netlink.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkSocket;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Flows of a real kernel, put there by the program {@code conntrack}. */
@NeedsKernel(tools = {"ip", "conntrack"})
final class ConntrackTest {
  private static final FlowFilter UDP = FlowFilter.of(AddressFamily.IPV4, Flow.UDP);

  @AutoClose private final TestNamespace place = new TestNamespace();
  @AutoClose private final Conntrack conntrack = new Conntrack(place.path());

  @Test
  void theKernelsFilterAndOursAgree() throws Exception {
    someFlows();
    List<FlowFilter> filters =
        List.of(
            UDP,
            FlowFilter.of(AddressFamily.IPV6, Flow.UDP),
            FlowFilter.of(AddressFamily.IPV4, Flow.TCP),
            UDP.withStatus(Flow.DESTINATION_NAT),
            UDP.to(InetAddress.getByName("10.96.0.10"), 53),
            UDP.to(InetAddress.getByName("10.96.0.10"), 53).withStatus(Flow.DESTINATION_NAT),
            FlowFilter.of(AddressFamily.IPV6, Flow.UDP)
                .to(InetAddress.getByName("fd00:96::10"), 53),
            UDP.to(InetAddress.getByName("10.96.0.10"), 54));
    List<Integer> sizes = List.of(4, 2, 1, 2, 2, 2, 1, 0);
    for (int i = 0; i < filters.size(); i++) {
      FlowFilter filter = filters.get(i);
      assertThat(conntrack.flows(filter)).as("%s", filter).hasSize(sizes.get(i));
      // The kernel compares IPv6 addresses the wrong way round, so it is not asked to.
      boolean whole = filter.family() == AddressFamily.IPV4 || filter.destination().isEmpty();
      assertThat(raw(filter)).as("by the kernel: %s", filter).isEqualTo(whole ? sizes.get(i) : 2);
    }
  }

  /** How many flows the kernel itself sends for a filter. */
  private int raw(FlowFilter filter) {
    int[] count = {0};
    try (NetlinkConnection kernel = new NetlinkConnection(NetlinkSocket.NETFILTER, place.path())) {
      kernel.ask(
          "read the flows",
          ConntrackConstants.SUBSYSTEM | ConntrackConstants.GET,
          MessageWriter.DUMP,
          writer -> filter.write(writer.raw(filter.family().number(), 0, 0, 0)),
          message -> count[0]++);
    }
    return count[0];
  }

  @Test
  void onlyTheFlowsGivenAreDeleted() {
    someFlows();
    List<Flow> rewritten = conntrack.flows(UDP.withStatus(Flow.DESTINATION_NAT));
    assertThat(conntrack.delete(rewritten).deleted()).isEqualTo(2);
    assertThat(conntrack.flows(UDP)).hasSize(2).noneMatch(Flow::isDestinationRewritten);
    assertThat(conntrack.delete(rewritten))
        .satisfies(again -> {
          assertThat(again.deleted()).isZero();
          assertThat(again.alreadyGone()).isEqualTo(2);
          assertThat(again.failed()).isZero();
        });
    assertThat(
            conntrack
                .delete(conntrack.flows(FlowFilter.of(AddressFamily.IPV6, Flow.UDP)))
                .deleted())
        .isEqualTo(2);
    assertThat(conntrack.delete(List.of()).deleted()).isZero();
    assertThat(conntrack.flows(FlowFilter.of(AddressFamily.IPV4, Flow.TCP))).hasSize(1);
  }

  @Test
  void aFlowWithTheSameAddressesAndAnotherIdIsLeftAlone() {
    insert("10.1.0.1", "10.96.0.10", "4000", "--dst-nat", "10.244.0.2:5353");
    Flow there = conntrack.flows(UDP).getFirst();
    Flow earlier =
        new Flow(
            AddressFamily.IPV4,
            Flow.UDP,
            there.original(),
            there.reply(),
            there.id() + 1,
            there.status(),
            0,
            0);
    assertThat(conntrack.delete(List.of(earlier)).alreadyGone()).isEqualTo(1);
    assertThat(conntrack.flows(UDP)).hasSize(1);
  }

  @Test
  void aFlowInAZoneIsDeletedInIt() {
    insert("10.1.0.1", "10.96.0.10", "4000", "--zone", "5");
    insert("10.1.0.1", "10.96.0.10", "4000");
    List<Flow> zoned = conntrack.flows(UDP).stream().filter(flow -> flow.zone() == 5).toList();
    assertThat(zoned).hasSize(1);
    assertThat(conntrack.delete(zoned).deleted()).isEqualTo(1);
    assertThat(conntrack.flows(UDP)).singleElement().matches(flow -> flow.zone() == 0);
  }

  @Test
  void thousandsOfFlowsGoInFewSends() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      lines.add(
          "-I -p udp -s 10.1.%d.%d -d 10.96.0.10 --sport 4000 --dport 53 --timeout 600"
              .formatted(i / 250, i % 250));
    }
    place.runWithInput(String.join("\n", lines) + "\n", "conntrack", "-R", "-");
    List<Flow> flows = conntrack.flows(UDP);
    assertThat(flows).hasSize(2_500);
    place.run("conntrack", "-D", "-p", "udp", "-s", "10.1.3.7");
    Conntrack.Deletion deletion = conntrack.delete(flows);
    assertThat(deletion.deleted()).isEqualTo(2_499);
    assertThat(deletion.alreadyGone()).isEqualTo(1);
    assertThat(conntrack.flows(UDP)).isEmpty();
  }

  private void someFlows() {
    insert("10.1.0.1", "10.96.0.10", "4000", "--dst-nat", "10.244.0.2:5353");
    insert("10.1.0.2", "10.96.0.10", "4000", "--dst-nat", "10.244.0.3:5353");
    insert("10.1.0.1", "192.0.2.1", "4000");
    insert("10.1.0.2", "192.0.2.1", "4000");
    insert("fd00::1", "fd00:96::10", "4000");
    insert("fd00::1", "fd00:96::11", "4000");
    place.run(
        "conntrack",
        "-I",
        "-p",
        "tcp",
        "-s",
        "10.1.0.1",
        "-d",
        "10.96.0.10",
        "--sport",
        "4000",
        "--dport",
        "53",
        "--state",
        "ESTABLISHED",
        "--timeout",
        "600");
  }

  private void insert(String from, String to, String port, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "conntrack",
                "-I",
                "-p",
                "udp",
                "-s",
                from,
                "-d",
                to,
                "--sport",
                port,
                "--dport",
                "53",
                "--timeout",
                "600"));
    words.addAll(List.of(more));
    place.run(words.toArray(String[]::new));
  }
}
