package dev.portolan.cli;

import dev.portolan.client.Connection;
import dev.portolan.core.brain.Brain;
import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.node.NodeImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster as it was read once, and what was decided for one node of it.
 *
 * @param image what was decided, under the settings of whoever decided it
 */
record Scene(Brain brain, NodeView view, NodeImage image, Map<ObjectRef, String> places) {
  private static final int MOST_NODES_NAMED = 10;

  /** Reads the cluster and looks at it from the node that the options name. */
  static Scene open(SourceOptions source, NodeOptions options, Remarks remarks) {
    NodeSettings settings = options.settings(remarks);
    SourceOptions.Reading reading = source.read(remarks);
    reading.warnings().forEach(remarks::warn);
    String node = node(source.toString(), options.node(), reading.image(), remarks);
    Brain brain = brain(reading, remarks);
    NodeView view = brain.open(node, settings);
    return new Scene(brain, view, view.image(), reading.places());
  }

  /** Reads the cluster that a brain knows, and looks at it from a node as the brain does. */
  static Scene ofBrain(ApiOptions api, TlsOptions tls, NodeOptions options, Remarks remarks) {
    Optional<String> named = options.nodeOfBrain();
    SourceOptions.Reading reading = SourceOptions.read(api.address(), tls.files(), remarks);
    String node = node(api.toString(), named, reading.image(), remarks);
    Brain brain = brain(reading, remarks);
    NodeView view = brain.open(node, NodeSettings.DEFAULT);
    try (Connection connection = api.connect(tls, remarks)) {
      NodeImage decided = RemoteDecision.read(connection, node, Visitor.EXPLAIN, remarks);
      NodeImage own = view.image();
      // Services are decided alike for every setting; what the brain was told is in the facts.
      NodeImage image =
          new NodeImage(decided.revision(), decided.facts(), own.services(), own.position());
      return new Scene(brain, view, image, reading.places());
    }
  }

  /** Reads the cluster, to be looked at from any node. */
  static Brain brain(SourceOptions source, Remarks remarks) {
    SourceOptions.Reading reading = source.read(remarks);
    reading.warnings().forEach(remarks::warn);
    return brain(reading, remarks);
  }

  private static Brain brain(SourceOptions.Reading reading, Remarks remarks) {
    Brain brain =
        new Brain(warning ->
            remarks.warn(warning, Optional.ofNullable(reading.places().get(warning.object()))));
    brain.apply(ClusterDelta.between(ClusterImage.EMPTY, reading.image()));
    return brain;
  }

  /** Where an object was written, as {@code file:line}. */
  Optional<String> place(ObjectRef object) {
    return Optional.ofNullable(places.get(object));
  }

  /** The node that the options name, out of the cluster as it is now. */
  static String node(SourceOptions source, NodeOptions options, Remarks remarks) {
    return node(source.toString(), options.node(), source.read(remarks).image(), remarks);
  }

  private static String node(
      String source, Optional<String> named, ClusterImage cluster, Remarks remarks) {
    List<String> known = new ArrayList<>();
    for (Map.Entry<String, Node> entry : cluster.nodes()) {
      known.add(entry.getKey());
    }
    if (named.isEmpty()) {
      if (known.size() == 1) {
        return known.getFirst();
      }
      throw CommandFailure.usage(
          known.isEmpty()
              ? source + " has no Node; specify one with --node"
              : source + " has several Nodes; choose one with --node: " + list(known));
    }
    String node = named.get();
    if (known.isEmpty()) {
      remarks.warn(source + " has no Node, so only the name is known of '" + node + "'");
    } else if (!known.contains(node)) {
      throw CommandFailure.missing(
          "no Node '" + Text.printable(node) + "' in " + source + "; it has: " + list(known));
    }
    return node;
  }

  private static String list(List<String> names) {
    String first =
        String.join(", ", names.stream().limit(MOST_NODES_NAMED).map(Text::printable).toList());
    return names.size() <= MOST_NODES_NAMED
        ? first
        : first + " and " + (names.size() - MOST_NODES_NAMED) + " more";
  }
}
