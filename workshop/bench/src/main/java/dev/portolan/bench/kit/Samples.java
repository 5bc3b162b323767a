package dev.portolan.bench.kit;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/** How long something took, each time. */
public final class Samples {
  private final long[] nanos;

  private Samples(long[] nanos) {
    this.nanos = nanos;
  }

  /** Runs {@code action} to warm up, then to measure. */
  public static Samples of(int warmUp, int measured, IntConsumer action) {
    return of(warmUp, measured, i -> i, (i, same) -> action.accept(i));
  }

  /** The same, with something to get ready before each time, which is not measured. */
  public static <T> Samples of(
      int warmUp, int measured, IntFunction<T> prepare, BiConsumer<Integer, T> action) {
    long[] nanos = new long[measured];
    for (int i = 0; i < warmUp + measured; i++) {
      T prepared = prepare.apply(i);
      long start = System.nanoTime();
      action.accept(i, prepared);
      if (i >= warmUp) {
        nanos[i - warmUp] = System.nanoTime() - start;
      }
    }
    Arrays.sort(nanos);
    return new Samples(nanos);
  }

  /** The same for an action that takes its own time, in nanoseconds. */
  public static Samples given(int warmUp, int measured, Timed action)
      throws IOException, InterruptedException {
    long[] nanos = new long[measured];
    for (int i = 0; i < warmUp + measured; i++) {
      long took = action.run(i);
      if (i >= warmUp) {
        nanos[i - warmUp] = took;
      }
    }
    Arrays.sort(nanos);
    return new Samples(nanos);
  }

  /** Does something for the {@code i}th time; returns how many nanoseconds that took. */
  @FunctionalInterface
  public interface Timed {
    long run(int i) throws IOException, InterruptedException;
  }

  public double micros(double quantile) {
    return nanos[place(nanos.length, quantile)] / 1e3;
  }

  /** A quantile of any figures. */
  public static double quantile(double[] figures, double quantile) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return sorted[place(sorted.length, quantile)];
  }

  private static int place(int count, double quantile) {
    return (int) Math.min(count - 1L, Math.round(quantile * count));
  }

  public double millis(double quantile) {
    return micros(quantile) / 1e3;
  }

  /** Megabytes of heap that live after a collection. */
  public static double liveHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 4; i++) {
      runtime.gc();
    }
    return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
  }
}
