package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.packets.ExplainerJudge;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An explanation for this mode says of every packet what the kernel does with it. */
class ExplainedServersTest {
  /** To the client these are lost: the answer bypasses the node, which the explanation says. */
  private static final String BYPASSED =
      """
      What is sent to an endpoint of another node, and answered from there.

      -- packets --
      from other-node to 172.18.0.11:30032/tcp      -> pod-b1,pod-b2 not-masqueraded
      from other-node to [fd12::11]:30032/tcp       -> pod-b1,pod-b2 not-masqueraded
      from pod-b3     to 203.0.113.32:80/tcp        -> pod-b1,pod-b2 not-masqueraded
      from pod-b3     to [2001:db8:2::32]:80/tcp    -> pod-b1,pod-b2 not-masqueraded
      """;

  /** Programs connect from the address that the node shares with the service; the lab does not. */
  private static final String CONNECTED =
      """
      What the node sends without choosing where it comes from.

      -- packets --
      from node       to 203.0.113.33:80/tcp        -> drop
      from node       to 203.0.113.33:80/udp        -> drop
      from node       to 203.0.113.33:80/sctp       -> drop
      from node       to [2001:db8:2::33]:80/tcp    -> drop
      from node       to [2001:db8:2::33]:80/udp    -> drop
      from node       to [2001:db8:2::33]:80/sctp   -> drop
      from node       to 203.0.113.35:80/tcp        -> drop
      from node       to [2001:db8:2::35]:80/tcp    -> drop
      from node       to 203.0.113.36:80/tcp        -> drop
      from node       to [2001:db8:2::36]:80/tcp    -> drop
      """;

  /** From that address they are masqueraded, wherever pods are. */
  private static final String SHARED =
      """
      What the node sends without choosing where it comes from.

      -- packets --
      from node       to [fd10:96::20]:80/tcp       -> pod-a1,pod-a2,pod-b1 masqueraded
      from node       to [fd10:96::20]:80/udp       -> pod-a1,pod-a2,pod-b1 masqueraded
      from node       to [fd10:96::23]:80/tcp       -> pod-a1,pod-a2 masqueraded
      """;

  static List<PacketTable> tables() {
    Map<String, String> otherwise =
        Map.of("external-local", BYPASSED, "source-ranges", CONNECTED, "detect-nothing", SHARED);
    return PacketTable.all("ipvs-differences").stream()
        .map(table ->
            Optional.ofNullable(otherwise.get(table.name()))
                .map(text -> table.with(PacketTable.parse(table.name(), text).packets()))
                .orElse(table))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theExplainerAgrees(PacketTable table) {
    Trial.Report report = Trial.run(table, new ExplainerJudge(IpvsOptions.DEFAULT.dataplane()));
    report.orThrow();
    assertThat(report.judged()).isEqualTo(table.packets().size());
  }
}
