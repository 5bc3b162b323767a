package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.NodeStatus;
import dev.portolan.client.Connection;
import dev.portolan.client.StateClient;
import dev.portolan.client.Subscription;
import dev.portolan.testbase.Await;
import java.util.Optional;
import java.util.function.Predicate;

/** A backend that says how far it has come. */
final class ReportingClient implements AutoCloseable {

  private final Connection connection;
  private final StateClient states;
  private final String name;
  private Thread next = Thread.ofVirtual().unstarted(() -> {});

  ReportingClient(String address, String node, String name) throws Exception {
    this.connection = Connection.open(Address.parse(address), Optional.empty());
    this.states = StateClient.open(connection, Subscription.of(node).clientName(name));
    this.name = name;
  }

  /** Applies the next state. */
  void apply() throws Exception {
    long revision = states.next().orElseThrow().revision();
    next = Thread.ofVirtual().start(this::askOn);
    await(status -> status.getReports() && status.getApplied() >= revision);
  }

  /** A request for the next state acknowledges the last one. */
  private void askOn() {
    try {
      states.next();
    } catch (InterruptedException e) {
      // The test is over.
    }
  }

  /** Gets one more state, and fails to apply it. */
  void fail(String sentence) throws Exception {
    assertThat(next.join(Await.PATIENCE)).isTrue();
    states.failed(sentence);
    await(status -> status.getError().equals(sentence));
  }

  private void await(Predicate<NodeStatus> condition) throws Exception {
    Await.until(
        "the status of " + name,
        () ->
            connection.nodes().getNodesList().stream()
                .anyMatch(status -> status.getClient().equals(name) && condition.test(status)));
  }

  @Override
  public void close() {
    states.close();
    connection.close();
  }
}
