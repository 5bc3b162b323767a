package dev.portolan.netlink.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Hostile;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Reads what a kernel sent, and survives what none would. */
final class FlowDecoderTest {
  @Property(tries = 20_000)
  void damagedDatagramsNeverCrash(@ForAll long seed) {
    List<Function<Message, Object>> decoders = List.of(message -> Flow.read(message));
    Hostile.feed(seed, decoders);
  }

  @Test
  void recordedDumpsAreRead() {
    List<Flow> flows = Hostile.messages("conntrack-dumps").stream().map(Flow::read).toList();
    assertThat(flows.stream().map(Flow::toString))
        .containsExactlyInAnyOrder(
            "udp 10.1.0.5:4000 -> 10.96.0.10:53 (at 10.244.0.2 port 5353)",
            "udp 10.1.0.5:4001 -> 10.96.0.10:53 (at 10.244.0.2 port 5353)",
            "udp 10.1.0.5:4002 -> 10.96.0.10:53 (at 10.244.0.2 port 5353)",
            "tcp 10.1.0.5:4000 -> 10.1.0.6:80",
            "udp [fd00:0:0:0:0:0:0:5]:4000 -> [fd00:0:0:0:0:0:0:6]:53",
            "protocol 1 10.1.0.5:0 -> 10.1.0.6:0");
    assertThat(flows).filteredOn(flow -> flow.protocol() == Flow.TCP).allMatch(f -> f.zone() == 7);
    assertThat(flows).filteredOn(flow -> flow.family() == AddressFamily.IPV6).hasSize(1);
    assertThat(flows).filteredOn(FlowFilter.of(AddressFamily.IPV4, Flow.UDP)::accepts).hasSize(3);
    assertThat(flows)
        .filteredOn(
            FlowFilter.of(AddressFamily.IPV4, Flow.UDP).withStatus(Flow.DESTINATION_NAT)::accepts)
        .hasSize(3);
  }
}
