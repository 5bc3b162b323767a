package dev.portolan.bench.kit;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.Consumer;
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
    return given(warmUp, measured, i -> nanos(() -> action.accept(i)));
  }

  /** The same, with something to get ready before each time, which is not measured. */
  public static <T> Samples of(
      int warmUp, int measured, IntFunction<T> prepare, Consumer<T> action) {
    return given(
        warmUp,
        measured,
        i -> {
          T prepared = prepare.apply(i);
          return nanos(() -> action.accept(prepared));
        });
  }

  /** The same for an action that takes its own time, in nanoseconds. */
  public static <E extends Exception> Samples given(int warmUp, int measured, Timed<E> action)
      throws E {
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
  public interface Timed<E extends Exception> {
    long run(int i) throws E;
  }

  /** How long something takes once. */
  public static long nanos(Runnable action) {
    long start = System.nanoTime();
    action.run();
    return System.nanoTime() - start;
  }

  public double micros(double quantile) {
    return nanos[place(nanos.length, quantile)] / 1e3;
  }

  /** The middle of any figures. */
  public static double median(Collection<Double> figures) {
    return quantile(figures.stream().mapToDouble(it -> it).toArray(), 0.5);
  }

  /** A quantile of any figures. */
  public static double quantile(double[] figures, double quantile) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return sorted[place(sorted.length, quantile)];
  }

  private static int place(int count, double quantile) {
    return Math.min(count - 1, (int) (quantile * count));
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
