package dev.portolan.source.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class JitteredBackoffTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final JitteredBackoff backoff = new JitteredBackoff(Timing.DEFAULT, now::get, () -> 0.5);

  @Test
  void waitsLongerEachTimeAndForgets() {
    now.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(25));
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(1200));
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(2400));
    for (int i = 0; i < 100; i++) {
      backoff.next();
    }
    assertThat(backoff.next()).isEqualTo(Duration.ofSeconds(45));
    now.addAndGet(Duration.ofMinutes(3).toNanos());
    assertThat(backoff.next()).isEqualTo(Duration.ofMillis(25));
  }
}
