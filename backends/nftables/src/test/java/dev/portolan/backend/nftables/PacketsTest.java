package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.lab.Lab;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.NeedsKernel;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every packet of the tables, through rendered rules and through a real kernel. */
@NeedsKernel(tools = "ip")
class PacketsTest {
  private static final BackendUnderTest NFTABLES =
      () -> new NftablesBackend(NftablesOptions.DEFAULT);
  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  @ParameterizedTest
  @MethodSource("dev.portolan.packets.PacketTable#all")
  void theRulesSendEachPacketWhereItBelongs(PacketTable table) {
    Trial.Report report = Trial.run(table, new WalkerJudge());
    report.orThrow();
    assertThat(report.judged()).isEqualTo(table.packets().size());
  }

  @ParameterizedTest
  @MethodSource("dev.portolan.packets.PacketTable#all")
  void theKernelSendsEachPacketWhereItBelongs(PacketTable table) {
    Trial.run(table, new LabJudge(lab, NFTABLES)).orThrow();
  }
}
