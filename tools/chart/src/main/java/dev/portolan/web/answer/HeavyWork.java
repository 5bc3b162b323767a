package dev.portolan.web.answer;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Work that looks at a whole cluster or recording: a few at a time, as the process has other work.
 */
public final class HeavyWork {
  private static final int AT_ONCE = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Semaphore turns = new Semaphore(AT_ONCE, true);

  /** Does {@code work} when it is its turn. */
  public <T> T run(Supplier<T> work) {
    try {
      if (!turns.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new BusyException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BusyException();
    }
    try {
      return work.get();
    } finally {
      turns.release();
    }
  }
}
