package dev.portolan.walk.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesBackend;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.lab.Lab;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.walk.ExplainedTables;
import dev.portolan.walk.WalkJudge;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every packet of the tables, walked through our own rules as a kernel gives them back. */
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
class WalkedIptablesTest {
  private static final Map<Variant, WalkJudge> JUDGES = new EnumMap<>(Variant.class);
  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  static List<Arguments> trials() {
    List<Arguments> trials = new ArrayList<>();
    for (Variant variant : List.of(Variant.NFT, Variant.LEGACY)) {
      ExplainedTables.all(IptablesOptions.DEFAULT.dataplane())
          .forEach(table -> trials.add(Arguments.of(variant, table)));
    }
    return trials;
  }

  @ParameterizedTest
  @MethodSource("trials")
  void theWalkSendsEachPacketWhereItBelongs(Variant variant, PacketTable table) {
    Trial.Report report =
        Trial.run(table, JUDGES.computeIfAbsent(variant, WalkedIptablesTest::judge));
    report.orThrow();
    assertThat(report.judged()).isEqualTo(table.packets().size());
  }

  private static WalkJudge judge(Variant variant) {
    return new WalkJudge(
        settings ->
            new NodeUnderTest(
                lab.node(),
                () -> new IptablesBackend(IptablesOptions.DEFAULT.with(variant)),
                settings),
        () -> IptablesRuleset.read(variant, Optional.of(lab.node().path())).orElseThrow());
  }
}
