package dev.portolan.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each failure is counted, and one of a kind is reported per minute. */
final class FailuresTest {
  private final List<String> reported = new ArrayList<>();
  private long now;
  private final Failures failures = new Failures(() -> now);

  FailuresTest() {
    failures.listen((place, failure, unreported) ->
        reported.add(place + ", " + failure.getMessage() + ", " + unreported));
  }

  @Test
  void aFloodOfOneKindIsOneLineAMinute() {
    for (int i = 0; i < 1_000; i++) {
      failures.add("port 10256", new IllegalStateException("failure " + i));
    }
    now += Duration.ofMinutes(1).toNanos();
    failures.add("port 10256", new IllegalStateException("later"));

    assertThat(reported).containsExactly("port 10256, failure 0, 0", "port 10256, later, 999");
    assertThat(failures.counts()).isEqualTo(Map.of("port 10256", 1_001L));
  }

  @Test
  void anotherPlaceOrAnotherExceptionIsAnotherKind() {
    failures.add("recorder", new IllegalStateException("one"));
    failures.add("recorder", new ArithmeticException("two"));
    failures.add("events", new IllegalStateException("three"));

    assertThat(reported)
        .containsExactly("recorder, one, 0", "recorder, two, 0", "events, three, 0");
    assertThat(failures.counts()).isEqualTo(Map.of("recorder", 2L, "events", 1L));
  }

  @Test
  void whatTheListenerThrowsEndsNothing() {
    failures.listen((_, _, _) -> {
      throw new IllegalStateException("the disk is full");
    });
    failures.add("recorder", new IllegalStateException("one"));

    assertThat(failures.counts()).isEqualTo(Map.of("recorder", 1L));
  }
}
