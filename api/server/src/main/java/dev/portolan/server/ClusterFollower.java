package dev.portolan.server;

import dev.portolan.brain.Brain;
import dev.portolan.brain.ClusterDecision;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** What is decided for the cluster, or part of it, for clients that watch more than one node. */
final class ClusterFollower<S> {
  private final Brain brain;
  private final Function<ClusterDecision, S> part;
  private final Feed<S> feed;

  /**
   * Follows {@code brain} from now on.
   *
   * @param part what is kept of a decision
   * @param history how many states are kept
   */
  ClusterFollower(Brain brain, Function<ClusterDecision, S> part, int history) {
    this.brain = brain;
    this.part = part;
    this.feed = new Feed<>(part.apply(brain.decision()), history, new AtomicLong());
    brain.onChange(this::look);
    look();
  }

  /** The states. */
  Feed<S> feed() {
    return feed;
  }

  private synchronized void look() {
    ClusterDecision now = brain.decision();
    if (now.revision() > feed.newest().revision()) {
      feed.publish(now.revision(), part.apply(now));
    }
  }
}
