package dev.portolan.timemachine.replay;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeView;
import dev.portolan.compare.ObjectDiff;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.source.record.RecordedEvent;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides for one node what a recording holds, state by state. */
final class Playback {
  private final String node;
  private final Function<RecordedEvent.Started, DecisionSettings> configured;
  private DecisionSettings settings = DecisionSettings.DEFAULT;
  private @Nullable Brain brain;
  private @Nullable NodeView view;
  private NodeImage image;
  private ClusterImage cluster = ClusterImage.EMPTY;

  /**
   * Nothing is played yet.
   *
   * @param configured the settings of each process that recorded
   */
  public Playback(String node, Function<RecordedEvent.Started, DecisionSettings> configured) {
    this.node = node;
    this.configured = configured;
    this.image = NodeImage.unsynced(node);
  }

  /** What is decided now, under the revision that was recorded. */
  public NodeImage image() {
    return image;
  }

  /** A process began: it decides on its own, and knows nothing of the one before. */
  public void begin(RecordedEvent.Started started) {
    settings = configured.apply(started);
    brain = null;
    view = null;
  }

  /** Takes the next state; returns what it changes for the node, if it changes anything. */
  public Optional<NodeRevision> take(RecordedEvent.State state) {
    boolean beginning = brain == null;
    Brain deciding = brain == null ? new Brain(settings.cluster(), warning -> {}) : brain;
    deciding.apply(state.cluster());
    NodeView looking = view == null ? deciding.open(node, settings.node()) : view;
    brain = deciding;
    view = looking;
    NodeImage before = image;
    NodeImage decided = looking.image();
    ClusterImage old = cluster;
    image = new NodeImage(state.revision(), decided.facts(), decided.services());
    cluster = state.cluster();
    NodeChange change = NodeChange.between(before, image);
    if (!beginning && change.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new NodeRevision(state.time(), change, ObjectDiff.of(old, cluster), beginning));
  }
}
