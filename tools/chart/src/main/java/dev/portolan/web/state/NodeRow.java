package dev.portolan.web.state;

import dev.portolan.core.cluster.Node;
import dev.portolan.wiring.NodeProgress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node at a glance.
 *
 * @param progress how far it is, where that is known
 * @param special what is special about it, each in a sentence
 */
public record NodeRow(
    String name,
    String zone,
    List<String> addresses,
    Optional<NodeProgress> progress,
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
        Optional.ofNullable(progress),
        List.copyOf(special));
  }

  /** The row for the page. */
  public Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", name);
    tree.put("zone", zone);
    tree.put("addresses", addresses);
    tree.put("revision", progress.map(NodeProgress::revision).orElse(0L));
    tree.put("applied", progress.map(NodeProgress::applied).orElse(0L));
    tree.put("lagSeconds", progress.map(it -> it.lag().toSeconds()).orElse(0L));
    tree.put("connected", progress.map(NodeProgress::connected).orElse(false));
    tree.put("error", progress.map(NodeProgress::error).orElse(""));
    progress.flatMap(NodeProgress::repairs).ifPresent(count -> tree.put("driftRepairs", count));
    tree.put("audit", progress.map(NodeProgress::audit).orElse(""));
    tree.put("special", special);
    return tree;
  }
}
