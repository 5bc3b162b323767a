package dev.portolan.bench.kit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/** Many changes at a steady rate, beside what is measured, until they are closed. */
public final class SteadyChanges implements AutoCloseable {
  private final CompletableFuture<Void> changes;
  private volatile boolean done;

  /** Starts with the change of number {@code first}; a rate of 0 is none at all. */
  public SteadyChanges(int perSecond, int first, IntConsumer change) {
    changes =
        CompletableFuture.runAsync(
            () -> {
              for (int i = first; perSecond > 0 && !done; i++) {
                change.accept(i);
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1) / perSecond);
              }
            },
            task -> Thread.ofPlatform().start(task));
  }

  /** Makes as many as {@code count}, and returns after the last. */
  public static void make(int count, int perSecond, IntConsumer change)
      throws InterruptedException {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      change.accept(i);
      long next = start + TimeUnit.SECONDS.toNanos(1) * (i + 1) / perSecond;
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    }
  }

  @Override
  public void close() {
    done = true;
    changes.join();
  }
}
