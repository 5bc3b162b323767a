package dev.portolan.source.union;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Threads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A source that is read from the start on, and held back until it is run in turn: so somebody can
 * look at the first state, wait for a node or choose one in it, and go on without reading
 * everything again.
 */
public final class HeldSource implements Source, AutoCloseable {
  private final Source source;
  private final String name;
  private final Listener listener;
  private final Thread reader;
  private @Nullable ClusterImage newest;
  private @Nullable Sink taker;

  /** The node as it was last, whether or not it is still there. */
  private @Nullable Node node;

  private @Nullable Throwable failure;
  private boolean ended;

  /** Notified of what happens to one node, and of problems before the data is taken. */
  public interface Listener {
    /** The Node object was added or changed. */
    default void nodeChanged(Node node) {}

    /** The Node object was deleted. */
    default void nodeDeleted() {}

    /**
     * Whether a problem before the first state ends the reading; what is returned is thrown by the
     * methods that wait.
     *
     * @param code present if the source retries by itself
     */
    default Optional<RuntimeException> failure(Optional<ErrorCode> code, String problem) {
      return Optional.empty();
    }

    /** Something could not be read. */
    void problem(String sentence);
  }

  /** Starts to read; {@code listener} is notified of the Node called {@code node}. */
  public HeldSource(Source source, String node, Listener listener) {
    this.source = source;
    this.name = node;
    this.listener = listener;
    this.reader = Threads.virtual("source").start(this::read);
  }

  private void read() {
    try {
      source.run(new Held());
    } catch (InterruptedException e) {
      // It was closed.
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    synchronized (this) {
      ended = true;
      notifyAll();
    }
  }

  private synchronized void fail(Throwable cause) {
    failure = failure == null ? cause : failure;
    notifyAll();
  }

  /** The first state; empty where it takes longer. */
  public synchronized Optional<ClusterImage> awaitFirst(Duration longest)
      throws InterruptedException {
    await(() -> newest != null, longest);
    return Optional.ofNullable(newest);
  }

  /**
   * Waits until the cluster is known, and then for at most {@code patience} until the Node is good.
   *
   * @return the Node as it is then, if it exists
   */
  public synchronized Optional<Node> awaitNode(Predicate<Node> good, Duration patience)
      throws InterruptedException {
    while (newest == null) {
      throwFailure();
      wait();
    }
    await(() -> node != null && good.test(node), patience);
    return Optional.ofNullable(node);
  }

  private void await(BooleanSupplier there, Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (!there.getAsBoolean()) {
      throwFailure();
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }

  /**
   * Hands over the newest state, and from now on each one at once. A node that was deleted
   * meanwhile is handed over before, so that the taker knows that there was one.
   */
  @Override
  public synchronized void run(Sink sink) throws InterruptedException {
    handOver(sink);
    taker = sink;
    while (!ended) {
      wait();
    }
    throwFailure();
  }

  /** A method of its own: a local variable of the waiting method would retain the first state. */
  private void handOver(Sink sink) {
    if (newest == null) {
      return;
    }
    if (node != null && !newest.nodes().containsKey(name)) {
      sink.apply(newest.with(node));
    }
    sink.apply(newest);
  }

  private void throwFailure() {
    switch (failure) {
      case null -> {}
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  @Override
  public Optional<String> place(ObjectRef object) {
    return source.place(object);
  }

  @Override
  public Map<String, String> versions() {
    return source.versions();
  }

  @Override
  public Duration silence() {
    return source.silence();
  }

  /** Stops to read. */
  @Override
  public void close() {
    reader.interrupt();
  }

  private void watchNode(boolean wasThere, @Nullable Node now) {
    Node before = node;
    if (now == null) {
      if (wasThere) {
        listener.nodeDeleted();
      }
    } else if (!now.equals(before)) {
      node = now;
      if (before != null) {
        listener.nodeChanged(now);
      }
    }
  }

  /** Keeps what comes until it is taken. */
  private final class Held implements Sink {
    @Override
    public void apply(ClusterImage cluster) {
      synchronized (HeldSource.this) {
        boolean wasThere = newest != null && newest.nodes().containsKey(name);
        watchNode(wasThere, cluster.nodes().get(name));
        newest = cluster;
        if (taker != null) {
          taker.apply(cluster);
        }
        HeldSource.this.notifyAll();
      }
    }

    @Override
    public void report(String problem) {
      synchronized (HeldSource.this) {
        if (taker != null) {
          taker.report(problem);
        } else if (!endsReading(Optional.empty(), problem)) {
          listener.problem(problem);
        }
      }
    }

    @Override
    public void retrying(ErrorCode code, String problem, String meanwhile) {
      synchronized (HeldSource.this) {
        if (taker != null) {
          taker.retrying(code, problem, meanwhile);
        } else if (!endsReading(Optional.of(code), problem)) {
          Sink.super.retrying(code, problem, meanwhile);
        }
      }
    }

    private boolean endsReading(Optional<ErrorCode> code, String problem) {
      Optional<RuntimeException> end =
          newest == null ? listener.failure(code, problem) : Optional.empty();
      end.ifPresent(cause -> {
        fail(cause);
        reader.interrupt();
      });
      return end.isPresent();
    }

    @Override
    public void recovered() {
      synchronized (HeldSource.this) {
        if (taker != null) {
          taker.recovered();
        }
      }
    }
  }
}
