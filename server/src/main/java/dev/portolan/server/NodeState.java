package dev.portolan.server;

import dev.portolan.api.localv1.Set;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeServices;

/**
 * What a client of a local stream holds, or shall hold.
 *
 * @param node from whose point of view
 * @param sets what of the image
 */
record NodeState(String node, java.util.Set<Set> sets, NodeImage image) {
  /** A client that holds nothing. */
  static NodeState nothing() {
    return new NodeState("", java.util.Set.of(), NodeImage.unsynced(""));
  }

  /** The services of which {@code set} has something. */
  NodeServices services(Set set) {
    return sets.contains(set) ? image.services() : NodeServices.EMPTY;
  }
}
