package dev.portolan.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.server.ClientStatus;
import dev.portolan.server.ClientStatus.AuditReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far nodes are, by what their clients say. */
final class FleetProgressTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private static ClientStatus client(
      String node, String name, long applied, boolean reports, int secondsBehind, String error) {
    return new ClientStatus(
        node,
        name,
        "unix socket",
        error.isEmpty(),
        7,
        6,
        applied,
        reports,
        Optional.empty(),
        Optional.empty(),
        secondsBehind == 0 ? Optional.empty() : Optional.of(NOW.minusSeconds(secondsBehind)),
        Optional.of(new AuditReport(NOW, secondsBehind)),
        error);
  }

  @Test
  void whoOnlyLooksIsNoNodeAndNoRelayEither() {
    List<ClientStatus> clients =
        List.of(
            client("worker-1", "portolan show", 0, false, 0, ""),
            client("", "relay", 0, false, 0, ""));
    assertThat(FleetProgress.of(clients, NOW)).isEmpty();
  }

  @Test
  void ofTwoClientsTheOneThatIsBehindCounts() {
    List<NodeProgress> nodes =
        FleetProgress.of(
            List.of(
                client("worker-2", "nftables", 7, true, 0, ""),
                client("worker-1", "nftables", 7, true, 0, ""),
                client("worker-1", "other", 3, true, 12, "no room")),
            NOW);
    assertThat(nodes).extracting(NodeProgress::node).containsExactly("worker-1", "worker-2");
    assertThat(nodes.getFirst())
        .isEqualTo(
            new NodeProgress(
                "worker-1",
                7,
                3,
                Duration.ofSeconds(12),
                true,
                "no room",
                "no difference at " + NOW,
                Optional.empty()));
  }

  @Test
  void whatWasSentCountsWhereNothingIsReported() {
    assertThat(FleetProgress.of(List.of(client("worker-1", "theirs", 0, false, 0, "")), NOW))
        .singleElement()
        .satisfies(node -> assertThat(node.applied()).isEqualTo(6));
  }

  @Test
  void aClockThatWasPutBackMakesNoNegativeLag() {
    assertThat(FleetProgress.of(List.of(client("worker-1", "nftables", 3, true, -5, "")), NOW))
        .singleElement()
        .satisfies(node -> assertThat(node.lag()).isZero());
  }

  @Test
  void whatAnAuditFoundIsASentence() {
    assertThat(FleetProgress.audit(NOW, 0)).isEqualTo("no difference at " + NOW);
    assertThat(FleetProgress.audit(NOW, 1)).isEqualTo("1 difference at " + NOW);
    assertThat(FleetProgress.audit(NOW, 2)).isEqualTo("2 differences at " + NOW);
  }
}
