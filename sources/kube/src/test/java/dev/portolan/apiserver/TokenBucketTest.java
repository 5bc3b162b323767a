package dev.portolan.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How requests are spaced, on a clock of the test's own. */
class TokenBucketTest {
  private static final long MILLIS = 1_000_000;

  private long now = Long.MAX_VALUE - 500 * MILLIS;
  private final List<Long> waits = new ArrayList<>();

  private TokenBucket bucket(float qps, int burst) {
    return new TokenBucket(
        new ClientLimits(qps, burst, ""),
        () -> now,
        nanos -> {
          waits.add(nanos / MILLIS);
          now += nanos;
        });
  }

  @Test
  void a_burst_goes_at_once_and_the_rest_at_the_rate() throws Exception {
    TokenBucket bucket = bucket(10, 3);
    for (int i = 0; i < 6; i++) {
      bucket.take();
    }
    assertThat(waits).containsExactly(100L, 100L, 100L);
  }

  @Test
  void a_pause_earns_no_more_than_a_burst() throws Exception {
    TokenBucket bucket = bucket(10, 3);
    for (int i = 0; i < 3; i++) {
      bucket.take();
    }
    now += 150 * MILLIS;
    bucket.take();
    bucket.take();
    assertThat(waits).containsExactly(50L);
    now += 3_600_000 * MILLIS;
    for (int i = 0; i < 4; i++) {
      bucket.take();
    }
    assertThat(waits).containsExactly(50L, 100L);
  }

  @Test
  void those_who_wait_go_in_the_order_in_which_they_came() throws Exception {
    List<Long> places = new ArrayList<>();
    TokenBucket bucket =
        new TokenBucket(
            new ClientLimits(10, 1, ""), () -> now, nanos -> places.add(nanos / MILLIS));
    for (int i = 0; i < 4; i++) {
      bucket.take();
    }
    assertThat(places).containsExactly(100L, 200L, 300L);
  }

  @Test
  void zero_means_the_defaults() throws Exception {
    TokenBucket bucket = bucket(0, 0);
    for (int i = 0; i < 12; i++) {
      bucket.take();
    }
    assertThat(waits).containsExactly(200L, 200L);
  }

  @Test
  void less_than_zero_means_no_limit() throws Exception {
    TokenBucket bucket = bucket(-1, 1);
    for (int i = 0; i < 1000; i++) {
      bucket.take();
    }
    assertThat(waits).isEmpty();
  }
}
