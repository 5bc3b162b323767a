package dev.portolan.daemon;

import java.time.Duration;

/**
 * Collects garbage that has lived for a while, once there is much of it. The serial collector looks
 * at that only when the heap has grown to a quarter of the machine, which is too much for every
 * node.
 */
public final class HeapTidier implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final long LEAST_SLACK = 24L << 20;

  private final Thread thread = Thread.ofVirtual().name("heap-tidier").unstarted(this::run);

  /** What was in use after the last collection. */
  private long settled = used();

  private HeapTidier() {}

  /** Looks from time to time, until it is closed. */
  public static HeapTidier start() {
    HeapTidier tidier = new HeapTidier();
    tidier.thread.start();
    return tidier;
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(PERIOD);
        look();
      }
    } catch (InterruptedException e) {
      // It was closed.
    }
  }

  private void look() {
    long used = used();
    if (used < settled) {
      settled = used;
    } else if (used - settled > Math.max(LEAST_SLACK, settled / 2)) {
      System.gc();
      settled = used();
    }
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
