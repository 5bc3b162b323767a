package dev.portolan.brain;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeServices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The decisions for all nodes that are looked at, in the three layers of {@link NodeServices}.
 *
 * <p>Nearly every service looks the same from every node, so it is kept once, in the base. A
 * service with topology hints is kept once more per zone, and only one with a Local policy or hints
 * for nodes once more for the nodes concerned. Upper layers exist only for zones and nodes with an
 * open view.
 */
final class ViewLayers {
  private final Function<NamespacedName, @Nullable ServicePlan> plans;
  private final Map<String, Set<NamespacedName>> servicesBySpecialNode = new HashMap<>();
  private final Map<NamespacedName, Set<String>> specialNodesByService = new HashMap<>();
  private final Set<NamespacedName> zonedServices = new HashSet<>();
  private final Map<String, ZoneLayer> zones = new HashMap<>();
  private final Map<String, NodeLayer> nodes = new HashMap<>();
  private PersistentMap<NamespacedName, NodeService> base = PersistentMap.empty();

  /** Services whose entry in the base changed since the last {@link #settle}. */
  private final List<NamespacedName> changedInBase = new ArrayList<>();

  private static final class ZoneLayer {
    PersistentMap<NamespacedName, NodeService> services = PersistentMap.empty();
    final List<NamespacedName> changed = new ArrayList<>();
    int nodes;

    /** What nodes without a layer of their own saw before, and whether that is another now. */
    @Nullable NodeServices before;

    boolean differs;
  }

  private static final class NodeLayer {
    String zone;
    PersistentMap<NamespacedName, NodeService> services = PersistentMap.empty();
    final List<NamespacedName> changed = new ArrayList<>();
    boolean moved;
    int views;

    NodeLayer(String zone) {
      this.zone = zone;
    }
  }

  /** Layers of what {@code plans} has for each service. */
  ViewLayers(Function<NamespacedName, @Nullable ServicePlan> plans) {
    this.plans = plans;
  }

  /** Prepares for one more view of a node. */
  void open(String name, String zone) {
    NodeLayer node = nodes.get(name);
    if (node == null) {
      node = new NodeLayer(zone);
      nodes.put(name, node);
      enter(zone);
      fill(name);
    }
    node.views++;
  }

  /** Forgets one view of a node; says whether it was the last. */
  boolean close(String name) {
    NodeLayer node = Objects.requireNonNull(nodes.get(name));
    if (--node.views > 0) {
      return false;
    }
    nodes.remove(name);
    leave(node.zone);
    return true;
  }

  /** Whether a node has an open view. */
  boolean isOpen(String name) {
    return nodes.containsKey(name);
  }

  /** Takes note that a node is in another zone. */
  void move(String name, String zone) {
    NodeLayer node = nodes.get(name);
    if (node != null && !node.zone.equals(zone)) {
      enter(zone);
      leave(node.zone);
      node.zone = zone;
      node.moved = true;
      node.services = PersistentMap.empty();
      fill(name);
    }
  }

  /** Lays services into every layer again; those without a plan are removed. */
  void place(List<Map.Entry<NamespacedName, Optional<ServicePlan>>> replanned) {
    List<Map.Entry<NamespacedName, Optional<NodeService>>> changes =
        new ArrayList<>(replanned.size());
    for (Map.Entry<NamespacedName, Optional<ServicePlan>> entry : replanned) {
      NamespacedName service = entry.getKey();
      ServicePlan plan = entry.getValue().orElse(null);
      NodeService seen = plan == null ? null : plan.at("", "");
      if (!Objects.equals(seen, base.get(service))) {
        changes.add(Map.entry(service, Optional.ofNullable(seen)));
        changedInBase.add(service);
      }
    }
    base = base.edited(changes);
    for (Map.Entry<NamespacedName, Optional<ServicePlan>> entry : replanned) {
      place(entry.getKey(), entry.getValue().orElse(null));
    }
  }

  private void place(NamespacedName service, @Nullable ServicePlan plan) {
    boolean zoned = plan != null && plan.dependsOnZone();
    boolean wasZoned = zoned ? !zonedServices.add(service) : zonedServices.remove(service);
    if (zoned || wasZoned) {
      zones.forEach((zone, layer) -> placeInZone(service, zoned ? plan : null, zone, layer));
    }
    Set<String> before = specialNodesByService.getOrDefault(service, Set.of());
    Set<String> after = plan == null ? Set.of() : plan.specialNodes();
    for (String name : before) {
      if (!after.contains(name)) {
        unmark(name, service);
      }
    }
    for (String name : after) {
      if (!before.contains(name)) {
        servicesBySpecialNode.computeIfAbsent(name, key -> new HashSet<>()).add(service);
      }
      placeOnNode(service, plan, name);
    }
    if (after.isEmpty()) {
      specialNodesByService.remove(service);
    } else {
      specialNodesByService.put(service, after);
    }
  }

