package dev.portolan.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.portolan.api.localv1.Report;
import dev.portolan.core.node.NodeImage;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClientsTest {
  private static final Limits USUAL = Limits.DEFAULT;
  private static final Limits FORGETFUL =
      new Limits(
          USUAL.requestBytes(),
          USUAL.streamsPerConnection(),
          USUAL.connections(),
          USUAL.requestsPerSecond(),
          USUAL.views(),
          USUAL.viewIdle(),
          USUAL.history(),
          USUAL.historyAge(),
          USUAL.stalled(),
          Duration.ZERO,
          USUAL.silent());

  private final Clients clients = new Clients(FORGETFUL);

  private void comesAndGoes(String node, String name, boolean reports) {
    ClientProgress client = new ClientProgress("a test");
    client.watches(node, name, new Feed<>(NodeImage.unsynced(node), 1, new AtomicLong()));
    clients.add(client);
    if (reports) {
      client.reported(Report.getDefaultInstance());
    }
    client.gone("");
    clients.remove(client);
  }

  @Test
  void aBackendThatLeftIsListedForAsLongAsItsNodeExists() {
    comesAndGoes("n1", "backend", true);
    comesAndGoes("n1", "visitor", false);
    comesAndGoes("n2", "backend", true);
    clients.sweep("n1"::equals);
    assertThat(clients.statuses())
        .extracting(ClientStatus::node, ClientStatus::client)
        .containsExactly(tuple("n1", "backend"));
    clients.sweep(node -> false);
    assertThat(clients.statuses()).isEmpty();
  }

  @Test
  void ofManyNamesOnOneNodeTheLastOnesAreKept() {
    comesAndGoes("n2", "backend", true);
    for (int i = 100; i < 200; i++) {
      comesAndGoes("n1", "client " + i, true);
    }
    assertThat(clients.statuses())
        .hasSize(17)
        .extracting(ClientStatus::client)
        .contains("backend", "client 199")
        .doesNotContain("client 100");
  }
}
