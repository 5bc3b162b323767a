package dev.portolan.wiring;

import dev.portolan.brain.Brain;
import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.Threads;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Observer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a kernel equal to what a source says of a node. Two threads are at work: one reads and
 * decides, the keeper's writes to the kernel and looks after what was written.
 */
public final class NodeDaemon implements AutoCloseable {
  private final Source source;
  private final Brain brain;
  private final NodeView view;
  private final Keeper keeper;
  private final NodeEvents events;
  private final ClusterRecorder recorder;

  /**
   * What to keep in sync, and how.
   *
   * @param cluster what the operator says of the whole cluster
   * @param settings what the operator says of the node
   * @param backend closed in the end
   */
  public record Plan(
      String node,
      BrainSettings cluster,
      NodeSettings settings,
      Backend backend,
      Keeper.Options keeping) {}

  /**
   * Nothing is read or written yet.
   *
   * @param others notified of what the keeper does too
   */
  public NodeDaemon(Source source, Plan plan, NodeEvents events, Observer... others) {
    this(source, plan, events, ClusterRecorder.NONE, others);
  }

  /** The same, where {@code recorder} keeps what is decided about. */
  public NodeDaemon(
      Source source, Plan plan, NodeEvents events, ClusterRecorder recorder, Observer... others) {
    this.source = source;
    this.events = events;
    this.recorder = recorder;
    this.brain =
        new Brain(
            plan.cluster,
            warning ->
                events.warned(
                    source.place(warning.object()).map(where -> where + ": ").orElse("")
                        + warning));
    this.view = brain.open(plan.node, plan.settings);
    this.keeper =
        new Keeper(
            view,
            plan.backend,
            plan.keeping,
            Stream.concat(Stream.of(events), Stream.of(others)).toArray(Observer[]::new));
  }

  /** The brain. */
  public Brain brain() {
    return brain;
  }

  /** What is decided for the node. */
  public NodeView view() {
    return view;
  }

  /**
   * Follows the source until the thread is interrupted; the rules then stay as they are. What the
   * source throws at its start passes through.
   */
  public void run() {
    AtomicReference<@Nullable Throwable> crash = new AtomicReference<>();
    Thread reader = Thread.currentThread();
    Thread writer =
        Threads.platform("keeper")
            .start(() -> {
              try {
                keeper.run();
              } catch (InterruptedException e) {
                // It was stopped.
              } catch (RuntimeException | Error e) {
                crash.set(e);
                reader.interrupt();
              }
            });
    try {
      source.run(new Sink());
    } catch (InterruptedException e) {
      // It was stopped.
    } finally {
      stop(writer);
    }
    Throwable cause = crash.get();
    if (cause instanceof BackendException failure) {
      throw failure;
    }
    if (cause != null) {
      throw new IllegalStateException("the keeper ended: " + cause, cause);
    }
  }

  /** Removes every rule that was written. */
  public void cleanup() {
    keeper.cleanup();
  }

  /** Closes the connection to the kernel. */
  @Override
  public void close() {
    view.close();
    keeper.close();
  }

  private static void stop(Thread thread) {
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the brain decide what the source reads. */
  private final class Sink implements Source.Sink {
    @Override
    public void apply(ClusterImage newest) {
      events.taken(brain.apply(newest), view.image());
      recorder.taken(newest, view.image().revision(), source.versions());
    }

    @Override
    public void report(String problem) {
      recorder.problem(problem);
      events.warned(problem);
    }
  }
}
