package dev.portolan.compare.decisions;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The nodes from which two states are compared.
 *
 * @param cluster the first state's
 * @param pairs what both states decide for each of them
 * @param added nodes that only the second state has; nothing is compared from them
 * @param removed nodes that only the first one has
 */
public record ComparedNodes(
    ClusterImage cluster, List<NodePair> pairs, List<String> added, List<String> removed) {
  /** The name of a node that no object and no endpoint refers to. */
  public static final String ANY = "";

  public ComparedNodes {
    pairs = List.copyOf(pairs);
    added = List.copyOf(added);
    removed = List.copyOf(removed);
  }

  /**
   * Decides both states for the nodes that both have and that are {@code wanted}. Where there is
   * none, for one that nothing refers to.
   */
  public static ComparedNodes between(
      DecidedState before, DecidedState after, Predicate<String> wanted) {
    return between(before, after, wanted, false);
  }

  /** The same, with everything in the images that is decided, and not only what can differ. */
  public static ComparedNodes inFull(
      DecidedState before, DecidedState after, Predicate<String> wanted) {
    return between(before, after, wanted, true);
  }

  private static ComparedNodes between(
      DecidedState before, DecidedState after, Predicate<String> wanted, boolean full) {
    Set<String> old = names(before.cluster(), wanted);
    Set<String> now = names(after.cluster(), wanted);
    List<String> both = old.stream().filter(now::contains).sorted().toList();
    List<String> looked = both.isEmpty() ? List.of(ANY) : both;
    return new ComparedNodes(
        before.cluster(),
        before.hasSettingsOf(after)
            ? inOneBrain(before, after, looked, full)
            : inTwoBrains(before, after, looked),
        now.stream().filter(name -> !old.contains(name)).sorted().toList(),
        old.stream().filter(name -> !now.contains(name)).sorted().toList());
  }

  /** Decides one state for two nodes, whose decisions are to be compared. */
  public static ComparedNodes of(DecidedState state, String first, String second) {
    Brain brain = brain(state);
    brain.apply(state.cluster());
    return new ComparedNodes(
        state.cluster(),
        List.of(
            new NodePair(
                first + " → " + second,
                brain.open(first, state.nodes()).image(),
                brain.open(second, state.nodes()).image())),
        List.of(),
        List.of());
  }

  private static Set<String> names(ClusterImage cluster, Predicate<String> wanted) {
    Set<String> names = new HashSet<>();
    for (Map.Entry<String, Node> entry : cluster.nodes()) {
      if (wanted.test(entry.getKey())) {
        names.add(entry.getKey());
      }
    }
    return names;
  }

  /**
   * What is equal in both states is decided once, and the same object in both images; where little
   * differs, it is not decided at all.
   */
  private static List<NodePair> inOneBrain(
      DecidedState before, DecidedState after, List<String> names, boolean full) {
    List<ClusterImage> whole = List.of(before.cluster(), after.cluster());
    List<ClusterImage> clusters =
        full ? whole : AffectedServices.only(before.cluster(), after.cluster()).orElse(whole);
    Brain brain = brain(before);
    brain.apply(clusters.getFirst());
    List<NodeView> views = names.stream().map(name -> brain.open(name, before.nodes())).toList();
    List<NodePair> old =
        views.stream().map(view -> new NodePair(view.node(), view.image(), view.image())).toList();
    brain.apply(clusters.getLast());
    List<NodePair> pairs = new ArrayList<>();
    for (int i = 0; i < old.size(); i++) {
      pairs.add(new NodePair(old.get(i).name(), old.get(i).before(), views.get(i).image()));
    }
    return pairs;
  }

  private static List<NodePair> inTwoBrains(
      DecidedState before, DecidedState after, List<String> names) {
    Brain first = brain(before);
    first.apply(before.cluster());
    Brain second = brain(after);
    second.apply(after.cluster());
    return names.stream()
        .map(name ->
            new NodePair(
                name,
                first.open(name, before.nodes()).image(),
                second.open(name, after.nodes()).image()))
        .toList();
  }

  private static Brain brain(DecidedState state) {
    return new Brain(state.settings(), warning -> {});
  }
}
