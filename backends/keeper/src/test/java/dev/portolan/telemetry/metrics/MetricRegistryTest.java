package dev.portolan.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.ParsedText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class MetricRegistryTest {
  private final MetricRegistry registry = new MetricRegistry();

  @Test
  void theTextIsOrderedByNameAndLabels() {
    Family<Histogram> seconds =
        registry.histograms("b_seconds", "Time.", Buckets.of(0.0005, 2.5), "zone");
    registry.counters("c_total", "Two\nlines.").with().add(5);
    registry.gauges("a", "A \"gauge\".").with().set(-0.25);
    seconds.with("y").observe(0.0005);
    seconds.with("x\"\\").observe(3);

    assertThat(registry.text())
        .isEqualTo(
            """
            # HELP a A "gauge".
            # TYPE a gauge
            a -0.25
            # HELP b_seconds Time.
            # TYPE b_seconds histogram
            b_seconds_bucket{zone="x\\"\\\\",le="0.0005"} 0
            b_seconds_bucket{zone="x\\"\\\\",le="2.5"} 0
            b_seconds_bucket{zone="x\\"\\\\",le="+Inf"} 1
            b_seconds_sum{zone="x\\"\\\\"} 3
            b_seconds_count{zone="x\\"\\\\"} 1
            b_seconds_bucket{zone="y",le="0.0005"} 1
            b_seconds_bucket{zone="y",le="2.5"} 1
            b_seconds_bucket{zone="y",le="+Inf"} 1
            b_seconds_sum{zone="y"} 5.0E-4
            b_seconds_count{zone="y"} 1
            # HELP c_total Two\\nlines.
            # TYPE c_total counter
            c_total 5
            """);
  }

  @Test
  void aFamilyWithoutMetricsIsLeftOut() {
    registry.counters("some_total", "", "code");
    registry.read(MetricType.GAUGE, "read", "", List.of("a"), samples -> {});
    assertThat(registry.text()).isEmpty();
  }

  @Test
  void mistakesAreRefused() {
    registry.gauges("some", "").with();
    assertThatThrownBy(() -> registry.counters("some", "").with())
        .hasMessage("there is a metric some already");
    assertThatThrownBy(() -> registry.gauges("other", "", "a").with("1", "2"))
        .hasMessage("other has 1 labels, not 2");
    assertThatThrownBy(() -> registry.counters("up_total", "").with().add(-1))
        .hasMessage("a counter does not go down, not by -1");
    assertThatThrownBy(() -> registry.gauge("portolan_unheard_of"))
        .hasMessage("portolan_unheard_of is not in metrics.table");
    assertThatThrownBy(() -> registry.gauge("portolan_sync_failures_total"))
        .hasMessage("portolan_sync_failures_total is a counter in metrics.table");
    assertThatThrownBy(() -> Buckets.of(1, 1)).hasMessageContaining("bounds must grow");
  }

  @Test
  void threadsCountWhileOthersRead() throws InterruptedException {
    Family<Counter> counters = registry.counters("some_total", "", "who");
    Histogram histogram = registry.histograms("some_seconds", "", Buckets.of(1, 2)).with();
    int threads = 8;
    int rounds = 2000;
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      String name = "t" + i % 4;
      running.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  return;
                }
                for (int round = 0; round < rounds; round++) {
                  counters.with(name).increment();
                  histogram.observe(round % 3);
                }
              }));
    }
    start.countDown();
    for (int i = 0; i < 50; i++) {
      ParsedText.parse(registry.text());
    }
    for (Thread thread : running) {
      thread.join();
    }
    assertThat(ParsedText.parse(registry.text()).get("some_total").at("", "who=t1"))
        .isEqualTo(2 * rounds);
    assertThat(ParsedText.parse(registry.text()).get("some_seconds").at("_count", ""))
        .isEqualTo(threads * rounds);
  }
}
