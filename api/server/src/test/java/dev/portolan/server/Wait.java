package dev.portolan.server;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what must come true; how long it takes says nothing. */
public final class Wait {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Wait() {}

  public static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("never: " + what);
      }
      Thread.sleep(5);
    }
  }
}
