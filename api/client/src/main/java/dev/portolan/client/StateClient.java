package dev.portolan.client;

import dev.portolan.core.node.NodeImage;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Waits for whole states of a node, one after another: the model of KEP-2104.
 *
 * <p>A lost server is retried silently (see {@link Subscription#listener}); after its return a
 * state comes only if it differs. States that follow each other faster than they are asked for are
 * skipped. One thread at a time calls {@link #next}.
 */
public final class StateClient implements AutoCloseable {
  private final RemoteNode node;
  private final Position held;
  private final Semaphore changes = new Semaphore(0);
  private volatile boolean cancelled;
  private NodeImage last;
  private boolean handled;
  private boolean again;

  private StateClient(RemoteNode node, Position held) {
    this.node = node;
    this.held = held;
    this.last = NodeImage.unsynced(node.node());
    node.onChange(changes::release);
    changes.release();
  }

  /** Waits for any state at first. */
  public static StateClient open(Connection connection, Subscription subscription) {
    return open(connection, subscription, Position.NONE);
  }

  /**
   * Waits for a state other than {@code held}, which was read from {@link #position} of another
   * client; where the server was restarted since, any state is another one.
   */
  public static StateClient open(Connection connection, Subscription subscription, Position held) {
    return new StateClient(RemoteNode.open(connection, subscription), held);
  }

  /** The same for one state alone, after which {@link #finish} is called. */
  static StateClient single(Connection connection, Subscription subscription, Position held) {
    return new StateClient(RemoteNode.openOnce(connection, subscription, held), held);
  }

  /** Acknowledges the last state, and returns when the server knows. */
  void finish() throws InterruptedException {
    node.applied(last);
    node.finish();
  }

  /**
   * The next whole state, as soon as there is one; empty after {@link #cancel}. Asking acknowledges
   * the last one, unless {@link #failed} was called.
   */
  public Optional<NodeImage> next() throws InterruptedException {
    if (handled) {
      handled = false;
      node.applied(last);
    }
    while (!cancelled) {
      changes.acquire();
      changes.drainPermits();
      NodeImage newest = node.image();
      if (!cancelled && (again || newest.revision() > last.revision())) {
        again = false;
        boolean known = !last.isSynced() && node.position(newest).equals(held);
        last = newest;
        if (!known || held.equals(Position.NONE)) {
          handled = true;
          return Optional.of(newest);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Says why the last state could not be applied, as a sentence; {@link #next} then brings the
   * newest one at once, though it may be the same.
   */
  public void failed(String sentence) {
    handled = false;
    again = true;
    changes.release();
    node.failed(sentence);
  }

  /** Ends a call of {@link #next}, and all later ones; any thread may call. */
  public void cancel() {
    cancelled = true;
    changes.release();
  }

  /** Which state of the server the last one is; to go on from there later. */
  public Position position() {
    return node.position(last);
  }

  /** What is followed. */
  RemoteNode node() {
    return node;
  }

  /** How the connection fares. */
  public LinkStatus link() {
    return node.link();
  }

  /** Stops following the server. */
  @Override
  public void close() {
    cancel();
    node.close();
  }
}
