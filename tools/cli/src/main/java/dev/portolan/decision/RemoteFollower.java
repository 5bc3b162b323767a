package dev.portolan.decision;

import dev.portolan.api.localv1.OpItem;
import dev.portolan.client.Connection;
import dev.portolan.client.LinkListener;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.wiring.Visitor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows what a brain decides for a node, and says how the connection fares. The thread that reads
 * also writes, so that the brain sends no faster than is read.
 */
public final class RemoteFollower implements LinkListener {
  private static final String NOTHING_NEW = "resumed: %s is back, nothing changed";

  private final Connection connection;
  private final Backend backend;
  private final Consumer<OpItem> items;
  private final Terminal terminal;
  private final Remarks remarks;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private @Nullable Waiting waiting;
  private @Nullable NodeImage handed;
  private long seen;
  private boolean lost;

  /**
   * Follows the brain behind {@code connection}.
   *
   * @param backend gets each state, under the brain's number
   * @param items gets each item as it comes
   */
  public RemoteFollower(
      Connection connection,
      Backend backend,
      Consumer<OpItem> items,
      Terminal terminal,
      Remarks remarks) {
    this.connection = connection;
    this.backend = backend;
    this.items = items;
    this.terminal = terminal;
    this.remarks = remarks;
  }

  /** Runs until it is interrupted or its output is closed. */
  public void run(String node, Visitor visitor) {
    run(Subscription.of(node).clientName(visitor.toString()));
  }

  /** The same as {@code wanted} says. */
  public void run(Subscription wanted) {
    Subscription subscription = wanted.listener(this);
    String where = connection.address().toString();
    try (RemoteNode remote = RemoteNode.open(connection, subscription);
        Waiting first = Waiting.announce(() -> RemoteDecision.waitsFor(remote, where), remarks)) {
      synchronized (this) {
        waiting = first;
      }
      remote.onChange(() -> changed(remote));
      changed(remote);
      end.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof CommandFailure failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }

  private synchronized void changed(RemoteNode remote) {
    if (remote.image().revision() == seen) {
      return;
    }
    seen = remote.image().revision();
    NodeImage image = remote.numbered();
    NodeImage before = handed;
    if (before == null) {
      if (waiting != null) {
        waiting.close();
      }
      if (image.facts().isMissing()) {
        RemoteDecision.warnUnknown(remote.node(), connection.address().toString(), remarks);
      }
      before = NodeImage.unsynced(remote.node());
    }
    backend.sync(NodeChange.between(before, image));
    handed = image;
    endIfNobodyReads();
  }

  private void endIfNobodyReads() {
    if (terminal.isClosed()) {
      end.complete(null);
    }
  }

  /** Before the first state a failure is a mistake on the command line. */
  @Override
  public synchronized void lost(String sentence) {
    if (seen == 0) {
      end.completeExceptionally(
          CommandFailure.input(ErrorCode.BRAIN_API, Text.printable(sentence)));
      return;
    }
    lost = true;
    remarks.say("lost: " + sentence + "; retrying");
  }

  @Override
  public synchronized void received(OpItem item) {
    if (lost) {
      back(
          item.hasReset()
              ? "reset: %s sends the full state again"
              : item.hasSync() ? NOTHING_NEW : "resumed: %s sends what changed in the meantime");
    }
    items.accept(item);
    if (item.hasSync()) {
      endIfNobodyReads();
    }
  }

  @Override
  public synchronized void connected() {
    if (lost) {
      back(NOTHING_NEW);
    }
  }

  private void back(String sentence) {
    lost = false;
    remarks.say(sentence.formatted(connection.address()));
  }
}
