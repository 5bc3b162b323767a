package dev.portolan.backend.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a failing program is left alone. */
final class RestartPauseTest {
  private final RestartPause pause = new RestartPause();

  @Test
  void pausesDoubleUpToALimit() {
    assertThat(pause.remaining(0)).isZero();
    pause.failed(Duration.ZERO, 0);
    assertThat(pause.remaining(0)).hasMillis(100);
    pause.failed(Duration.ZERO, 0);
    assertThat(pause.remaining(0)).hasMillis(200);
    for (int i = 0; i < 20; i++) {
      pause.failed(Duration.ZERO, 0);
    }
    assertThat(pause.remaining(0)).hasSeconds(30);
  }

  @Test
  void whoWaitedAlreadyWaitsForTheRest() {
    pause.failed(Duration.ZERO, 5_000_000);
    assertThat(pause.remaining(65_000_000)).hasMillis(40);
    assertThat(pause.remaining(305_000_000)).isZero();
  }

  @Test
  void aLongRunForgivesWhatWasBefore() {
    pause.failed(Duration.ZERO, 0);
    pause.failed(Duration.ZERO, 0);
    pause.failed(Duration.ofSeconds(10), 0);
    assertThat(pause.remaining(0)).hasMillis(100);
  }
}
