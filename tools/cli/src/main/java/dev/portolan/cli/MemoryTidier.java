package dev.portolan.cli;

import dev.portolan.config.gates.Platform;
import dev.portolan.core.error.Threads;
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

  private static final Duration LEAST_PAUSE = Duration.ofSeconds(10);

  /**
   * A collection stops everything, so collections take at most 1/{@value} of the time, however much
   * garbage there is: fewer than one change in a hundred waits for one.
   */
  private static final int SHARE = 200;

  private static final long LEAST_SLACK = 4L << 20;

  private final Thread thread = Threads.virtual("memory-tidier").lasting().unstarted(this::run);

  private MemoryTidier() {}

  /** Begins, until it is closed. */
  static MemoryTidier start() {
    MemoryTidier tidier = new MemoryTidier();
    tidier.thread.start();
    return tidier;
  }

  private void run() {
    try {
      Thread.sleep(START);
      while (true) {
        long begin = System.nanoTime();
        System.gc();
        Duration share = Duration.ofNanos(System.nanoTime() - begin).multipliedBy(SHARE);
        Duration pause = share.compareTo(LEAST_PAUSE) < 0 ? LEAST_PAUSE : share;
        long settled = used();
        if (Platform.current() == Platform.LINUX) {
          ProgramPages.giveBack();
        }
        do {
          Thread.sleep(pause);
        } while (used() - settled < Math.max(LEAST_SLACK, settled / 8));
      }
    } catch (InterruptedException e) {
      // It was closed.
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
