package dev.portolan.cli.peers;

import static org.assertj.core.api.Assertions.assertThat;

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
}
