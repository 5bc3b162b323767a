package dev.portolan.source.kube;

import java.time.Duration;

/** Cuts the backoff of the other watches short once one of them reaches the server. */
final class Wakeup {
  private long count;

  /** Waits for {@code pause}, or until {@link #wake} is called. */
  synchronized void sleep(Duration pause) throws InterruptedException {
    long before = count;
    long end = System.nanoTime() + pause.toNanos();
    for (long left = pause.toNanos(); left > 0 && count == before; left = end - System.nanoTime()) {
      wait(left / 1_000_000, (int) (left % 1_000_000));
    }
  }

  /** Wakes all waiting threads. */
  synchronized void wake() {
    count++;
    notifyAll();
  }
}
