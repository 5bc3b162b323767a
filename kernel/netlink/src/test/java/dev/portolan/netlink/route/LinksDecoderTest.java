package dev.portolan.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.Hostile;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Reads what a kernel sent, and survives what none would. */
final class LinksDecoderTest {
  @Property(tries = 20_000)
  void damagedDatagramsNeverCrash(@ForAll long seed) {
    List<Function<Message, Object>> decoders =
        List.of(
            message -> LinkMonitor.read(message),
            message -> Link.read(message),
            message -> LinkAddress.read(message));
    Hostile.feed(seed, decoders);
  }

  @Test
  void recordedDumpsAreRead() {
    List<Message> messages = Hostile.messages("route-dumps");
    assertThat(
            messages.stream()
                .filter(message -> message.type() == Links.NEW_LINK)
                .map(Link::read)
                .map(link -> link.name() + " " + link.kind() + " " + link.mtu() + " " + link.up()))
        .containsExactly("lo  65536 true", "lab1 veth 1500 false", "lab0 veth 1500 true");
    assertThat(
            messages.stream()
                .filter(message -> message.type() == Links.NEW_ADDRESS)
                .map(LinkAddress::read)
                .map(LinkAddress::toString))
        .contains("127.0.0.1/8", "10.9.0.1/24", "10.9.1.1/32", "fd09:0:0:0:0:0:0:1/64");
  }

  @Test
  void recordedNoticesAreRead() {
    List<LinkNotice> notices =
        Hostile.messages("route-notices").stream()
            .flatMap(message -> LinkMonitor.read(message).stream())
            .toList();
    assertThat(notices)
        .hasAtLeastOneElementOfType(LinkNotice.AddressAdded.class)
        .hasAtLeastOneElementOfType(LinkNotice.AddressRemoved.class)
        .hasAtLeastOneElementOfType(LinkNotice.LinkChanged.class)
        .hasAtLeastOneElementOfType(LinkNotice.LinkRemoved.class);
  }
}
