package dev.portolan.compare.decisions;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What two states decide differently, over all nodes that were looked at.
 *
 * @param nodes the nodes that were looked at
 * @param differing those of them on which anything differs
 * @param facts what is known of nodes
 * @param services those that differ on any node, the worst first
 * @param servicesSame how many Services of the first state do not
 */
public record ClusterComparison(
    List<String> nodes,
    List<String> nodesAdded,
    List<String> nodesRemoved,
    NodeSet differing,
    List<PropertyChange> facts,
    List<ServiceDifference> services,
    int servicesSame) {
  public ClusterComparison {
    nodes = List.copyOf(nodes);
    nodesAdded = List.copyOf(nodesAdded);
    nodesRemoved = List.copyOf(nodesRemoved);
    facts = List.copyOf(facts);
    services = List.copyOf(services);
  }

  /** Compares what was decided. */
  public static ClusterComparison of(ComparedNodes compared) {
    List<NodePair> pairs = compared.pairs();
    List<String> names = pairs.stream().map(NodePair::name).toList();
    NodeSets sets = new NodeSets(names);
    FactTally facts = new FactTally();
    BitSet differing = new BitSet();
    for (int i = 0; i < pairs.size(); i++) {
      facts.add(i, pairs.get(i));
    }
    differing.or(facts.nodes());
    List<ServiceDifference> services = new ArrayList<>();
    PairGroups.of(pairs)
        .forEach((name, groups) -> {
          services.add(difference(name, groups, sets));
          groups.stream()
              .filter(PairGroups.Group::differs)
              .forEach(group -> differing.or(group.nodes()));
        });
    services.sort(ServiceDifference.ORDER);
    return new ClusterComparison(
        names,
        compared.added(),
        compared.removed(),
        sets.of(differing),
        facts.changes(sets),
        services,
        same(compared.cluster(), services));
  }

  /** Whether both states decide the same, and have the same nodes. */
  public boolean isEmpty() {
    return services.isEmpty() && facts.isEmpty() && nodesAdded.isEmpty() && nodesRemoved.isEmpty();
  }

  private static ServiceDifference difference(
      NamespacedName name, List<PairGroups.Group> groups, NodeSets sets) {
    ServiceTally tally = new ServiceTally(name);
    for (PairGroups.Group group : groups) {
      tally.add(group);
    }
    return tally.difference(sets);
  }

  private static int same(ClusterImage cluster, List<ServiceDifference> services) {
    long different =
        services.stream().filter(one -> cluster.services().containsKey(one.name())).count();
    return (int) (cluster.services().size() - different);
  }
}
