package dev.portolan.backend.ipvs;

import dev.portolan.lab.Lab;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsVm;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every packet of the tables through a kernel, with what is different in mode ipvs. */
@AtNight
@NeedsVm
class PacketsTest {
  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  static List<PacketTable> tables() {
    return PacketTable.all("ipvs-differences");
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theKernelSendsEachPacketWhereItBelongs(PacketTable table) {
    Trial.run(table, new LabJudge(lab, () -> new IpvsBackend(IpvsOptions.DEFAULT)).brief())
        .orThrow();
  }
}
