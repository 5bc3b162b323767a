package dev.portolan.explain;

import dev.portolan.brain.NodeDecision;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.node.Dataplane;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What is asked of a cluster: what becomes of a connection, on one node or on all.
 *
 * @param client who connects; empty for whoever is most likely to
 * @param mode the mode that is asked about; empty for the usual one
 */
public record ExplainQuestion(
    Target target, Optional<Client> client, boolean allNodes, String mode) {
  /** Reads a question; throws with a sentence where it makes no sense. */
  public static ExplainQuestion parse(String target, String client, boolean allNodes, String mode) {
    return new ExplainQuestion(
        Target.parse(target),
        Optional.of(client).filter(text -> !text.isEmpty()).map(Client::parse),
        allNodes,
        mode);
  }

  /**
   * What is known of the mode that is asked about; the first of {@code known} is the usual one.
   * Throws with a sentence where it is not among them.
   */
  public <T> T mode(List<T> known, Function<T, Dataplane> dataplane) {
    return known.stream()
        .filter(one -> mode.isEmpty() || dataplane.apply(one).name().equals(mode))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "the mode '"
                    + mode
                    + "' is not known here; ask about "
                    + known.stream()
                        .map(one -> dataplane.apply(one).name())
                        .collect(Collectors.joining(" or "))));
  }

  /** The node of the pod that connects, where it is one with a name; throws where none is known. */
  public Optional<String> nodeOfClient(Supplier<ClusterImage> cluster) {
    return client.isPresent() && client.get() instanceof Client.NamedPod(NamespacedName pod)
        ? Optional.of(PodAddresses.find(pod, cluster.get()).nodeOrThrow())
        : Optional.empty();
  }

  /** The nodes of {@code cluster} that are asked where all are. */
  public static List<String> nodes(ClusterImage cluster) {
    List<String> names = new ArrayList<>();
    cluster.nodes().forEach(node -> names.add(node.getKey()));
    return names;
  }

  /** The answer of each of {@code nodes}, where {@code dataplane} does what is decided for it. */
  public List<Explanation> answer(
      List<String> nodes, Function<String, NodeDecision> decisions, Dataplane dataplane) {
    return nodes.stream()
        .flatMap(node -> answer(decisions.apply(node), dataplane).stream())
        .toList();
  }

  /** The answer of one node. */
  public List<Explanation> answer(NodeDecision decision, Dataplane dataplane) {
    return new Explainer(decision, dataplane).explain(target, client);
  }
}
