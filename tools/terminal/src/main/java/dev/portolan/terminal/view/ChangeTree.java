package dev.portolan.terminal.view;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.text.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A change of a node for programs.
 *
 * @param node what is known of the node, where that differs
 * @param set the services that are new or different
 */
public record ChangeTree(
    long revision,
    long from,
    @Tree.OmitEmpty Optional<NodeFacts> node,
    List<NodeService> set,
    List<NamespacedName> removed) {
  /** The change with those of its services that are wanted. */
  public static ChangeTree of(NodeChange change, List<ServiceChange> services) {
    List<NodeService> set = new ArrayList<>();
    List<NamespacedName> removed = new ArrayList<>();
    for (ServiceChange service : services) {
      if (service.after() != null) {
        set.add(service.after());
      } else {
        removed.add(service.name());
      }
    }
    return new ChangeTree(
        change.after().revision(),
        change.before().revision(),
        Optional.of(change.after().facts()).filter(_ -> change.factsChanged()),
        set,
        removed);
  }

  /** The same without the node itself. */
  public ChangeTree ofServices() {
    return new ChangeTree(revision, from, Optional.empty(), set, removed);
  }
}
