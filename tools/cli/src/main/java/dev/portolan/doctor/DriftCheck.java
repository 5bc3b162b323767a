package dev.portolan.doctor;

import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.NodeStatus;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeImage;
import dev.portolan.mode.Mode;
import dev.portolan.mode.OpenBackend;
import dev.portolan.tls.TlsException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Whether the kernel's rules are those that the daemon has decided. */
record DriftCheck(Subject subject, Mode mode) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String ID = "rules.drift";
  private static final int TRIES = 4;
  private static final int SHOWN = 3;

  /** A change leaves things over for a moment, and the image may be newer than the rules. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  List<CheckResult> run() {
    if (!Files.exists(subject.socket())) {
      return List.of(
          CheckResult.unknown(
              ID,
              "no daemon answers on " + subject.socket() + ", so what it has decided is not known",
              "start it with --api-listen=unix://" + subject.socket()));
    }
    try (Connection connection =
        Connection.open(new Address.Unix(subject.socket()), Optional.empty())) {
      return List.of(ask(connection));
    } catch (ConnectionException | TlsException e) {
      return List.of(
          CheckResult.unknown(
              ID,
              String.valueOf(e.getMessage()),
              "see the daemon's log; it must serve the API on " + subject.socket()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private CheckResult ask(Connection connection) throws ConnectionException, InterruptedException {
    Optional<NodeStatus> status =
        connection.nodes().getNodesList().stream()
            .filter(each -> each.getReports() && !each.getNode().isEmpty())
            .findFirst();
    if (status.isEmpty()) {
      return CheckResult.unknown(
          ID, "the daemon has applied nothing yet", "wait for its first sync; see its log");
    }
    if (!status.get().getError().isEmpty()) {
      return CheckResult.fail(
          ID,
          "the daemon could not apply revision "
              + status.get().getRevision()
              + ": "
              + status.get().getError(),
          "see its log; it tries again");
    }
    return compare(connection, status.get().getNode());
  }

  private CheckResult compare(Connection connection, String node)
      throws ConnectionException, InterruptedException {
    OpenBackend opened = subject.rules(mode).open();
    try (Backend _ = opened.backend()) {
      return compare(connection, node, opened.drift());
    }
  }

  private static CheckResult compare(
      Connection connection, String node, Function<NodeImage, List<String>> differences)
      throws ConnectionException, InterruptedException {
    Subscription wanted = Subscription.of(node).clientName("portolan doctor");
    List<String> found = List.of();
    long revision = 0;
    for (int i = 0; i < TRIES; i++) {
      NodeImage image = RemoteNode.read(connection, wanted, PATIENCE);
      revision = image.revision();
      found = differences.apply(image);
      if (found.isEmpty()) {
        return CheckResult.ok(
            ID, "the kernel has exactly what revision " + revision + " of " + node + " decides");
      }
      Thread.sleep(PAUSE);
    }
    return CheckResult.fail(
        ID,
        "the kernel differs from revision "
            + revision
            + " of "
            + node
            + "; a repair would change: "
            + String.join("; ", found.subList(0, Math.min(SHOWN, found.size())))
            + (found.size() > SHOWN ? "; and " + (found.size() - SHOWN) + " more" : ""),
        "see the daemon's log: it repairs such changes by itself, so another program may undo that;"
            + " check that this is the daemon's network namespace, table and masquerade bit");
  }
}
