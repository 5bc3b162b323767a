package dev.portolan.server;

import dev.portolan.brain.Brain;
import dev.portolan.brain.ClusterDecision;
import dev.portolan.core.cluster.ClusterImage;
import java.util.concurrent.atomic.AtomicLong;

/** The states of the cluster, for clients that watch all of it. */
final class ClusterFollower {
  private final Brain brain;
  private final Feed<ClusterImage> feed;

  /** Follows {@code brain} from now on. */
  ClusterFollower(Brain brain, Limits limits) {
    this.brain = brain;
    this.feed = new Feed<>(ClusterImage.EMPTY, limits.history(), new AtomicLong());
    brain.onChange(this::look);
    look();
  }

  /** The states of the cluster. */
  Feed<ClusterImage> feed() {
    return feed;
  }

  private synchronized void look() {
    ClusterDecision now = brain.decision();
    if (now.revision() > feed.newest().revision()) {
      feed.publish(now.revision(), now.cluster());
    }
  }
}
