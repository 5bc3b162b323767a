package dev.portolan.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for what must come. */
final class Patience {
  static final int SECONDS = 30;

  private Patience() {}

  /** Waits until {@code condition} holds. */
  static void until(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("still waiting: " + what).isLessThan(end);
      Thread.sleep(2);
    }
  }

  /** The next element, which must come. */
  static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(SECONDS, TimeUnit.SECONDS);
    assertThat(next).as("nothing came").isNotNull();
    return next;
  }
}
