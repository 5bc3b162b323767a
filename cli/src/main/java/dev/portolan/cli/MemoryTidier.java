package dev.portolan.cli;

import dev.portolan.netlink.ProgramPages;
import java.time.Duration;

/**
 * Gives back memory: what only the start needed, and later garbage that has lived for a while, once
 * there is much of it. The serial collector looks at that only when the heap has grown to a quarter
 * of the machine, which is too much for every node.
 */
final class MemoryTidier implements AutoCloseable {
  /** A start makes much that stays, and has no time to lose. */
  private static final Duration START = Duration.ofSeconds(3);

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final long LEAST_SLACK = 4L << 20;

  private final Thread thread = Thread.ofVirtual().name("memory-tidier").unstarted(this::run);

  /** What was in use after the last collection. */
  private long settled;

  private MemoryTidier() {}

  /**
   * Looks from time to time, until it is closed: often while there is much to collect, and ever
   * less often when there is not, or when it was needed after all, as when a large cluster is read.
   */
  static MemoryTidier start() {
    MemoryTidier tidier = new MemoryTidier();
    tidier.thread.start();
    return tidier;
  }

  private void run() {
    try {
      Thread.sleep(START);
      tidy();
      Duration pause = SHORTEST_PAUSE;
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

  /** Tidies if it may be worth it; says whether it was. */
  private boolean look() {
    long used = used();
    long more = used - settled;
    if (more > Math.max(LEAST_SLACK, settled / 8)) {
      tidy();
      return used - settled > more / 2;
    }
    settled = Math.min(settled, used);
    return false;
  }

  private void tidy() {
    System.gc();
    settled = used();
    ProgramPages.giveBack();
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
