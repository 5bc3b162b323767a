package dev.portolan.conformance;

import java.time.Duration;

/** The end of threads that run candidates. */
final class Threads {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Threads() {}

  /** Interrupts a thread, and waits for its end. */
  static void end(Thread thread) {
    thread.interrupt();
    try {
      if (!thread.join(PATIENCE)) {
        throw new ConformanceException("the backend does not end when its thread is interrupted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
