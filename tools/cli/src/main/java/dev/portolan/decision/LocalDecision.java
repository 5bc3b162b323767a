package dev.portolan.decision;

import dev.portolan.brain.Brain;
import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeDecision;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.options.NodeOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Waiting;
import java.util.Optional;

/** What this process decides for a node of a cluster that it read once. */
public record LocalDecision(NodeDecision decision) {
  /**
   * Reads the cluster and decides for the node that the options name.
   *
   * @param mode what programs the node, where that is known; it has defaults of its own
   */
  public static LocalDecision read(
      SourceOptions source, NodeOptions options, String mode, Remarks remarks) {
    options.follow(source, remarks);
    DecisionSettings settings = options.settings(mode, remarks);
    SourceOptions.Reading reading = source.read(remarks);
    reading.warnings().forEach(remarks::warn);
    String node = NodeChoice.of(source, options, remarks).in(reading.image());
    Brain brain = brain(settings.cluster(), reading, remarks);
    return new LocalDecision(brain.decision(node, settings.node()));
  }

  /** Reads the cluster, to be looked at from any node. */
  public static Brain brain(SourceOptions source, Remarks remarks) {
    SourceOptions.Reading reading = source.read(remarks);
    reading.warnings().forEach(remarks::warn);
    return brain(BrainSettings.DEFAULT, reading, remarks);
  }

  /** A brain that decides about what was read. */
  static Brain brain(BrainSettings settings, SourceOptions.Reading reading, Remarks remarks) {
    Brain brain =
        new Brain(
            settings,
            warning ->
                remarks.warn(warning, Optional.ofNullable(reading.places().get(warning.object()))));
    try (Waiting _ = Waiting.busy(() -> "deciding", remarks)) {
      brain.apply(reading.image());
    }
    return brain;
  }

  /** What is decided for the node. */
  public NodeImage image() {
    return decision.image();
  }

  /** The same, each service with what is written on it, if the source keeps that. */
  public NodeImage described() {
    return described(decision);
  }

  static NodeImage described(NodeDecision decision) {
    ClusterImage cluster = decision.cluster().cluster();
    NodeImage image = decision.image();
    PersistentMap<NamespacedName, NodeService> services = PersistentMap.empty();
    for (NodeService service : image.services()) {
      Service object = cluster.services().get(service.name());
      services =
          services.with(service.name(), object == null ? service : service.with(object.metadata()));
    }
    return NodeImage.of(image.revision(), image.facts(), services);
  }
}
