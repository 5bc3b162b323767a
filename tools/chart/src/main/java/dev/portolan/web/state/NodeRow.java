package dev.portolan.web.state;

import dev.portolan.core.cluster.Node;
import dev.portolan.core.text.Tree;
import dev.portolan.wiring.NodeProgress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node at a glance.
 *
 * @param progress how far it is
 * @param special what is special about it, each in a sentence
 */
public record NodeRow(
    String name,
    String zone,
    List<String> addresses,
    @Tree.Inline NodeProgress progress,
    List<String> special) {
  /** A node with its object, or without one. */
  static NodeRow of(String name, @Nullable Node object, @Nullable NodeProgress progress) {
    List<String> special = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    if (object == null) {
      special.add("the cluster has no Node object of this name");
    } else {
      addresses.addAll(object.internalIps());
      addresses.addAll(object.externalIps());
      if (object.leaving()) {
        special.add("it is leaving: load balancers should not use it");
      }
      if (addresses.isEmpty()) {
        special.add("its Node object has no address");
      }
    }
    return new NodeRow(
        name,
        object == null ? "" : object.zone(),
        List.copyOf(addresses),
        progress == null ? NodeProgress.UNKNOWN : progress,
        List.copyOf(special));
  }
}
