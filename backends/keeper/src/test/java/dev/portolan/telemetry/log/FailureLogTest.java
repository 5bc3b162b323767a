package dev.portolan.telemetry.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.error.Failures;
import dev.portolan.core.error.Threads;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.telemetry.metrics.ProcessMetrics;
import dev.portolan.testbase.Await;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a thread throws is a line in the log and a metric, and the thread goes on. */
final class FailureLogTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final MetricRegistry registry = new MetricRegistry();

  FailureLogTest() {
    listen(0);
    ProcessMetrics.register(registry);
  }

  private void listen(int verbosity) {
    LogSettings settings =
        new LogSettings(false, verbosity, List.of(), false, "0", Duration.ofSeconds(5));
    Failures.ofProcess()
        .listen(new FailureLog(Logs.open(settings, new Streams(out, out)).of("kube-proxy")));
  }

  private static void raise(String kind) {
    switch (kind) {
      case "IllegalStateException" -> throw new IllegalStateException("a bug");
      case "StackOverflowError" -> endless(1);
      default -> throw new AssertionError("a bug");
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private static int endless(int depth) {
    return endless(depth + 1) + 1;
  }

  private void assertLoggedAndCounted(String place, String kind, int count)
      throws InterruptedException {
    String series = "portolan_unexpected_failures_total{place=\"%s\"} %d\n".formatted(place, count);
    Await.text(series, registry::text);
    Await.text(place, () -> out.toString(UTF_8));
    assertThat(out.toString(UTF_8).lines().filter(line -> line.contains('"' + place + '"')))
        .singleElement()
        .asString()
        .startsWith("E")
        .contains("\"Unexpected failure\" code=\"PORT-500\"", kind, "at=\"dev.portolan.telemetry");
  }

  @ParameterizedTest
  @ValueSource(strings = {"IllegalStateException", "StackOverflowError", "AssertionError"})
  void everyKindOfThreadHasALineAMetricAndARetry(String kind) throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    for (Threads threads : List.of(Threads.virtual("v " + kind), Threads.platform("p " + kind))) {
      runs.set(0);
      threads
          .lasting()
          .start(() -> {
            if (runs.incrementAndGet() < 3) {
              raise(kind);
            }
          })
          .join();
      assertThat(runs).hasValue(3);
    }
    assertLoggedAndCounted("v " + kind, kind, 2);
    assertLoggedAndCounted("p " + kind, kind, 2);

    Threads.virtual("once " + kind).start(() -> raise(kind)).join();
    assertLoggedAndCounted("once " + kind, kind, 1);

    try (ExecutorService requests = Threads.virtual("request " + kind).perTask()) {
      requests.execute(() -> raise(kind));
    }
    assertLoggedAndCounted("request " + kind, kind, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"IllegalStateException", "StackOverflowError", "AssertionError"})
  void aPeriodicTaskHasALineAMetricAndARetry(String kind) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    try (ScheduledExecutorService timer = Threads.platform("timer " + kind).timer()) {
      var _ =
          timer.scheduleWithFixedDelay(
              () -> {
                if (runs.incrementAndGet() < 3) {
                  raise(kind);
                }
                done.countDown();
              },
              1,
              1,
              TimeUnit.MILLISECONDS);
      assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
      assertLoggedAndCounted("timer " + kind, kind, 2);
      timer.shutdownNow();
    }
  }

  @Test
  void whoLooksForABugGetsTheTrace() throws InterruptedException {
    listen(4);
    Threads.virtual("traced").start(() -> raise("IllegalStateException")).join();
    assertThat(out.toString(UTF_8)).contains("\"Stack trace\"", "FailureLogTest.raise(");
  }
}
