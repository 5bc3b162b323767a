package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.conformance.packets.Outcome;
import dev.portolan.conformance.packets.Packet;
import dev.portolan.conformance.packets.PacketTable;
import dev.portolan.core.node.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The packet tables with what kube-proxy does otherwise in its mode iptables: rows in the folder
 * {@code differences} take the place of those with the same route.
 */
final class Expected {
  private Expected() {}

  static List<PacketTable> tables() {
    return PacketTable.all().stream().map(Expected::adapt).toList();
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
        ? new Packet(
            packet.place(),
            packet.from(),
            packet.address(),
            packet.port(),
            packet.protocol(),
            Outcome.ended(Verdict.NONE))
        : packet;
  }

  private static PacketTable adapt(PacketTable table) {
    Map<String, Packet> others = new HashMap<>();
    differences(table.name()).forEach(packet -> others.put(packet.route(), packet));
    List<Packet> packets = new ArrayList<>();
    for (Packet packet : table.packets()) {
      Packet other = others.remove(packet.route());
      if (other != null) {
        assertThat(other.expected()).as(other.place()).isNotEqualTo(packet.expected());
      }
      packets.add(other == null ? packet : other);
    }
    assertThat(others).as("rows that table %s does not have", table.name()).isEmpty();
    return new PacketTable(table.name(), table.description(), table.settings(), packets);
  }

  private static List<Packet> differences(String name) {
    String file = "differences/" + name + ".packets";
    try (InputStream stream = Expected.class.getResourceAsStream("/" + file)) {
      return stream == null
          ? List.of()
          : PacketTable.parse(file, new String(stream.readAllBytes(), StandardCharsets.UTF_8))
              .packets();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
