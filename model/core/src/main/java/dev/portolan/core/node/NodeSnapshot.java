package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import java.util.List;
import java.util.Set;

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

  /**
   * The triggers since, up to {@code newer}, of the services that {@code changed}, oldest first.
   */
  public List<Trigger> triggers(NodeSnapshot newer, Set<NamespacedName> changed) {
    return position.until(newer.position).stream()
        .filter(trigger -> changed.contains(trigger.service()))
        .toList();
  }

  /** A node before the cluster is known. */
  public static NodeSnapshot unsynced(String node) {
    return of(NodeImage.unsynced(node));
  }
}