  /** The services as a node sees them now; the node has an open view. */
  NodeServices services(String name) {
    NodeLayer node = Objects.requireNonNull(nodes.get(name));
    return new NodeServices(base, zone(node.zone).services, node.services);
  }

  /** Whether a node sees anything else than before, judging by what changed in its layers. */
  boolean changedFor(String name, NodeServices before, NodeServices after) {
    NodeLayer node = Objects.requireNonNull(nodes.get(name));
    if (node.moved) {
      return !before.equals(after);
    }
    ZoneLayer zone = zone(node.zone);
    if (!before.node().isEmpty() || !after.node().isEmpty()) {
      return anyDiffers(node.changed, before, after) || changedIn(zone, before, after);
    }
    if (zone.before == null || !zone.before.sharesLayersWith(before)) {
      zone.before = before;
      zone.differs = changedIn(zone, before, after);
    }
    return zone.differs;
  }

  private boolean changedIn(ZoneLayer zone, NodeServices before, NodeServices after) {
    return anyDiffers(zone.changed, before, after) || anyDiffers(changedInBase, before, after);
  }

  /** Forgets what changed, after all views were notified. */
  void settle() {
    changedInBase.clear();
    for (ZoneLayer zone : zones.values()) {
      zone.changed.clear();
      zone.before = null;
    }
    for (NodeLayer node : nodes.values()) {
      node.changed.clear();
      node.moved = false;
    }
  }

  private static boolean anyDiffers(
      List<NamespacedName> names, NodeServices before, NodeServices after) {
    for (NamespacedName name : names) {
      if (!Objects.equals(before.get(name), after.get(name))) {
        return true;
      }
    }
    return false;
  }

  private ZoneLayer zone(String zone) {
    return Objects.requireNonNull(zones.get(zone));
  }

  private void enter(String zone) {
    ZoneLayer layer = zones.get(zone);
    if (layer == null) {
      layer = new ZoneLayer();
      zones.put(zone, layer);
      List<Map.Entry<NamespacedName, Optional<NodeService>>> special = new ArrayList<>();
      for (NamespacedName service : zonedServices) {
        NodeService seen = specialInZone(service, plans.apply(service), zone);
        if (seen != null) {
          special.add(Map.entry(service, Optional.of(seen)));
        }
      }
      layer.services = layer.services.edited(special);
    }
    layer.nodes++;
  }

  private void leave(String zone) {
    if (--zone(zone).nodes == 0) {
      zones.remove(zone);
    }
  }

  private void fill(String name) {
    for (NamespacedName service : servicesBySpecialNode.getOrDefault(name, Set.of())) {
      placeOnNode(service, plans.apply(service), name);
    }
  }

  private void placeInZone(
      NamespacedName service, @Nullable ServicePlan plan, String zone, ZoneLayer layer) {
    PersistentMap<NamespacedName, NodeService> services =
        layer.services.put(service, specialInZone(service, plan, zone));
    if (!services.isIdenticalTo(layer.services)) {
      layer.services = services;
      layer.changed.add(service);
    }
  }

  /** The service as all nodes of a zone see it, or null where they see it as in the base. */
  private @Nullable NodeService specialInZone(
      NamespacedName service, @Nullable ServicePlan plan, String zone) {
    NodeService seen = plan == null ? null : plan.at("", zone);
    return seen == null || seen.equals(base.get(service)) ? null : seen;
  }

  private void placeOnNode(NamespacedName service, @Nullable ServicePlan plan, String name) {
    NodeLayer node = nodes.get(name);
    if (node == null) {
      return;
    }
    NodeService seen = plan == null ? null : plan.at(name, node.zone);
    NodeService below = zone(node.zone).services.get(service);
    boolean special = seen != null && !seen.equals(below == null ? base.get(service) : below);
    PersistentMap<NamespacedName, NodeService> services =
        node.services.put(service, special ? seen : null);
    if (!services.isIdenticalTo(node.services)) {
      node.services = services;
      node.changed.add(service);
    }
  }

  private void unmark(String name, NamespacedName service) {
    servicesBySpecialNode.computeIfPresent(
        name,
        (key, services) -> {
          services.remove(service);
          return services.isEmpty() ? null : services;
        });
    placeOnNode(service, null, name);
  }
}
