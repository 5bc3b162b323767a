package dev.portolan.core.node;

/**
 * The newest image of one node, kept up to date: by a brain in this process, or by one behind a
 * connection.
 *
 * <p>Reading needs no lock. A reader that wants the difference keeps the snapshot that it read last
 * and makes a {@link NodeChange} of the two; so nothing queues up for a slow reader, and it skips
 * what it missed.
 */
public interface NodeFeed {
  /** The node's name. */
  String node();

  /** The newest whole image, with its provenance; its revision is 0 until the cluster is known. */
  NodeSnapshot newest();

  /** The newest whole image. */
  default NodeImage image() {
    return newest().image();
  }

  /**
   * Calls {@code listener} after each new revision. It is called by the thread that brought the
   * change, and must only wake up the reader.
   */
  void onChange(Runnable listener);

  /** A feed that stays as it is. */
  static NodeFeed still(NodeImage image) {
    return new NodeFeed() {
      @Override
      public String node() {
        return image.facts().name();
      }

      @Override
      public NodeSnapshot newest() {
        return NodeSnapshot.of(image);
      }

      @Override
      public void onChange(Runnable listener) {
        // It never changes.
      }
    };
  }
}
