package dev.portolan.core.node;

/**
 * An image of a node, and beside it where it comes from: read together, they belong together.
 *
 * @param position the place of the newest trigger that went into the image
 */
public record NodeSnapshot(NodeImage image, TriggerLog.Position position) {
  /** An image of which no triggers are known. */
  public static NodeSnapshot of(NodeImage image) {
    return new NodeSnapshot(image, TriggerLog.Position.START);
  }

  /** A node before the cluster is known. */
  public static NodeSnapshot unsynced(String node) {
    return of(NodeImage.unsynced(node));
  }
}
