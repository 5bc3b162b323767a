package dev.portolan.server.encoding;

import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.ClusterImage;

/** What a client of a global stream holds, or should hold. */
public record ClusterState(java.util.Set<Set> sets, ClusterImage image) {
  /** A client that holds nothing. */
  public static final ClusterState NOTHING =
      new ClusterState(java.util.Set.of(), ClusterImage.EMPTY);

  /** What {@code set} is made of. */
  ClusterImage of(Set set) {
    return sets.contains(set) ? image : ClusterImage.EMPTY;
  }
}
