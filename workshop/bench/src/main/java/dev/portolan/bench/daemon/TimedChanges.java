package dev.portolan.bench.daemon;

import dev.portolan.bench.floor.BareClient;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One change after the other at a fixed interval, and beside each its floor: when a bare client
 * that watches has the same event. Milliseconds.
 */
public final class TimedChanges {
  private static final int WARM_UP = 20;

  private final double[] millis;
  private final double[] floors;

  private TimedChanges(double[] millis, double[] floors) {
    this.millis = millis;
    this.floors = floors;
  }

  /**
   * Measures.
   *
   * @param where {@code namespaces/NAME/} if only slices of one are watched
   * @param change makes the change of a number
   * @param state differs when the rules do; null where they are not complete
   */
  public static TimedChanges measure(
      DaemonStage stage,
      Daemon daemon,
      String where,
      int count,
      int everyMillis,
      IntConsumer change,
      Supplier<@Nullable Object> state)
      throws IOException, InterruptedException {
    double[] millis = new double[count];
    double[] floors = new double[count];
    String slices = where + "endpointslices?watch=true&resourceVersion=0";
    try (BareClient.Watch watch = stage.client().watch("/apis/discovery.k8s.io/v1/" + slices)) {
      for (int i = 0; i < WARM_UP + count; i++) {
        int number = i;
        Object before = state.get();
        long start = System.nanoTime();
        double event = watch.await(() -> change.accept(number)) / 1e6;
        daemon.await(() -> {
          Object now = state.get();
          return now != null && !now.equals(before);
        });
        long end = System.nanoTime();
        if (i >= WARM_UP) {
          floors[i - WARM_UP] = event;
          millis[i - WARM_UP] = (end - start) / 1e6;
        }
        TimeUnit.NANOSECONDS.sleep(start + TimeUnit.MILLISECONDS.toNanos(everyMillis) - end);
      }
    }
    return new TimedChanges(millis, floors);
  }

  /** Adds the rows. */
  public void tell(Report report, String what) {
    double median = Samples.quantile(floors, 0.5);
    report.value("floor: its event at a bare client, median", median, "ms");
    report.atMost(what + ", median", Samples.quantile(millis, 0.5), 1.5 * median, "ms");
    double slow = Samples.quantile(floors, 0.99);
    report.value("floor: its event at a bare client, p99", slow, "ms");
    report.atMost(what + ", p99", Samples.quantile(millis, 0.99), 3 * slow, "ms");
  }
}
