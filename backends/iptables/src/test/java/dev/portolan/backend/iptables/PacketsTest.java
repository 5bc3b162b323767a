package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.lab.Lab;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.NeedsKernel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every packet of the tables, through the printed rules, and through a real kernel with both kinds
 * of iptables.
 */
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
class PacketsTest {
  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  static List<Arguments> trials() {
    List<Arguments> trials = new ArrayList<>();
    for (Variant variant : List.of(Variant.NFT, Variant.LEGACY)) {
      Expected.tables().forEach(table -> trials.add(Arguments.of(variant, table)));
    }
    return trials;
  }

  static List<PacketTable> tables() {
    return Expected.tables();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theTextSendsEachPacketWhereItBelongs(PacketTable table) {
    Trial.Report report = Trial.run(table, new WalkerJudge());
    report.orThrow();
    assertThat(report.judged()).isEqualTo(table.packets().size());
  }

  @ParameterizedTest
  @MethodSource("trials")
  void theKernelSendsEachPacketWhereItBelongs(Variant variant, PacketTable table) {
    Trial.run(
            table,
            new LabJudge(lab, () -> new IptablesBackend(IptablesOptions.DEFAULT.with(variant))))
        .orThrow();
  }
}
