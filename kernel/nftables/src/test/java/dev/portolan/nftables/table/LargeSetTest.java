package dev.portolan.nftables.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.Nftables;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsKernel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Sets that are too large to be read as a whole. */
@AtNight
@NeedsKernel(tools = {"ip", "nft"})
class LargeSetTest {
  private static final int SIZE = 140_000;
  private static final String MAP = "large";

  @AutoClose private final TestNamespace place = new TestNamespace();

  @AutoClose
  private final Tables tables =
      new Tables("lab", place.path(), new SharedSets(Set.of(), Set.of()), false);

  @AutoClose private final Nftables kernel = new Nftables(place.path());

  @Test
  void whatOthersDidToItIsFoundAndUndone() {
    assertThat(reconcile()).isPositive();
    assertThat(reconcile()).as("nothing has changed").isZero();
    assertEqual();

    delete(service(7), service(0x208), service(0x209));
    assertThat(preview())
        .containsExactlyInAnyOrder(
            "+ element ip lab large { 10.0.0.7 . tcp . 80 : drop }",
            "+ element ip lab large { 10.0.2.8 . tcp . 80 : drop }",
            "+ element ip lab large { 10.0.2.9 . tcp . 80 : drop }");
    assertThat(reconcile()).as("three were missing").isEqualTo(3);
    assertEqual();

    delete(service(7));
    add(new Entry.OfService(address(7), Protocol.TCP, 80, NftVerdict.ACCEPT, ""));
    assertThat(reconcile()).as("one was another").isEqualTo(1);
    assertEqual();

    add(service(SIZE), service(SIZE + 1));
    assertThat(preview()).containsExactly("~ elements ip lab large: " + SIZE + " elements");
    assertThat(reconcile()).as("two were too many").isEqualTo(2);
    assertEqual();
    assertThat(reconcile()).isZero();
  }

  private static TableState wanted() {
    TableState table = new TableState(IpFamily.IPV4);
    table.add(
        MAP, SetType.verdicts("", PacketField.DESTINATION, PacketField.PROTOCOL, PacketField.PORT));
    for (int i = 0; i < SIZE; i++) {
      table.add(MAP, service(i));
    }
    return table;
  }

  private static Entry service(int number) {
    return new Entry.OfService(address(number), Protocol.TCP, 80, NftVerdict.DROP, "");
  }

  private static Ip address(int number) {
    return Ip.v4(0x0a000000 + number);
  }

  private void add(Entry... entries) {
    kernel.commit(new Batch("lab").addElements(MAP, elements(entries)));
  }

  private void delete(Entry... entries) {
    kernel.commit(new Batch("lab").deleteElements(MAP, elements(entries)));
  }

  private static List<Element> elements(Entry... entries) {
    return Arrays.stream(entries).map(Entry::element).toList();
  }

  private int reconcile() {
    return tables.reconcile(there -> Map.of(IpFamily.IPV4, wanted())).repaired();
  }

  private List<String> preview() {
    return tables.preview(there -> Map.of(IpFamily.IPV4, wanted()));
  }

  private void assertEqual() {
    Map<ElementKey, Element> found = new HashMap<>();
    kernel
        .elements(AddressFamily.IPV4, "lab", MAP)
        .forEach(element -> found.put(ElementKey.of(element), element));
    assertThat(found.equals(FamilyTable.byKey(wanted().entries().getOrDefault(MAP, List.of()))))
        .isTrue();
  }
}
