package dev.portolan.telemetry.metrics;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** The upper bounds of a histogram's buckets, ascending; one without a bound follows them. */
public final class Buckets {
  /** Those of kube-proxy for the seconds that a sync takes. */
  public static final Buckets SYNC_SECONDS = exponential(0.001, 2, 15);

  private final double[] bounds;

  /** Made when first asked for, since a process starts before it is scraped. */
  private final @Nullable String[] texts;

  private Buckets(double... bounds) {
    for (int i = 1; i < bounds.length; i++) {
      if (bounds[i - 1] >= bounds[i]) {
        throw new IllegalArgumentException(
            "bounds must grow, not as in " + Arrays.toString(bounds));
      }
    }
    this.bounds = bounds;
    this.texts = new String[bounds.length + 1];
  }

  /** These bounds. */
  public static Buckets of(double... bounds) {
    return new Buckets(bounds.clone());
  }

  /** Bounds from {@code first} on, each {@code factor} times the one before. */
  public static Buckets exponential(double first, double factor, int count) {
    return new Buckets(DoubleStream.iterate(first, bound -> bound * factor).limit(count).toArray());
  }

  /** Bounds from {@code first} on, each {@code step} more than the one before. */
  public static Buckets linear(double first, double step, int count) {
    return new Buckets(DoubleStream.iterate(first, bound -> bound + step).limit(count).toArray());
  }

  /** These bounds, and then those. */
  public Buckets then(Buckets more) {
    return new Buckets(
        DoubleStream.concat(Arrays.stream(bounds), Arrays.stream(more.bounds)).toArray());
  }

  /** How many buckets there are, the last one included. */
  int count() {
    return texts.length;
  }

  /** The bucket for {@code value}: the first whose bound is not below it. */
  int bucketOf(double value) {
    int found = Arrays.binarySearch(bounds, value);
    return found >= 0 ? found : -found - 1;
  }

  /** The bound of a bucket, as its label has it. */
  String text(int bucket) {
    String text = texts[bucket];
    if (text == null) {
      text = bucket == bounds.length ? "+Inf" : Exposition.plain(bounds[bucket]);
      texts[bucket] = text;
    }
    return text;
  }
}
