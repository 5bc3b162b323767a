package dev.portolan.source.kube;

import java.time.Duration;

/** Wakes who waits before trying again, as soon as somebody else finds that the server answers. */
final class Alarm {
  private long rings;

  /** Waits for {@code pause}, or until somebody rings. */
  synchronized void sleep(Duration pause) throws InterruptedException {
    long before = rings;
    long end = System.nanoTime() + pause.toNanos();
    for (long left = pause.toNanos(); left > 0 && rings == before; left = end - System.nanoTime()) {
      wait(left / 1_000_000, (int) (left % 1_000_000));
    }
  }

  /** Wakes all who wait. */
  synchronized void ring() {
    rings++;
    notifyAll();
  }
}
