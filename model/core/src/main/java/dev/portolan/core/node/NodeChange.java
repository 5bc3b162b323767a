package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What leads from one image of a node to a later one, however many lie between: both images, and
 * the differences, each with its old and its new side.
 *
 * <p>The differences are computed when they are first asked for, and then kept: everything that has
 * to do with one change shares one of these, so that nothing is compared twice.
 */
public final class NodeChange {
  private final NodeSnapshot before;
  private final NodeSnapshot after;
  private final boolean full;
  private volatile @Nullable List<ServiceChange> services;

  private NodeChange(NodeSnapshot before, NodeSnapshot after, boolean full) {
    this.before = before;
    this.after = after;
    this.full = full;
  }

  /** What leads from {@code before} to {@code after}. */
  public static NodeChange between(NodeSnapshot before, NodeSnapshot after) {
    return new NodeChange(before, after, !before.image().isSynced());
  }

  /** The same where nothing is known of triggers. */
  public static NodeChange between(NodeImage before, NodeImage after) {
    return between(NodeSnapshot.of(before), NodeSnapshot.of(after));
  }

  /** What leads to {@code after} from nothing. */
  public static NodeChange to(NodeImage after) {
    return between(NodeImage.unsynced(after.facts().name()), after);
  }

  /** The same change, with the wish that everything be compared with the world. */
  public NodeChange inFull() {
    NodeChange same = new NodeChange(before, after, true);
    same.services = services;
    return same;
  }

  /** The image before; its revision is 0 where there was none. */
  public NodeImage before() {
    return before.image();
  }

  /** The image after. */
  public NodeImage after() {
    return after.image();
  }

  /**
   * Whether to compare everything with the world, and not only what differs between the images: for
   * the first change, and from time to time.
   */
  public boolean isFull() {
    return full;
  }

  /** Whether the node's facts differ. */
  public boolean factsChanged() {
    return !before().facts().equals(after().facts());
  }

  /** The services that differ, in the order of their names. */
  public List<ServiceChange> services() {
    List<ServiceChange> known = services;
    if (known == null) {
      List<ServiceChange> found = new ArrayList<>();
      before()
          .services()
          .diff(
              after().services(), (name, old, now) -> found.add(new ServiceChange(name, old, now)));
      known = List.copyOf(found);
      services = known;
    }
    return known;
  }

  /** The services that are new or different, in the order of their names. */
  public List<NodeService> set() {
    List<NodeService> set = new ArrayList<>();
    for (ServiceChange service : services()) {
      if (service.after() != null) {
        set.add(service.after());
      }
    }
    return set;
  }

  /** The services that are gone, as they were, in the order of their names. */
  public List<NodeService> removed() {
    List<NodeService> removed = new ArrayList<>();
    for (ServiceChange service : services()) {
      if (service.after() == null && service.before() != null) {
        removed.add(service.before());
      }
    }
    return removed;
  }

  /**
   * When the changes behind the differences happened, oldest first. They belong to the measurement
   * of latency, not to the state.
   */
  public List<Trigger> triggers() {
    if (before.position() == after.position()) {
      return List.of();
    }
    Set<NamespacedName> changed = new HashSet<>();
    services().forEach(service -> changed.add(service.name()));
    return before.triggers(after, changed);
  }

  /** Whether both images decide the same. */
  public boolean isEmpty() {
    return !factsChanged() && services().isEmpty();
  }

  /** The revisions on both sides, for people. */
  @Override
  public String toString() {
    return "revision " + before().revision() + " to " + after().revision() + (full ? ", full" : "");
  }
}
