package dev.portolan.proxy;

import dev.portolan.backend.nftables.DriftWatch;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.brain.Brain;
import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.NetlinkException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a kernel equal to what a source says of a node. Three threads are at work: one reads and
 * decides, one writes to the kernel, one watches that what was written stays.
 */
public final class NodeDaemon implements AutoCloseable {
  private static final Duration AUDIT_EVERY = Duration.ofMinutes(5);

  private final Source source;
  private final Brain brain;
  private final NodeView view;
  private final NftablesBackend backend;
  private final FlowEnder flows;
  private final SyncLoop loop;
  private final Events events;

  /**
   * What is to be kept.
   *
   * @param settings what the operator says of the node
   * @param endTcp whether TCP flows to endpoints that are gone end too, and not only those of UDP
   */
  public record Plan(
      String node, NodeSettings settings, NftablesOptions options, boolean endTcp, Pace pace) {}

  /** Told of everything that happens. Several threads call. */
  public interface Events extends SyncLoop.Listener {
    /** The cluster changed, and {@code newest} is what is now decided for the node. */
    default void taken(ClusterDelta transaction, NodeImage newest) {}

    /** So many objects were not as written, because of {@code cause}; they are repaired. */
    void repaired(int objects, String cause);

    /** A repair failed. */
    void notRepaired(BackendException failure);

    /** After a sync, flows that had gone stale were ended. */
    void cleaned(Cleaning cleaning);

    /** Stale flows could not be looked for; after the next sync they are. */
    void notCleaned(NetlinkException failure);

    /** Something in the cluster's objects is not as it should be. */
    void warned(String warning);
  }

  /** Opens a connection to the kernel; nothing is read or written yet. */
  public NodeDaemon(Source source, Plan plan, Events events) {
    this.source = source;
    this.events = events;
    this.brain =
        new Brain(warning ->
            events.warned(
                source.place(warning.object()).map(where -> where + ": ").orElse("") + warning));
    this.view = brain.open(plan.node, plan.settings);
    this.backend = new NftablesBackend(plan.options);
    this.flows = new FlowEnder(plan.options.namespace(), plan.endTcp, events);
    this.loop = new SyncLoop(view, backend, plan.pace, flows);
  }

  /** Who decides. */
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
        Thread.ofPlatform()
            .daemon()
            .name("sync")
            .start(() -> {
              try {
                loop.run();
              } catch (InterruptedException e) {
                // It was told to stop.
              } catch (RuntimeException | Error e) {
                crash.set(e);
                reader.interrupt();
              }
            });
    try (DriftWatch _ = watch()) {
      source.run(new Sink());
    } catch (InterruptedException e) {
      // It was told to stop.
    } finally {
      stop(writer);
    }
    Throwable cause = crash.get();
    if (cause != null) {
      throw new IllegalStateException("the sync loop ended: " + cause, cause);
    }
  }

  /** Removes every rule that was written. */
  public void cleanup() {
    backend.cleanup();
  }

  /** Closes the connection to the kernel. */
  @Override
  public void close() {
    view.close();
    flows.close();
    backend.close();
  }

  private DriftWatch watch() {
    try {
      return new DriftWatch(
          backend,
          AUDIT_EVERY,
          new DriftWatch.Listener() {
            @Override
            public void repaired(int objects, String cause) {
              events.repaired(objects, cause);
            }

            @Override
            public void failed(BackendException failure) {
              events.notRepaired(failure);
            }
          });
    } catch (NetlinkException e) {
      throw new BackendException("nftables: " + e.getMessage(), e);
    }
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
    public void apply(ClusterDelta transaction) {
      brain.apply(transaction);
      events.taken(transaction, view.image());
    }

    @Override
    public void report(String problem) {
      events.warned(problem);
    }
  }
}
