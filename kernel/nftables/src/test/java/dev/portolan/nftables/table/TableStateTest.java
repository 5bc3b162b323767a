package dev.portolan.nftables.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.nftables.NftVerdict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What services want of a table together, and the parts that a first write has. */
final class TableStateTest {
  private final TableState table = new TableState(IpFamily.IPV4);

  private static Entry address(int last) {
    return new Entry.OfAddress(Ip.v4(0x0a000000 + last));
  }

  @Test
  void whatServicesShareIsThereOnceAndCounted() {
    AtomicInteger made = new AtomicInteger();
    for (int service = 0; service < 3; service++) {
      table.want(
          "common",
          () -> {
            made.incrementAndGet();
            return List.of(Chain.of("common", ""), Chain.of("needed", ""));
          });
      table.wantSet("addresses", name -> SetType.set("", PacketField.DESTINATION));
    }
    assertThat(made).as("made when it is asked for").hasValue(0);
    assertThat(table.chains()).containsOnlyKeys("common", "needed");
    assertThat(table.wantedBundles()).containsExactly(Map.entry("common", 3));
    assertThat(table.wantedSets()).containsExactly(Map.entry("addresses", 3));
    assertThat(table.ownChains()).isEmpty();
  }

  @Test
  void endpointsAreWrittenInPartsBeforeWhatLeadsToThem() {
    table.add(
        "endpoints",
        SetType.endpoints(Protocol.TCP, "", PacketField.DESTINATION, PacketField.PORT));
    table.add(
        "services",
        SetType.verdicts("", PacketField.DESTINATION, PacketField.PROTOCOL, PacketField.PORT));
    table.add(Chain.of("own", "", Rule.of(new Statement.Go(NftVerdict.ACCEPT))));
    for (int i = 0; i < 5; i++) {
      table.add("endpoints", address(i));
      table.add(
          "services",
          new Entry.OfService(Ip.v4(0x0a600000 + i), Protocol.TCP, 80, NftVerdict.DROP, ""));
    }
    TableState last = new TableState(IpFamily.IPV4);
    List<TableState> parts = table.inParts(2, last);

    TableState first = parts.getFirst();
    assertThat(first.chains()).containsOnlyKeys("own");
    assertThat(first.sets()).containsOnlyKeys("endpoints", "services");
    assertThat(first.entries()).isEmpty();
    assertThat(parts.subList(1, parts.size()))
        .extracting(part -> part.entries().get("endpoints"))
        .containsExactly(
            List.of(address(0), address(1)), List.of(address(2), address(3)), List.of(address(4)));
    assertThat(last.entries()).containsOnlyKeys("services");
    assertThat(last.entries().get("services")).hasSize(5);
  }
}
