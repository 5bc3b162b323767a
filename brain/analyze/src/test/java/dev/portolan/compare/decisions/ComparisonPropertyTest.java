package dev.portolan.compare.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What must hold for every pair of clusters. */
final class ComparisonPropertyTest {
  private static final int PAIRS = 400;

  @Test
  void deciding_only_what_can_differ_gives_what_deciding_everything_does() {
    for (int seed = 0; seed < PAIRS; seed++) {
      ChangingCluster random = new ChangingCluster(new Random(seed));
      DecidedState before = state(random.next());
      DecidedState after = before.with(random.next());
      ClusterComparison some =
          ClusterComparison.of(ComparedNodes.between(before, after, name -> true));
      ClusterComparison all =
          ClusterComparison.of(ComparedNodes.inFull(before, after, name -> true));
      assertThat(some.toString()).as("seed %d", seed).isEqualTo(all.toString());
    }
  }

  @Test
  void each_node_differs_in_what_two_brains_decide_differently() {
    int differences = 0;
    for (int seed = 0; seed < PAIRS; seed++) {
      ChangingCluster random = new ChangingCluster(new Random(seed));
      ClusterImage before = random.next();
      ClusterImage after = random.next();
      ClusterComparison comparison =
          ClusterComparison.of(
              ComparedNodes.between(state(before), state(before).with(after), name -> true));
      Map<NamespacedName, ServiceDifference> found = new HashMap<>();
      comparison.services().forEach(service -> found.put(service.name(), service));
      differences += found.size();
      Brain old = brain(before);
      Brain now = brain(after);
      for (String node : comparison.nodes()) {
        for (NamespacedName name : names(before, after)) {
          NodeService seen = old.open(node, NodeSettings.DEFAULT).image().service(name);
          NodeService newest = now.open(node, NodeSettings.DEFAULT).image().service(name);
          ServiceDifference difference = found.get(name);
          assertThat(difference != null && difference.nodes().contains(node))
              .as("seed %d, %s on %s", seed, name, node)
              .isEqualTo(!Objects.equals(seen, newest));
          if (difference != null && seen != null && newest != null) {
            checkPorts(difference, seen, newest, node, "seed " + seed + ", " + name);
          }
        }
      }
    }
    assertThat(differences).as("differences that were looked at").isGreaterThan(PAIRS);
  }

  /** Applying gains and losses to the endpoints before gives those after, on each node. */
  private static void checkPorts(
      ServiceDifference service, NodeService before, NodeService after, String node, String where) {
    for (PortDifference port : service.ports()) {
      ServicePort old = port(before, port);
      ServicePort now = port(after, port);
      if (old == null || now == null) {
        continue;
      }
      for (Traffic kind : Traffic.values()) {
        Set<Endpoint> endpoints = new TreeSet<>(old.endpoints(kind));
        Verdict verdict = old.verdict(kind);
        for (TrafficDifference traffic : port.traffic()) {
          if (traffic.traffic() == kind) {
            on(traffic.lost(), node).forEach(endpoints::remove);
            endpoints.addAll(on(traffic.gained(), node));
            for (VerdictChange change : traffic.verdicts()) {
              verdict = change.nodes().contains(node) ? change.after() : verdict;
            }
          }
        }
        assertThat(List.copyOf(endpoints)).as(where).isEqualTo(now.endpoints(kind));
        assertThat(verdict).as(where).isEqualTo(now.verdict(kind));
      }
    }
  }

  private static List<Endpoint> on(List<EndpointChange> changes, String node) {
    return changes.stream()
        .filter(change -> change.nodes().contains(node))
        .map(EndpointChange::endpoint)
        .toList();
  }

  private static ServicePort port(NodeService service, PortDifference port) {
    return service.ports().stream()
        .filter(one -> one.name().equals(port.name()) && one.family() == port.family())
        .findFirst()
        .orElse(null);
  }

  private static DecidedState state(ClusterImage cluster) {
    return new DecidedState(cluster, BrainSettings.DEFAULT, NodeSettings.DEFAULT);
  }

  private static Brain brain(ClusterImage cluster) {
    Brain brain = new Brain(warning -> {});
    brain.apply(cluster);
    return brain;
  }

  private static List<NamespacedName> names(ClusterImage before, ClusterImage after) {
    Set<NamespacedName> names = new TreeSet<>();
    before.services().forEach((name, service) -> names.add(name));
    after.services().forEach((name, service) -> names.add(name));
    return new ArrayList<>(names);
  }
}
