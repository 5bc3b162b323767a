package dev.portolan.server;

import dev.portolan.api.localv1.Position;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The newest states of one node, or of the cluster, and those that wait for the next.
 *
 * <p>The last states are kept for clients that come back; states share nearly everything, so that
 * one more costs what changed. Revisions of another feed, even of an earlier one for the same node,
 * mean nothing here: each feed is an instance of its own.
 */
final class Feed<S> {
  private final long instance = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
  private final int length;
  private final AtomicLong serials;
  private final Deque<State<S>> history = new ArrayDeque<>();
  private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
  private volatile State<S> newest;

  /**
   * One state.
   *
   * @param revision 0 where nothing is known yet
   * @param serial its number among all states of all feeds of the server; 0 where nothing is known
   * @param made when it was made
   */
  record State<S>(long revision, long serial, S value, Instant made) {}

  /** Notified of each new state by the thread that made it; must only wake up the reader. */
  @FunctionalInterface
  interface Watcher {
    /** There is something newer. */
    void changed(State<?> newest);
  }

  /**
   * A feed of which nothing is known yet.
   *
   * @param length how many states are kept
   * @param serials numbers the states
   */
  Feed(S unknown, int length, AtomicLong serials) {
    this.length = length;
    this.serials = serials;
    this.newest = new State<>(0, 0, unknown, Instant.EPOCH);
  }

  /** Identifies this feed; never 0. */
  long instance() {
    return instance;
  }

  /** The newest state. */
  State<S> newest() {
    return newest;
  }

  /** The state at {@code position}, or null where it is not known, or not any more. */
  synchronized @Nullable State<S> find(Position position) {
    if (position.getInstance() != instance) {
      return null;
    }
    for (State<S> state : history) {
      if (state.revision() == position.getRevision()) {
        return state;
      }
    }
    return null;
  }

  /** The states that are kept, the oldest first. */
  synchronized List<State<S>> history() {
    return List.copyOf(history);
  }

  /** Takes a new state; an older one than the newest comes too late. */
  void publish(long revision, S value) {
    State<S> state;
    synchronized (this) {
      if (revision <= newest.revision()) {
        return;
      }
      state = new State<>(revision, serials.incrementAndGet(), value, Instant.now());
      newest = state;
      history.addLast(state);
      if (history.size() > length) {
        history.removeFirst();
      }
    }
    watchers.forEach(watcher -> watcher.changed(state));
  }

  /** Forgets the states that were replaced before {@code time}. */
  synchronized void forgetBefore(Instant time) {
    while (history.size() > 1 && history.peekFirst().made().isBefore(time)) {
      history.removeFirst();
    }
  }

  /** Drops all states when they are no longer needed; {@code unknown} stands for the newest. */
  synchronized void retire(S unknown) {
    newest = new State<>(newest.revision(), newest.serial(), unknown, newest.made());
    history.clear();
  }

  void watch(Watcher watcher) {
    watchers.add(watcher);
  }

  void unwatch(Watcher watcher) {
    watchers.remove(watcher);
  }
}
