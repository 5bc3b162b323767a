package dev.portolan.wiring;

import dev.portolan.core.cluster.ClusterImage;
import java.util.Map;

/**
 * Keeps what a brain decides about, so that it can be decided again later. It must not delay its
 * callers.
 */
public interface ClusterRecorder {
  /** Keeps nothing. */
  ClusterRecorder NONE =
      new ClusterRecorder() {
        @Override
        public void taken(ClusterImage cluster, long revision, Map<String, String> versions) {}

        @Override
        public void problem(String sentence) {}
      };

  /**
   * The cluster was decided about.
   *
   * @param revision what that led to: of the node that is served, or of the cluster where it is all
   *     of them
   * @param versions the resourceVersion up to which each resource is known, by its plural
   */
  void taken(ClusterImage cluster, long revision, Map<String, String> versions);

  /** Something could not be read. */
  void problem(String sentence);
}
