package dev.portolan.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.Hostile;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.nftables.RulesNotice.Changed;
import dev.portolan.nftables.RulesNotice.Committed;
import dev.portolan.nftables.RulesNotice.Kind;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reads what a kernel sent, and survives what none would. */
final class NftablesDecoderTest {
  @Property(tries = 20_000)
  void damagedDatagramsNeverCrash(@ForAll long seed) {
    List<Function<Message, Object>> decoders =
        List.of(
            message -> NftablesMonitor.read(message),
            message -> Nftables.chain(message.attributes(4)),
            message -> Nftables.rule(message.attributes(4)),
            message -> Nftables.set(message.attributes(4)),
            message -> decoded(message));
    Hostile.feed(seed, decoders);
  }

  @Property
  void anyUserDataHasAComment(@ForAll(max = 400) byte[] bytes) {
    assertThat(UserData.decodeComment(bytes)).isNotNull();
  }

  @Test
  void recordedDumpsAreRead() {
    assertThat(read(NftConstants.NEW_CHAIN).map(Nftables::chain).toList())
        .contains(
            new Nftables.ChainInfo("lab", "pick", Optional.empty(), "", false),
            new Nftables.ChainInfo(
                "lab",
                "prerouting",
                Optional.of(new Hook(Hook.Type.NAT, Hook.Point.PREROUTING, -100)),
                "",
                false));
    assertThat(read(NftConstants.NEW_RULE).map(Nftables::rule).map(Nftables.RuleInfo::chain))
        .containsExactly("prerouting", "prerouting");
    assertThat(read(NftConstants.NEW_SET).map(Nftables::set).map(Nftables.SetInfo::name))
        .contains("addresses", "ranges", "services", "endpoints");
    assertThat(
            Hostile.messages("nftables-dumps").stream()
                .filter(message -> isA(message, NftConstants.NEW_ELEMENT))
                .flatMap(message -> decoded(message).stream())
                .map(Element::toString))
        .contains(
            "0a000002",
            "0a60000a1100000000350000 : goto pick",
            "0a60000a00350000 : 0af4000214e90000");
  }

  @Test
  void recordedNoticesAreRead() {
    List<RulesNotice> notices =
        Hostile.messages("nftables-notices").stream()
            .flatMap(message -> NftablesMonitor.read(message).stream())
            .toList();
    TableName table = TableName.of(AddressFamily.IPV4, "lab");
    assertThat(notices)
        .anyMatch(notice ->
            notice instanceof Changed change
                && change.table().equals(table)
                && change.kind() == Kind.CHAIN
                && change.name().equals("pick")
                && !change.deleted())
        .anyMatch(notice ->
            notice instanceof Changed change
                && change.kind() == Kind.ELEMENT
                && change.name().equals("addresses")
                && change.deleted())
        .anyMatch(notice ->
            notice instanceof Changed change && change.kind() == Kind.RULE && change.deleted())
        .anyMatch(notice ->
            notice instanceof Changed change && change.table().toString().equals("ip6 lab"));
    assertThat(notices.stream().filter(Committed.class::isInstance).map(Committed.class::cast))
        .hasSize(2)
        .allMatch(commit -> commit.processName().equals("nft") && commit.process() > 0);
  }

  @Test
  void expressionsAreReadBackAsWritten() {
    Expressions written =
        new Expressions()
            .meta(1, Expressions.META_L4PROTO)
            .compare(1, true, new byte[] {17})
            .counter()
            .verdict(NftVerdict.goTo("pick"));
    Attributes read = new Attributes(ByteBuffer.wrap(written.toBytes()));
    assertThat(read.covers(written.toAttributes())).isTrue();
    assertThat(read.covers(new Expressions().counter().toAttributes())).isFalse();
  }

  private static Stream<Attributes> read(int type) {
    return Hostile.messages("nftables-dumps").stream()
        .filter(message -> isA(message, type))
        .map(message -> message.attributes(4));
  }

  private static boolean isA(Message message, int type) {
    return message.type() == (NftConstants.SUBSYSTEM | type);
  }

  private static List<Element> decoded(Message message) {
    List<Element> elements = new ArrayList<>();
    ElementReader.decode(message, elements::add);
    return elements;
  }
}
