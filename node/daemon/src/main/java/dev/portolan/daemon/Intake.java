package dev.portolan.daemon;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.Threads;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a source from the start on, and holds back what it reads until it is run in turn: first the
 * node itself has to be known.
 */
final class Intake implements Source, Source.Sink, AutoCloseable {
  private final Source source;
  private final String name;
  private final Listener listener;
  private final Thread reader;
  private @Nullable ClusterImage newest;
  private @Nullable Sink taker;

  /** The node as it was last, whether or not it is still there. */
  private @Nullable Node node;

  private @Nullable Throwable crash;

  /** Notified of what happens to the node itself, and of problems before the data is taken. */
  interface Listener {
    /** The Node object is another one now. */
    void nodeChanged(Node node);

    /** The Node object is gone. */
    void nodeDeleted();

    /** Something could not be read. */
    void problem(String sentence);
  }

  /** Starts to read; {@code name} is the node's. */
  Intake(Source source, String name, Listener listener) {
    this.source = source;
    this.name = name;
    this.listener = listener;
    this.reader = Threads.virtual("source").start(this::read);
  }

  private void read() {
    try {
      source.run(this);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        crash = e;
        notifyAll();
      }
    }
  }

  @Override
  public synchronized void apply(ClusterImage cluster) {
    watchNode(isThere(), cluster.nodes().get(name));
    newest = cluster;
    if (taker != null) {
      taker.apply(cluster);
    } else {
      notifyAll();
    }
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

  /** Whether the newest state has the node. */
  private boolean isThere() {
    return newest != null && newest.nodes().containsKey(name);
  }

  @Override
  public synchronized void report(String problem) {
    if (taker == null) {
      listener.problem(problem);
    } else {
      taker.report(problem);
    }
  }

  /**
   * Waits until the cluster is known, and then for at most {@code patience} until the Node is as it
   * should be.
   *
   * @return the Node that there is then, if any
   */
  synchronized Optional<Node> awaitNode(Predicate<Node> good, Duration patience)
      throws InterruptedException {
    while (newest == null) {
      throwCrash();
      wait();
    }
    long end = System.nanoTime() + patience.toNanos();
    while (node == null || !good.test(node)) {
      throwCrash();
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        break;
      }
      wait(left);
    }
    return Optional.ofNullable(node);
  }

  /**
   * Hands over the newest state, and from now on each one at once. A node that was deleted
   * meanwhile is handed over before, so that the taker knows that there was one.
   */
  @Override
  public synchronized void run(Sink sink) throws InterruptedException {
    handOver(sink);
    taker = sink;
    while (true) {
      throwCrash();
      wait();
    }
  }

  /** A method of its own: a variable of one that waits would keep the first state forever. */
  private void handOver(Sink sink) {
    ClusterImage first = Objects.requireNonNull(newest);
    if (node != null && !isThere()) {
      sink.apply(first.with(node));
    }
    sink.apply(first);
  }

  @Override
  public Map<String, String> versions() {
    return source.versions();
  }

  private void throwCrash() {
    if (crash != null) {
      throw new IllegalStateException("reading the cluster ended: " + crash, crash);
    }
  }

  @Override
  public void close() {
    reader.interrupt();
  }
}
