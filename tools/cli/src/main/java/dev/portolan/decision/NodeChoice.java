package dev.portolan.decision;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.explain.ExplainQuestion;
import dev.portolan.options.NodeOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import java.util.List;
import java.util.Optional;

/**
 * Which node of a cluster is looked at: the one that was named, or the only one there is.
 *
 * @param recorded the node whose daemon recorded what is read; empty where that is not known
 */
public record NodeChoice(String source, Optional<String> named, String recorded, Remarks remarks) {
  private static final int MOST_NODES_NAMED = 10;

  /** The choice that the options make in what {@code source} has. */
  public static NodeChoice of(SourceOptions source, NodeOptions options, Remarks remarks) {
    return new NodeChoice(source.toString(), options.node(), source.recordedNode(remarks), remarks);
  }

  /** The node's name in {@code cluster}. */
  public String in(ClusterImage cluster) {
    List<String> known = ExplainQuestion.nodes(cluster);
    if (named.isEmpty()) {
      if (known.size() == 1) {
        return known.getFirst();
      }
      throw known.isEmpty()
          ? none()
          : CommandFailure.usage(
              source + " has several Nodes; choose one with --node: " + list(known));
    }
    String node = named.get();
    if (known.isEmpty()) {
      remarks.warn(source + " has no Node, so only the name is known of '" + node + "'");
    } else if (known.equals(List.of(recorded)) && !node.equals(recorded)) {
      remarks.warn(
          source
              + " was recorded by the daemon of "
              + recorded
              + ", and has no other Node, so only the name is known of '"
              + node
              + "'");
    } else if (!known.contains(node)) {
      throw missing(node, source, known);
    }
    return node;
  }

  /** The nodes in {@code cluster} that {@code question} is asked of. */
  public List<String> in(ClusterImage cluster, ExplainQuestion question) {
    if (question.allNodes()) {
      List<String> all = ExplainQuestion.nodes(cluster);
      if (all.isEmpty()) {
        throw none();
      }
      return all;
    }
    Optional<String> ofPod =
        named.isEmpty() ? question.nodeOfClient(() -> cluster) : Optional.empty();
    return List.of(ofPod.orElseGet(() -> in(cluster)));
  }

  private CommandFailure none() {
    return CommandFailure.usage(source + " has no Node; specify one with --node");
  }

  /** That {@code source} has other Nodes, but not this one. */
  static CommandFailure missing(String node, String source, List<String> known) {
    return CommandFailure.missing(
        "no Node '" + Text.printable(node) + "' in " + source + "; it has: " + list(known));
  }

  private static String list(List<String> names) {
    String first =
        String.join(", ", names.stream().limit(MOST_NODES_NAMED).map(Text::printable).toList());
    return names.size() <= MOST_NODES_NAMED
        ? first
        : first + " and " + (names.size() - MOST_NODES_NAMED) + " more";
  }
}
