package dev.portolan.options;

import dev.portolan.core.error.Threads;
import java.io.PrintWriter;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Prints lines about connections on a thread of its own, so that a slow reader of the output does
 * not slow connections. If lines come faster than they are read, some are left out, and their
 * number is printed.
 */
public final class AccessLog implements Consumer<String>, AutoCloseable {
  private static final int MOST_WAITING = 10_000;

  private final PrintWriter out;
  private final Consumer<String> remarks;
  private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong lost = new AtomicLong();
  private @Nullable Thread printer;
  private volatile boolean closed;

  /** Prints lines to {@code out}; {@code remarks} gets the number of those that were left out. */
  public AccessLog(PrintWriter out, Consumer<String> remarks) {
    this.out = out;
    this.remarks = remarks;
  }

  @Override
  public void accept(String line) {
    start();
    if (!waiting.offer(line)) {
      lost.incrementAndGet();
    }
  }

  private synchronized void start() {
    if (printer == null) {
      printer = Threads.platform("access-log").lasting().start(this::print);
    }
  }

  private void print() {
    try {
      while (!closed || !waiting.isEmpty()) {
        String line = waiting.poll(100, TimeUnit.MILLISECONDS);
        if (line == null) {
          continue;
        }
        out.print(line + "\n");
        if (waiting.isEmpty()) {
          out.flush();
          sayLost();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    out.flush();
  }

  private void sayLost() {
    long count = lost.getAndSet(0);
    if (count > 0) {
      remarks.accept("the access log lacks " + count + " lines: they came faster than it is read");
    }
  }

  /** Prints what is left, for a second at most. */
  @Override
  public void close() {
    closed = true;
    Thread running;
    synchronized (this) {
      running = printer;
    }
    boolean interrupted = Thread.interrupted();
    try {
      if (running != null) {
        running.join(TimeUnit.SECONDS.toMillis(1));
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
