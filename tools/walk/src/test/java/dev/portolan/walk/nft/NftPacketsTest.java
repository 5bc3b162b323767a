package dev.portolan.walk.nft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.lab.Lab;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.walk.WalkJudge;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every packet of the tables, through our rules as the kernel has them. */
@NeedsKernel(tools = "ip")
class NftPacketsTest {
  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  @ParameterizedTest
  @MethodSource("dev.portolan.packets.PacketTable#all")
  void theRulesThatAreReadBackSendEachPacketWhereItBelongs(PacketTable table) {
    WalkJudge judge =
        new WalkJudge(
            settings ->
                new NodeUnderTest(
                    lab.node(), () -> new NftablesBackend(NftablesOptions.DEFAULT), settings),
            () -> NftRuleset.read(Optional.of(lab.node().path())));
    Trial.Report report = Trial.run(table, judge);
    report.orThrow();
    assertThat(report.judged()).isEqualTo(table.packets().size());
  }
}
