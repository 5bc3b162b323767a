package dev.portolan.backend.nftables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Lab;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsVm;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The packets of {@link PacketsTest} through the rules of an older kernel. Packets are slow there,
 * so every route is taken with one protocol per family only: the rules are the same for all.
 */
@AtNight
@NeedsVm
class OlderKernelTest {
  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  static List<PacketTable> tables() {
    return PacketTable.all().stream()
        .map(table ->
            new PacketTable(
                table.name(),
                table.description(),
                table.settings(),
                table.packets().stream().filter(OlderKernelTest::isTaken).toList()))
        .toList();
  }

  private static boolean isTaken(Packet packet) {
    return packet.protocol() == (packet.family() == IpFamily.IPV4 ? Protocol.TCP : Protocol.UDP);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theKernelSendsEachPacketWhereItBelongs(PacketTable table) {
    Trial.run(table, new LabJudge(lab, () -> new NftablesBackend(NftablesOptions.DEFAULT)).brief())
        .orThrow();
  }
}
