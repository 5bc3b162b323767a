package dev.portolan.decision;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands each revision of the node that is chosen in the first state to a backend. */
public final class NodeRevisions implements Consumer<Brain> {
  private final NodeChoice choice;
  private final NodeSettings settings;
  private final boolean described;
  private final Backend backend;
  private @Nullable NodeView view;
  private NodeImage handed = NodeImage.unsynced("");

  /**
   * Nothing is handed over yet.
   *
   * @param described whether services come with what is written on them, which may change within a
   *     revision
   */
  public NodeRevisions(
      NodeChoice choice, NodeSettings settings, boolean described, Backend backend) {
    this.choice = choice;
    this.settings = settings;
    this.described = described;
    this.backend = backend;
  }

  @Override
  public void accept(Brain brain) {
    if (view == null) {
      view = brain.open(choice.in(brain.cluster()), settings);
    }
    NodeImage image = described ? LocalDecision.described(view.decision()) : view.image();
    if (image.revision() != handed.revision() || (described && !image.sameAs(handed))) {
      backend.sync(NodeChange.between(handed, image));
      handed = image;
    }
  }
}
