package dev.portolan.cli;

import dev.portolan.core.brain.Brain;
import dev.portolan.core.brain.Client;
import dev.portolan.core.brain.Explainer;
import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.brain.Target;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.node.NodeImage;
import java.util.Map;
import java.util.Optional;

/**
 * What this process decides for a node of a cluster that it read once.
 *
 * @param places where objects are written, as {@code file:line}
 */
record LocalDecision(Brain brain, NodeImage image, Map<ObjectRef, String> places) {
  /** Reads the cluster and decides for the node that the options name. */
  static LocalDecision read(SourceOptions source, NodeOptions options, Remarks remarks) {
    NodeSettings settings = options.settings(remarks);
    SourceOptions.Reading reading = source.read(remarks);
    reading.warnings().forEach(remarks::warn);
    String node = NodeChoice.of(source, options, remarks).in(reading.image());
    Brain brain = brain(reading, remarks);
    return new LocalDecision(brain, brain.open(node, settings).image(), reading.places());
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

  /** What happens to connections to {@code target}, and why. */
  Explained explain(Target target, Optional<Client> client) {
    return new Explained(new Explainer(brain, image).explain(target, client), places);
  }
}
