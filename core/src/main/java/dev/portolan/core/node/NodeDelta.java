package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What leads from one image of a node to a later one, however many lie between.
 *
 * @param fromRevision the image before; 0 where this is the whole state
 * @param facts the node's facts where they changed
 * @param set services that are new or different, in the order of their names
 * @param removed names of services that are gone
 * @param triggers when the changes behind {@code set} happened, oldest first; they belong to the
 *     measurement of latency, not to the state
 */
public record NodeDelta(
    long fromRevision,
    long toRevision,
    Optional<NodeFacts> facts,
    List<NodeService> set,
    List<NamespacedName> removed,
    List<Trigger> triggers) {
  public NodeDelta {
    set = List.copyOf(set);
    removed = List.copyOf(removed);
    triggers = List.copyOf(triggers);
  }

  /** What leads from {@code before} to {@code after}. */
  public static NodeDelta between(NodeImage before, NodeImage after) {
    List<NodeService> set = new ArrayList<>();
    List<NamespacedName> removed = new ArrayList<>();
    Set<NamespacedName> changed = new HashSet<>();
    before
        .services()
        .diff(
            after.services(),
            (name, old, now) -> {
              changed.add(name);
              if (now == null) {
                removed.add(name);
              } else {
                set.add(now);
              }
            });
    List<Trigger> triggers = new ArrayList<>(before.position().until(after.position()));
    triggers.removeIf(trigger -> !changed.contains(trigger.service()));
    return new NodeDelta(
        before.revision(),
        after.revision(),
        before.facts().equals(after.facts()) ? Optional.empty() : Optional.of(after.facts()),
        set,
        removed,
        triggers);
  }

  /** The image that this delta leads to from {@code before}. */
  public NodeImage applyTo(NodeImage before) {
    if (before.revision() != fromRevision) {
      throw new IllegalArgumentException(
          "a delta from revision " + fromRevision + " does not fit revision " + before.revision());
    }
    PersistentMap<NamespacedName, NodeService> services = before.services().flat();
    for (NodeService service : set) {
      services = services.with(service.name(), service);
    }
    for (NamespacedName name : removed) {
      services = services.without(name);
    }
    return NodeImage.of(toRevision, facts.orElse(before.facts()), services);
  }

  /** Whether nothing differs. */
  public boolean isEmpty() {
    return facts.isEmpty() && set.isEmpty() && removed.isEmpty();
  }
}
