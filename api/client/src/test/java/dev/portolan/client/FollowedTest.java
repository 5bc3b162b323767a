package dev.portolan.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class FollowedTest {
  private final Told told = new Told();
  private final Followed server = new Followed(Duration.ofMillis(1), told);

  /** Attempts that fail with these sentences; an empty one works before it ends. */
  private Followed.Attempt attempts(String... sentences) {
    Queue<String> left = new ArrayDeque<>(List.of(sentences));
    return () -> {
      String sentence = left.remove();
      if (sentence.isEmpty()) {
        server.works();
      }
      if (!left.isEmpty()) {
        throw new ConnectionException(sentence.isEmpty() ? "ended" : sentence);
      }
    };
  }

  @Test
  void aFailureIsToldOnceAndSoIsItsEnd() throws Exception {
    server.run(attempts("a", "a", "b", "a", "", "a", ""));
    assertThat(told.events).containsExactly("a", "b", "connected", "ended", "a", "connected");
    assertThat(server.link().connectedSince()).isPresent();
    assertThat(server.isLost()).isFalse();
  }

  @Test
  void whoAnswersAndDoesNothingIsNotBack() throws Exception {
    server.run(() -> {
      if (server.link().lastError().isEmpty()) {
        throw new ConnectionException("a");
      }
      server.answers();
    });
    assertThat(told.events).containsExactly("a");
    assertThat(server.isConnected()).isTrue();
    assertThat(server.isLost()).isTrue();
  }

  @Test
  void anInterruptEndsItWithoutAWord() {
    assertThatThrownBy(() ->
            server.run(() -> {
              Thread.currentThread().interrupt();
              throw new ConnectionException("interrupted");
            }))
        .isInstanceOf(InterruptedException.class);
    assertThat(told.events).isEmpty();
  }
}
