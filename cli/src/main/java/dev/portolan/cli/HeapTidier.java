package dev.portolan.cli;

import java.time.Duration;

/**
 * Collects garbage that has lived for a while, once there is much of it. The serial collector looks
 * at that only when the heap has grown to a quarter of the machine, which is too much for every
 * node.
 */
final class HeapTidier implements AutoCloseable {
  /** A start makes much that stays, and has no time to lose. */
  private static final Duration START = Duration.ofSeconds(3);

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final long LEAST_SLACK = 8L << 20;

  private final Thread thread = Thread.ofVirtual().name("heap-tidier").unstarted(this::run);

  /** What was in use after the last collection. */
  private long settled = used();

  private HeapTidier() {}

  /**
   * Looks from time to time, until it is closed: often while there is much to collect, as when a
   * large cluster is read, and ever less often when there is not.
   */
  static HeapTidier start() {
    HeapTidier tidier = new HeapTidier();
    tidier.thread.start();
    return tidier;
  }

  private void run() {
    try {
      Duration pause = START;
      while (true) {
        Thread.sleep(pause);
        Duration longer = pause.multipliedBy(2);
        pause =
            look() ? SHORTEST_PAUSE : longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
      }
    } catch (InterruptedException e) {
      // It was closed.
    }
  }

  /** Collects if it is worth it; says whether it was. */
  private boolean look() {
    long used = used();
    if (used - settled > Math.max(LEAST_SLACK, settled / 4)) {
      System.gc();
      settled = used();
      return true;
    }
    settled = Math.min(settled, used);
    return false;
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
