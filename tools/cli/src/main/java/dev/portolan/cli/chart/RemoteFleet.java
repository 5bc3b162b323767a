package dev.portolan.cli.chart;

import dev.portolan.api.v1.NodeStatus;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.server.ClientStatus;
import dev.portolan.wiring.FleetProgress;
import dev.portolan.wiring.NodeProgress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** How far nodes are, as a brain says; while it does not answer, as it said last. */
final class RemoteFleet implements Supplier<List<NodeProgress>> {
  private static final long NANOS = 1_000_000_000;

  private final Connection connection;
  private List<ClientStatus> clients = List.of();

  RemoteFleet(Connection connection) {
    this.connection = connection;
  }

  @Override
  public synchronized List<NodeProgress> get() {
    try {
      clients = connection.nodes().getNodesList().stream().map(RemoteFleet::client).toList();
    } catch (ConnectionException e) {
      // What reads the cluster from there says so.
    }
    return FleetProgress.of(clients, Instant.now());
  }

  private static ClientStatus client(NodeStatus status) {
    return new ClientStatus(
        status.getNode(),
        status.getClient(),
        status.getPeer(),
        status.getConnected(),
        status.getRevision(),
        status.getSent(),
        status.getApplied(),
        status.getReports(),
        time(status.getChangedUnixNanos()),
        time(status.getAppliedUnixNanos()),
        time(status.getBehindSinceUnixNanos()),
        time(status.getAuditedUnixNanos())
            .map(at -> new ClientStatus.AuditReport(at, status.getAuditDifferences())),
        status.getError());
  }

  private static Optional<Instant> time(long nanos) {
    return nanos == 0
        ? Optional.empty()
        : Optional.of(Instant.ofEpochSecond(nanos / NANOS, nanos % NANOS));
  }
}
