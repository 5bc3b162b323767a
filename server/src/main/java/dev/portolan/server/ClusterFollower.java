package dev.portolan.server;

import dev.portolan.core.brain.Brain;
import dev.portolan.core.cluster.ClusterImage;

/** Numbers the states of the cluster, for clients that watch all of it. */
final class ClusterFollower {
  private final Brain brain;
  private final Feed<ClusterImage> feed;

  /** Follows {@code brain} from now on. */
  ClusterFollower(Brain brain, Limits limits) {
    this.brain = brain;
    this.feed = new Feed<>(ClusterImage.EMPTY, limits.history());
    brain.onChange(this::look);
    look();
  }

  /** The states of the cluster. */
  Feed<ClusterImage> feed() {
    return feed;
  }

  private synchronized void look() {
    Feed.State<ClusterImage> last = feed.newest();
    ClusterImage now = brain.cluster();
    if (brain.isSynced() && (last.revision() == 0 || !same(last.image(), now))) {
      feed.publish(last.revision() + 1, now);
    }
  }

  private static boolean same(ClusterImage before, ClusterImage after) {
    return before.services().isIdenticalTo(after.services())
        && before.slices().isIdenticalTo(after.slices())
        && before.nodes().isIdenticalTo(after.nodes())
        && before.serviceCidrs().isIdenticalTo(after.serviceCidrs());
  }
}
