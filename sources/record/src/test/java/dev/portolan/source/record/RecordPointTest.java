package dev.portolan.source.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Points of a recording that begins at 23:00 and ends at 02:00 two days later, in Berlin. */
final class RecordPointTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @TempDir private Path folder;
  private Recording recording;

  /** Two runs: revisions 1 to 5 on the 15th and 16th, then 1 to 3 on the 17th. */
  @BeforeEach
  void record() {
    Path file = folder.resolve("x.rec");
    List<RecordedEvent> samples = Samples.events(1, 9);
    List<RecordedEvent.State> states =
        samples.stream()
            .filter(RecordedEvent.State.class::isInstance)
            .map(RecordedEvent.State.class::cast)
            .toList();
    try (RecordingWriter writer = RecordingWriter.create(file)) {
      Instant time = Instant.parse("2026-11-15T22:00:00.25Z");
      writer.write(Samples.started(time.minusSeconds(5)));
      for (int i = 1; i <= 5; i++) {
        writer.write(state(states.get(i), time, i));
        time = time.plus(Duration.ofHours(6));
      }
    }
    try (RecordingWriter writer = RecordingWriter.append(file)) {
      Instant time = Instant.parse("2026-11-17T00:10:00Z");
      writer.write(Samples.started(time));
      for (int i = 1; i <= 3; i++) {
        writer.write(state(states.get(5 + i), time, i));
        time = time.plus(Duration.ofMinutes(10));
      }
      writer.alive(Instant.parse("2026-11-17T01:00:00Z"));
    }
    recording = Recording.open(file);
  }

  private static RecordedEvent.State state(RecordedEvent.State like, Instant time, long revision) {
    return new RecordedEvent.State(time, revision, revision > 1, like.cluster(), Map.of());
  }

  private RecordedEvent.State at(String text) {
    return recording.at(RecordPoint.parse(text, recording.index(), BERLIN));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-15T22:00:00.25Z, 2026-11-15T22:00:00.25Z",
    "2026-11-15T22:00:00Z,    2026-11-15T22:00:00.25Z", // The second in which it begins.
    "2026-11-16T03:59:59Z,    2026-11-15T22:00:00.25Z",
    "2026-11-16T05:00,        2026-11-15T22:00:00.25Z", // Berlin is an hour ahead.
    "2026-11-16 05:01,        2026-11-16T04:00:00.25Z",
    "2026-11-16T05:01:00+01:00, 2026-11-16T04:00:00.25Z",
    "01:15,                   2026-11-17T00:10:00Z", // Of the 17th, the last day that has it.
    "1:25:30.5,               2026-11-17T00:20:00Z",
    "03:12,                   2026-11-15T22:00:00.25Z", // Not yet reached on the 17th.
    "23:30,                   2026-11-16T22:00:00.25Z",
    "-40m,                    2026-11-17T00:20:00Z",
    "-0s,                     2026-11-17T00:30:00Z",
    "-1h,                     2026-11-16T22:00:00.25Z",
    "2026-11-17T01:01:30Z,    2026-11-17T00:30:00Z", // It may go on.
    "2,                       2026-11-17T00:20:00Z", // Of the newest run that has it.
    "4,                       2026-11-16T16:00:00.25Z"
  })
  void aPointIsTheNewestStateAtOrBeforeIt(String text, Instant time) {
    assertThat(at(text).time()).isEqualTo(time);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          2026-11-15T21:59:59Z | '2026-11-15T21:59:59Z' is outside of the recording: RANGE
          2026-11-17T01:03:00Z | '2026-11-17T01:03:00Z' is outside of the recording: RANGE
          -3d | '-3d' is outside of the recording: RANGE
          9 | no revision 9: it has 1 to 5, then, of a new process, 1 to 3; RANGE
          0 | no revision 0: it has 1 to 5, then, of a new process, 1 to 3; RANGE
          noon | 'noon' is not a time; FORMS
          25:00 | '25:00' is not a time; FORMS
          """)
  void aMistakeGetsTheRange(String text, String sentence) {
    assertThatThrownBy(() -> at(text))
        .isInstanceOf(RecordingException.class)
        .hasMessage(
            sentence
                .replace(
                    "RANGE",
                    "it covers 2026-11-15T23:00:00.25 to 2026-11-17T02:00:00 (time zone"
                        + " Europe/Berlin)")
                .replace("FORMS", RecordPoint.FORMS));
  }

  @Test
  void theEndIsTheLastState() {
    assertThat(recording.last().time()).isEqualTo(Instant.parse("2026-11-17T00:30:00Z"));
  }

  @ParameterizedTest
  @CsvSource({"1x, 1", "10x, 10", "0.5x, 0.5", "max, Infinity"})
  void aSpeedIsAFactor(String text, double factor) {
    assertThat(Speed.parse(text).factor()).isEqualTo(factor);
  }

  @ParameterizedTest
  @CsvSource({"0x", "-1x", "fast", "x", "10"})
  void anythingElseIsNotASpeed(String text) {
    assertThatThrownBy(() -> Speed.parse(text))
        .hasMessage("'" + text + "' is not a speed; write 1x, 10x, 0.5x or max");
  }
}
