package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.conformance.packets.ExplainerJudge;
import dev.portolan.conformance.packets.Packet;
import dev.portolan.conformance.packets.PacketTable;
import dev.portolan.conformance.packets.Trial;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An explanation for this mode says of every packet what becomes of it in {@link PacketsTest}. */
class ExplainedPacketsTest {
  private static final Set<String> GUARDED =
      Set.of(
          "203.0.113.33",
          "203.0.113.35",
          "203.0.113.36",
          "2001:db8:2::33",
          "2001:db8:2::35",
          "2001:db8:2::36");

  static List<PacketTable> tables() {
    return PacketsTest.tables().stream()
        .map(table ->
            new PacketTable(
                table.name(),
                table.description(),
                table.settings(),
                table.packets().stream().filter(packet -> !isOfTheLab(table, packet)).toList()))
        .toList();
  }

  /**
   * Whether the lab sees something else than most clients: an endpoint behind the other node
   * answers a client there past the node that it asked; and the node itself asks a load balancer
   * with another source than {@link OwnConnectionsTest}.
   */
  private static boolean isOfTheLab(PacketTable table, Packet packet) {
    return switch (table.name()) {
      case "external-local" ->
          packet.expected().verdict() == Verdict.DROP
              && (packet.from() == Actor.OTHER_NODE || Actor.PODS_B.contains(packet.from()));
      case "source-ranges" ->
          packet.from() == Actor.NODE && GUARDED.contains(packet.address().toString());
      default -> false;
    };
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theExplainerAgrees(PacketTable table) {
    Trial.Report report = Trial.run(table, new ExplainerJudge(IpvsOptions.DEFAULT.dataplane()));
    report.orThrow();
    assertThat(report.judged()).isEqualTo(table.packets().size());
  }
}
