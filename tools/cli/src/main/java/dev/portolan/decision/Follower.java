package dev.portolan.decision;

import dev.portolan.brain.Brain;
import dev.portolan.brain.BrainSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.text.TextException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows a source and hands each decision about it to a reader. The thread that reads also writes,
 * so that no decision is passed over.
 */
public final class Follower implements Source.Sink {
  private final Terminal terminal;
  private final Remarks remarks;
  private final Source source;
  private final Brain brain;
  private final Consumer<Brain> reader;
  private final Thread runner = Thread.currentThread();
  private volatile @Nullable CommandFailure mistake;

  /** Follows {@code source}; a mistake that {@code reader} finds ends it. */
  public Follower(
      Source source,
      BrainSettings settings,
      Consumer<Brain> reader,
      Terminal terminal,
      Remarks remarks) {
    this.terminal = terminal;
    this.remarks = remarks;
    this.source = source;
    this.reader = reader;
    this.brain =
        new Brain(settings, warning -> remarks.warn(warning, source.place(warning.object())));
  }

  /** Runs until it is interrupted or its output is closed. */
  public void run() {
    try {
      source.run(this);
    } catch (InterruptedException e) {
      if (mistake != null) {
        throw mistake;
      }
      if (!terminal.isClosed()) {
        Thread.currentThread().interrupt();
      }
    } catch (TextException e) {
      throw CommandFailure.input(e);
    }
  }

  @Override
  public void apply(ClusterImage cluster) {
    brain.apply(cluster);
    if (mistake != null) {
      return;
    }
    try {
      reader.accept(brain);
    } catch (CommandFailure e) {
      // Another thread than the one that runs the source may be here.
      mistake = e;
      runner.interrupt();
      return;
    }
    if (terminal.isClosed()) {
      runner.interrupt();
    }
  }

  @Override
  public void report(String problem) {
    remarks.warn(problem);
  }

  /** Ends a run from within. */
  static final class NobodyReads extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
