package dev.portolan.nftables.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.Nftables;
import dev.portolan.testbase.NeedsKernel;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What several services want stays until the last of them is gone, in a real kernel. */
@NeedsKernel(tools = {"ip", "nft"})
final class FamilyTableTest {
  private static final String CHAIN = "common";
  private static final String SET = "addresses";
  private static final String LATE = "late-addresses";
  private static final TableState NOTHING = new TableState(IpFamily.IPV4);

  @AutoClose private final TestNamespace place = new TestNamespace();
  @AutoClose private final Nftables kernel = new Nftables(place.path());

  private final FamilyTable table =
      new FamilyTable(IpFamily.IPV4, new SharedSets(Set.of(SET, LATE), Set.of(LATE)));

  @BeforeEach
  void make() {
    place.nft("table ip lab {}");
  }

  /** What each of two services wants. */
  private static TableState service() {
    TableState state = new TableState(IpFamily.IPV4);
    state.want(
        CHAIN, () -> List.of(Chain.of(CHAIN, "", Rule.of(new Statement.Go(NftVerdict.ACCEPT)))));
    for (String set : List.of(SET, LATE)) {
      state.wantSet(set, name -> SetType.set("", PacketField.DESTINATION));
      state.add(set, new Entry.OfAddress(Ip.of("10.96.0.7")));
    }
    return state;
  }

  private String change(TableState before, TableState after) {
    Batch batch = new Batch("lab");
    table.change(batch, before, after);
    kernel.commit(batch);
    return place.run("nft", "list", "table", "ip", "lab");
  }

  @Test
  void theLastServiceTakesWithItWhatTheFirstOneBrought() {
    assertThat(change(NOTHING, service())).contains("chain common", "set addresses", "10.96.0.7");
    assertThat(change(NOTHING, service())).contains("chain common", "10.96.0.7");
    assertThat(change(service(), NOTHING)).contains("chain common", "10.96.0.7");
    assertThat(table.hasLeftovers()).isFalse();

    assertThat(change(service(), NOTHING))
        .as("kernels before 6.2 refuse to remove a chain with the last reference to it")
        .contains("chain common", "set addresses")
        .containsOnlyOnce("10.96.0.7");
    assertThat(table.hasLeftovers()).isTrue();
    assertThat(change(NOTHING, NOTHING)).doesNotContain("chain", "set ");
    assertThat(table.hasLeftovers()).isFalse();
  }

  @Test
  void whatIsWantedAgainBeforeItIsRemovedStays() {
    change(NOTHING, service());
    change(service(), NOTHING);
    String again = change(NOTHING, service());
    assertThat(again).contains("chain common", "accept");
    assertThat(again.split("10\\.96\\.0\\.7", -1)).as("in both sets").hasSize(3);
    assertThat(table.hasLeftovers()).isFalse();
    assertThat(change(NOTHING, NOTHING)).isEqualTo(again);
  }

  @Test
  void aChainOfItsOwnIsRewrittenWhenItsRulesChange() {
    TableState before = new TableState(IpFamily.IPV4);
    before.add(Chain.of("own", "", Rule.of(new Statement.Go(NftVerdict.ACCEPT))));
    TableState after = new TableState(IpFamily.IPV4);
    after.add(Chain.of("own", "", Rule.of(new Statement.Go(NftVerdict.DROP))));
    assertThat(change(NOTHING, before)).contains("accept");
    assertThat(change(before, after)).contains("drop").doesNotContain("accept");
  }
}
