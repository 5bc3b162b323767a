package dev.portolan.proxy;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a source from the start on, and buffers what it reads until it is taken: first the node
 * itself has to be known. A Node object that is deleted stays known, as one that is leaving: its
 * traffic goes on for as long as the daemon runs.
 */
final class Intake implements Source, Source.Sink, AutoCloseable {
  private final Source source;
  private final String name;
  private final Listener listener;
  private final Thread reader;
  private final List<ClusterDelta> held = new ArrayList<>();
  private @Nullable Sink taker;
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
    this.reader = Thread.ofVirtual().name("source").start(this::read);
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
  public synchronized void apply(ClusterDelta transaction) {
    ClusterDelta kept = keepNode(transaction);
    if (taker == null) {
      held.add(kept);
    } else {
      taker.apply(kept);
    }
    notifyAll();
  }

  private ClusterDelta keepNode(ClusterDelta transaction) {
    Optional<Node> change = transaction.nodes().get(name);
    if (change == null) {
      return transaction;
    }
    Node before = node;
    if (change.isPresent()) {
      node = change.get();
      if (before != null) {
        listener.nodeChanged(node);
      }
      return transaction;
    }
    if (before == null) {
      return transaction;
    }
    node = before.asLeaving();
    listener.nodeDeleted();
    return transaction.with(node);
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
   * Waits until the cluster is known, and then for so long until the Node is as it should be.
   *
   * @return the Node that there is then, if any
   */
  synchronized Optional<Node> awaitNode(Predicate<Node> good, Duration patience)
      throws InterruptedException {
    while (held.isEmpty()) {
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

  /** Hands over what was held back, and from now on everything at once. */
  @Override
  public synchronized void run(Sink sink) throws InterruptedException {
    sink.apply(held.size() == 1 ? held.getFirst() : together());
    held.clear();
    taker = sink;
    while (true) {
      throwCrash();
      wait();
    }
  }

  /** What was held back as one transaction: what has changed since is not programmed any more. */
  private ClusterDelta together() {
    ClusterImage image = ClusterImage.EMPTY;
    for (ClusterDelta delta : held) {
      image = delta.applyTo(image);
    }
    return ClusterDelta.between(ClusterImage.EMPTY, image);
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
