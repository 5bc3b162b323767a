package dev.portolan.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SignsOfLifeTest {
  private static final Duration LIMIT = Duration.ofSeconds(25);

  private long now = Long.MAX_VALUE - 5;
  private final SignsOfLife signs = new SignsOfLife(LIMIT, () -> now, false);

  private void pass(int seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void aServerThatHasNeverSentThemMayBeQuiet() {
    signs.heard(false);
    pass(3600);
    assertThat(signs.areExpected()).isFalse();
    assertThat(signs.areMissing()).isFalse();
  }

  @Test
  void oneThatSendsThemMayBeQuietForSoLong() {
    signs.heard(true);
    pass(24);
    assertThat(signs.areMissing()).isFalse();
    assertThat(signs.left()).isEqualTo(Duration.ofSeconds(1));
    signs.heard(false);
    pass(24);
    assertThat(signs.areMissing()).isFalse();
    pass(1);
    assertThat(signs.areMissing()).isTrue();
    assertThat(signs.missing()).contains("for 25 s");
  }

  @Test
  void itOwesThemOnItsNextStreamToo() {
    signs.heard(true);
    pass(3600);
    signs.begin();
    assertThat(signs.left()).isEqualTo(LIMIT);
    pass(25);
    assertThat(signs.areMissing()).isTrue();
  }

  @Test
  void aServerThatDoesNotSendThemMayTakeItsPlace() {
    signs.heard(true);
    signs.begin();
    signs.heard(false);
    pass(3600);
    assertThat(signs.areMissing()).isFalse();
  }
}
