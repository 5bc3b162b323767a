package dev.portolan.testbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AwaitTest {
  @Test
  void itLooksUntilWhatIsWantedIsThere() {
    AtomicInteger looks = new AtomicInteger();
    assertThat(Await.until("three looks", looks::incrementAndGet, seen -> seen == 3)).isEqualTo(3);
  }

  @Test
  void aLookThatFailsCameTooEarly() {
    AtomicInteger looks = new AtomicInteger();
    Await.until(
        "a file",
        () -> {
          if (looks.incrementAndGet() < 3) {
            throw new FileNotFoundException("x");
          }
          return true;
        });
    assertThat(looks).hasValue(3);
  }

  @Test
  void whatNeverComesIsSaidWithWhatWasSeenLast() {
    assertThatThrownBy(
            () -> Await.until(Duration.ofMillis(1), () -> "for seven", () -> 3, seen -> seen == 7))
        .isInstanceOf(AssertionError.class)
        .hasMessage("timed out waiting for seven; last seen: 3");
    IOException cause = new FileNotFoundException("x");
    assertThatThrownBy(() ->
            Await.until(
                Duration.ofMillis(1),
                () -> "for a file",
                () -> {
                  throw cause;
                },
                seen -> true))
        .isInstanceOf(AssertionError.class)
        .hasCause(cause);
  }

  @Test
  void anInterruptEndsItAndStays() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Await.until("what never comes", () -> false))
        .isInstanceOf(AssertionError.class)
        .hasMessage("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whatIsInAQueueComesAtOnce() {
    LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
    queue.add("first");
    assertThat(Await.next(queue)).isEqualTo("first");
  }
}
