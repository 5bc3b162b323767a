package dev.portolan.walk;

import dev.portolan.core.node.Dataplane;
import dev.portolan.packets.ExplainerJudge;
import dev.portolan.packets.Judge;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import java.util.List;

/**
 * The packet tables with rows that expect what the explainer says of a mode. The tests of each
 * backend compare that with what a kernel does.
 */
public final class ExplainedTables {
  private ExplainedTables() {}

  /** All of them. */
  public static List<PacketTable> all(Dataplane dataplane) {
    return PacketTable.all().stream().map(table -> explained(table, dataplane)).toList();
  }

  private static PacketTable explained(PacketTable table, Dataplane dataplane) {
    try (Judge.Sitting explainer = new ExplainerJudge(dataplane).open(table)) {
      List<Packet> rows =
          table.packets().stream().map(row -> row.expecting(explainer.judge(row))).toList();
      return new PacketTable(table.name(), table.description(), table.settings(), rows);
    }
  }
}
