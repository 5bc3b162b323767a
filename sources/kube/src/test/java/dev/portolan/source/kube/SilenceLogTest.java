package dev.portolan.source.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SilenceLogTest {
  private final List<String> said = new ArrayList<>();
  private final SilenceLog log = new SilenceLog("https://api", said::add);

  private void look(IntStream seconds) {
    seconds.forEach(second -> log.look(Duration.ofSeconds(second)));
  }

  @Test
  void aServerThatRestartsIsNotSilent() {
    look(IntStream.range(0, 30));
    look(IntStream.range(0, 30));
    assertThat(said).isEmpty();
  }

  @Test
  void itSaysOnceThatThereIsSilenceAndOnceThatItIsOver() {
    for (int i = 0; i < 2; i++) {
      look(IntStream.range(0, 100));
      look(IntStream.of(0, 0));
      assertThat(said)
          .containsExactly(
              "no sign of life from https://api for 30 s; what is known of the cluster stays in effect [PORT-202]",
              "https://api gives signs of life again, after 99 s of silence");
      said.clear();
    }
  }
}
