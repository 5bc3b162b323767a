package dev.portolan.source.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A recording of ten changes, one per second, played with a clock of the test's own. */
@Timeout(60)
final class RecordSourceTest {
  @TempDir private Path folder;
  private Path file;
  private List<ClusterImage> clusters;
  private long nanos;
  private final List<Duration> slept = new ArrayList<>();

  @BeforeEach
  void record() {
    file = folder.resolve("x.rec");
    List<RecordedEvent> events = Samples.events(1, 10);
    clusters =
        events.stream()
            .filter(RecordedEvent.State.class::isInstance)
            .map(event -> Samples.kept(((RecordedEvent.State) event).cluster()))
            .toList();
    try (RecordingWriter writer = RecordingWriter.create(file)) {
      Samples.write(writer, events);
    }
  }

  /** Takes states until the last one has come, then stops the source. */
  private final class Taker implements Source.Sink {
    private final List<ClusterImage> taken = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final Duration deciding;
    private final int most;

    Taker(Duration deciding, int most) {
      this.deciding = deciding;
      this.most = most;
    }

    @Override
    public void apply(ClusterImage newest) {
      taken.add(newest);
      nanos += deciding.toNanos();
      if (taken.size() == most) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void report(String problem) {
      problems.add(problem);
      Thread.currentThread().interrupt();
    }
  }

  private Taker play(Speed speed, Duration deciding, int most) {
    RecordSource source =
        new RecordSource(
            Recording.open(file),
            speed,
            null,
            () -> nanos,
            time -> {
              slept.add(time);
              nanos += time.toNanos();
            });
    return run(source, new Taker(deciding, most));
  }

  private static Taker run(RecordSource source, Taker taker) {
    try {
      source.run(taker);
    } catch (InterruptedException e) {
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
    return taker;
  }

  @Test
  void theOriginalSpeedHasTheOriginalPauses() {
    assertThat(play(Speed.ORIGINAL, Duration.ZERO, 10).taken).isEqualTo(clusters);
    assertThat(slept).hasSize(9).containsOnly(Duration.ofSeconds(1));
  }

  @Test
  void aFactorDividesThem() {
    assertThat(play(new Speed(10), Duration.ZERO, 10).taken).isEqualTo(clusters);
    assertThat(slept).hasSize(9).containsOnly(Duration.ofMillis(100));
  }

  @Test
  void whatTakesTimeMeanwhileIsMadeUpFor() {
    play(Speed.ORIGINAL, Duration.ofMillis(300), 10);
    assertThat(slept).hasSize(9).containsOnly(Duration.ofMillis(700));
  }

  @Test
  void theHighestSpeedHasNoPauses() {
    assertThat(play(Speed.MAX, Duration.ZERO, 10).taken).isEqualTo(clusters);
    assertThat(slept).isEmpty();
  }

  @Test
  void aPointStandsStill() {
    Recording recording = Recording.open(file);
    RecordedEvent.State state = recording.at(new RecordPoint.AtRevision(0, 4));
    RecordSource still = RecordSource.still(recording, state);
    Taker taker = run(still, new Taker(Duration.ZERO, 1));
    assertThat(taker.taken).containsExactly(clusters.get(3));
    assertThat(still.recordedAt()).contains(state.time());
  }

  @Test
  void aDamageIsReportedAtTheEnd() throws IOException {
    byte[] all = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(all, all.length - 1));
    Taker taker = play(Speed.MAX, Duration.ZERO, 99);
    assertThat(taker.taken).isEqualTo(clusters);
    assertThat(taker.problems).singleElement().asString().startsWith(file + ": cut off after");
  }
}
