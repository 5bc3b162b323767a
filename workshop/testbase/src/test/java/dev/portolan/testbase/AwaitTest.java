package dev.portolan.testbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
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
  void whatALookThrowsIsThrown() {
    assertThatThrownBy(() ->
            Await.until(
                "a file",
                () -> {
                  throw new FileNotFoundException("x");
                }))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void anInterruptEndsItAndStays() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Await.until("what never comes", () -> false))
        .isInstanceOf(AssertionError.class)
        .hasMessage("interrupted while waiting for what never comes");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whatIsInAQueueComesAtOnce() {
    LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
    queue.add("first");
    assertThat(Await.next(queue)).isEqualTo("first");
  }
}
