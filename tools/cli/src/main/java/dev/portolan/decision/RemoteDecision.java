package dev.portolan.decision;

import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.client.Position;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.node.NodeImage;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.wiring.Visitor;
import java.time.Duration;
import java.util.List;
import java.util.function.ToIntFunction;

/** What a brain decides for a node, read once. */
public final class RemoteDecision {
  /** A server that is reached has read its own source within this time. */
  static final Duration LONGEST = Duration.ofSeconds(30);

  private RemoteDecision() {}

  /** What the brain behind {@code connection} decides for {@code node} now. */
  public static NodeImage read(
      Connection connection, String node, Visitor visitor, Remarks remarks) {
    return read(connection, Subscription.of(node).clientName(visitor.toString()), remarks);
  }

  /** What the brain behind {@code connection} decides now, as {@code subscription} wants it. */
  public static NodeImage read(Connection connection, Subscription subscription, Remarks remarks) {
    return ask(connection, subscription, remarks, (remote, image) -> image);
  }

  /**
   * Hands what the brain decides for {@code node} now to {@code work}, and reports the result to
   * the brain, to which this is {@code client}.
   */
  public static int apply(
      Connection connection,
      String node,
      String client,
      Remarks remarks,
      ToIntFunction<NodeImage> work) {
    Subscription subscription = Subscription.of(node).clientName(client);
    return ask(
        connection,
        subscription,
        remarks,
        (remote, image) -> {
          try {
            int status = work.applyAsInt(image);
            remote.applied(remote.image());
            return status;
          } catch (BackendException e) {
            remote.failed(String.valueOf(e.getMessage()));
            throw e;
          } finally {
            remote.finish();
          }
        });
  }

  /** What is done with a decision while the brain is there. */
  private interface Use<T> {
    T of(RemoteNode remote, NodeImage image) throws InterruptedException;
  }

  private static <T> T ask(
      Connection connection, Subscription wanted, Remarks remarks, Use<T> use) {
    String where = connection.address().toString();
    try (RemoteNode remote = RemoteNode.openOnce(connection, wanted, Position.NONE)) {
      NodeImage image;
      try (Waiting _ = Waiting.announce(() -> waitsFor(remote, where), remarks)) {
        image = remote.first(LONGEST).orElseThrow(() -> undecided(where));
      }
      if (image.facts().isMissing()) {
        checkKnown(connection, wanted.node(), remarks);
      }
      return use.of(remote, image);
    } catch (ConnectionException e) {
      throw CommandFailure.input(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      throw CommandFailure.input("interrupted while " + where + " was asked");
    }
  }

  /** That a server did not answer in time. */
  static CommandFailure undecided(String where) {
    return CommandFailure.refused(
        ErrorCode.BRAIN_API,
        where
            + ": no decision received within "
            + LONGEST.toSeconds()
            + " seconds; has the brain read its cluster yet? See its log");
  }

  /** What a client without a state is waiting for. */
  static String waitsFor(RemoteNode remote, String where) {
    return remote.link().connectedSince().isPresent()
        ? "waiting for " + where + ": connected, but no state received yet"
        : "waiting for " + where + " to answer";
  }

  /**
   * Refuses a node that the server's cluster does not have, as with {@code --from}. If it has no
   * Node at all, or does not allow this client to ask, warns that only the name is known.
   */
  static void checkKnown(Connection connection, String node, Remarks remarks) {
    String where = connection.address().toString();
    try {
      List<String> known = connection.nodes().getClusterNodesList();
      if (!known.isEmpty() && !known.contains(node)) {
        throw NodeChoice.missing(node, "the cluster of " + where, known);
      }
    } catch (ConnectionException e) {
      // This client is not allowed to know.
    }
    warnUnknown(node, where, remarks);
  }

  /** Says that the cluster behind {@code where} has no such Node. */
  static void warnUnknown(String node, String where, Remarks remarks) {
    remarks.warn(
        "the cluster of "
            + where
            + " has no Node '"
            + Text.printable(node)
            + "', so only its name is known");
  }
}
