package dev.portolan.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class WaitingTest {
  private static final String ERASE = "\r\u001b[K";
  private static final Duration NEVER = Duration.ofDays(1);
  private static final int PATIENCE_SECONDS = 60;

  private final StringWriter written = new StringWriter();
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private StatusLine line(boolean visible) {
    return new StatusLine(new PrintWriter(written), visible, () -> 40);
  }

  private static Supplier<String> counting(CountDownLatch asked, String sentence) {
    return () -> {
      asked.countDown();
      return sentence;
    };
  }

  @Test
  void onATerminalTheLineIsRenewedAndGoneAtTheEnd() throws Exception {
    CountDownLatch asked = new CountDownLatch(3);
    try (Waiting _ =
        Waiting.start(counting(asked, "reading"), line(true), Duration.ZERO, said::add)) {
      assertThat(asked.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(written.toString()).startsWith(ERASE + "reading (0 s)" + ERASE).endsWith(ERASE);
    assertThat(said).isEmpty();
  }

  @Test
  void elsewhereItIsSaidOnce() throws Exception {
    Supplier<String> sentence = () -> "waiting for x";
    try (Waiting _ = Waiting.start(sentence, line(false), Duration.ZERO, said::add)) {
      assertThat(said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("waiting for x");
    }
    assertThat(said).isEmpty();
    assertThat(written.toString()).isEmpty();
  }

  @Test
  void whatEndsInTimeIsNotMentioned() {
    try (Waiting _ = Waiting.start(() -> "reading", line(true), NEVER, said::add)) {
      // It took no time.
    }
    assertThat(written.toString()).isEmpty();
    assertThat(said).isEmpty();
  }

  @Test
  void onlyTheInnermostShowsWhatItDoes() {
    StatusLine line = line(true);
    line.enter("outer");
    line.enter("inner");
    line.show("outer", "reading");
    assertThat(written.toString()).isEmpty();
    line.show("inner", "waiting");
    line.leave("inner");
    line.show("outer", "reading");
    line.leave("outer");
    assertThat(written.toString()).isEqualTo(ERASE + "waiting" + ERASE + ERASE + "reading" + ERASE);
  }

  @Test
  void aLineFitsIntoTheTerminalAndDoesNothingToIt() {
    StatusLine line = line(true);
    line.enter(this);
    line.show(this, "reading \u001b[2J" + "x".repeat(100));
    assertThat(written.toString()).startsWith(ERASE).hasSize(ERASE.length() + 39);
    assertThat(written.toString().substring(ERASE.length())).doesNotContain("\u001b");
    line.clear();
    line.clear();
    assertThat(written.toString()).endsWith("…" + ERASE);
  }
}
