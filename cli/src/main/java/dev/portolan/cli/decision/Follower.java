package dev.portolan.cli.decision;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.text.TextException;
import org.jspecify.annotations.Nullable;

/**
 * Follows a source and hands each revision of one node to a backend. The thread that reads also
 * writes, so that no revision is passed over.
 */
public final class Follower implements Source.Sink {
  private final Terminal terminal;
  private final Remarks remarks;
  private final Backend backend;
  private final Source source;
  private final NodeChoice choice;
  private final NodeSettings settings;
  private final Brain brain;
  private final Thread reader = Thread.currentThread();
  private @Nullable NodeView view;
  private volatile @Nullable CommandFailure mistake;
  private NodeImage handed = NodeImage.unsynced("");

  /** Follows the node that {@code choice} makes of the first state. */
  public Follower(
      Source source,
      NodeChoice choice,
      DecisionSettings settings,
      Backend backend,
      Terminal terminal,
      Remarks remarks) {
    this.terminal = terminal;
    this.remarks = remarks;
    this.backend = backend;
    this.source = source;
    this.choice = choice;
    this.settings = settings.node();
    this.brain =
        new Brain(
            settings.cluster(), warning -> remarks.warn(warning, source.place(warning.object())));
  }

  /** Runs until it is interrupted or its output is closed. */
  public void run() {
    try {
      source.run(this);
    } catch (InterruptedException e) {
      if (mistake != null) {
        throw mistake;
      }
      Thread.currentThread().interrupt();
    } catch (TextException e) {
      throw CommandFailure.input(e);
    } catch (NobodyReads e) {
      // There is nothing left to do.
    }
  }

  @Override
  public void apply(ClusterImage cluster) {
    brain.apply(cluster);
    if (mistake != null) {
      return;
    }
    if (view == null) {
      try {
        view = brain.open(choice.in(cluster), settings);
      } catch (CommandFailure e) {
        // Another thread than the one that runs the source may be here.
        mistake = e;
        reader.interrupt();
        return;
      }
    }
    NodeImage image = view.image();
    if (image.revision() != handed.revision()) {
      backend.sync(NodeChange.between(handed, image));
      handed = image;
    }
    if (terminal.isClosed()) {
      throw new NobodyReads();
    }
  }

  @Override
  public void report(String problem) {
    remarks.warn(problem);
  }

  /** Ends the source's run from within. */
  private static final class NobodyReads extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
