package dev.portolan.compare.decisions;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeServices;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes see a service the same, before and after.
 *
 * <p>Images of nodes share layers, so nearly every service is the very same object on all nodes:
 * what lies in a shared layer is looked up once per layer, and only what a node has for itself once
 * per node. The cost follows the services that differ and the entries of upper layers, not nodes
 * times services.
 */
final class PairGroups {
  private final List<NodePair> pairs;
  private final TreeSet<NamespacedName> candidates = new TreeSet<>();

  /** The nodes with the same layers, those of their own aside. */
  private final Map<Place, BitSet> places = new LinkedHashMap<>();

  /** The nodes that have something of their own about a service. */
  private final Map<NamespacedName, BitSet> special = new HashMap<>();

  /** What some nodes see of a service. */
  record Group(@Nullable NodeService before, @Nullable NodeService after, BitSet nodes) {
    boolean differs() {
      return !Objects.equals(before, after);
    }
  }

  /** Layers, equal only if they are the very same. */
  private record Place(NodeServices before, NodeServices after) {
    @Override
    @SuppressWarnings("ReferenceEquality") // layers are shared or they are not
    public boolean equals(@Nullable Object other) {
      return other instanceof Place place
          && place.before.base() == before.base()
          && place.before.zone() == before.zone()
          && place.after.base() == after.base()
          && place.after.zone() == after.zone();
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(before.zone()) + System.identityHashCode(after.zone());
    }

    /** What nodes see that have nothing of their own. */
    static @Nullable NodeService see(NodeServices services, NamespacedName name) {
      NodeService inZone = services.zone().get(name);
      return inZone == null ? services.base().get(name) : inZone;
    }
  }

  private PairGroups(List<NodePair> pairs) {
    this.pairs = pairs;
  }

  /** The groups of each service that some node may see differently, by name. */
  static Map<NamespacedName, List<Group>> of(List<NodePair> pairs) {
    PairGroups groups = new PairGroups(pairs);
    groups.findCandidates();
    groups.findSpecialNodes();
    Map<NamespacedName, List<Group>> found = new LinkedHashMap<>();
    for (NamespacedName name : groups.candidates) {
      List<Group> ofService = groups.of(name);
      if (ofService.stream().anyMatch(Group::differs)) {
        found.put(name, ofService);
      }
    }
    return found;
  }

  private void findCandidates() {
    for (int i = 0; i < pairs.size(); i++) {
      NodeServices before = pairs.get(i).before().services();
      NodeServices after = pairs.get(i).after().services();
      places.computeIfAbsent(new Place(before, after), key -> new BitSet()).set(i);
      collect(before.node(), after.node());
    }
    places
        .keySet()
        .forEach(place -> {
          collect(place.before.base(), place.after.base());
          collect(place.before.zone(), place.after.zone());
        });
  }

  private void collect(
      PersistentMap<NamespacedName, NodeService> before,
      PersistentMap<NamespacedName, NodeService> after) {
    before.diff(after, (name, old, now) -> candidates.add(name));
  }

  private void findSpecialNodes() {
    for (int i = 0; i < pairs.size(); i++) {
      findSpecial(i, pairs.get(i).before().services().node());
      findSpecial(i, pairs.get(i).after().services().node());
    }
  }

  private void findSpecial(int node, PersistentMap<NamespacedName, NodeService> own) {
    if (own.size() > candidates.size()) {
      for (NamespacedName name : candidates) {
        if (own.containsKey(name)) {
          markSpecial(node, name);
        }
      }
    } else {
      own.forEach((name, service) -> {
        if (candidates.contains(name)) {
          markSpecial(node, name);
        }
      });
    }
  }

  private void markSpecial(int node, NamespacedName service) {
    special.computeIfAbsent(service, key -> new BitSet()).set(node);
  }

  private List<Group> of(NamespacedName name) {
    List<Group> groups = new ArrayList<>();
    BitSet own = special.get(name);
    places.forEach((place, nodes) -> {
      BitSet others = (BitSet) nodes.clone();
      if (own != null) {
        others.andNot(own);
      }
      add(groups, Place.see(place.before, name), Place.see(place.after, name), others);
    });
    if (own != null) {
      own.stream()
          .forEach(i -> {
            BitSet one = new BitSet();
            one.set(i);
            NodePair pair = pairs.get(i);
            add(groups, pair.before().service(name), pair.after().service(name), one);
          });
    }
    return groups;
  }

  @SuppressWarnings("ReferenceEquality") // equal ones that are not shared are only not merged
  private static void add(
      List<Group> groups, @Nullable NodeService before, @Nullable NodeService after, BitSet nodes) {
    if (nodes.isEmpty()) {
      return;
    }
    for (Group group : groups) {
      if (group.before == before && group.after == after) {
        group.nodes.or(nodes);
        return;
      }
    }
    groups.add(new Group(before, after, nodes));
  }
}
