package dev.portolan.server.encoding;

import dev.portolan.api.localv1.Set;
import dev.portolan.core.node.NodeSnapshot;

/**
 * What a client of a local stream holds, or shall hold.
 *
 * @param node from whose point of view
 * @param sets what of the image
 */
public record NodeState(String node, java.util.Set<Set> sets, NodeSnapshot snapshot) {
  /** A client that holds nothing. */
  public static NodeState nothing() {
    return new NodeState("", java.util.Set.of(), NodeSnapshot.unsynced(""));
  }

  /** The revision of the image. */
  public long revision() {
    return snapshot.image().revision();
  }
}
