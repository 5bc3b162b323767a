package dev.portolan.backend.iptables;

import dev.portolan.core.node.Verdict;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import java.util.List;

/**
 * The packet tables with what kube-proxy does otherwise in its mode iptables: rows in the folder
 * {@code differences} take the place of those with the same route.
 */
final class Expected {
  private Expected() {}

  static List<PacketTable> tables() {
    return PacketTable.all("differences");
  }

  /**
   * The same for an explanation, which speaks of the rules for services: what the lab sees dropped
   * of addresses that have none are packets that fit no connection.
   */
  static List<PacketTable> explained() {
    return tables().stream()
        .map(table ->
            table.name().equals("guards")
                ? new PacketTable(
                    table.name(),
                    table.description(),
                    table.settings(),
                    table.packets().stream().map(Expected::unruled).toList())
                : table)
        .toList();
  }

  private static Packet unruled(Packet packet) {
    return packet.expected().verdict() == Verdict.DROP
        ? packet.expecting(Outcome.ended(Verdict.NONE))
        : packet;
  }
}
