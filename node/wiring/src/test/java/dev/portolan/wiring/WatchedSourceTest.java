package dev.portolan.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.wiring.WatchedSource.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a source is doing, as it gets lost and comes back. */
final class WatchedSourceTest {
  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private final List<String> heard = new ArrayList<>();
  private final List<Status> states = new ArrayList<>();

  private void run(Source source) throws InterruptedException {
    WatchedSource watched = new WatchedSource(source, () -> now);
    assertThat(watched.status().isCurrent()).as("before anything was read").isFalse();
    watched.onChange(() -> states.add(watched.status()));
    watched.run(
        new Source.Sink() {
          @Override
          public void apply(ClusterImage newest) {
            heard.add("apply");
          }

          @Override
          public void report(String problem) {
            heard.add("report " + problem);
          }

          @Override
          public void retrying(ErrorCode code, String problem, String meanwhile) {
            heard.add("retrying " + problem + ", " + meanwhile);
          }

          @Override
          public void recovered() {
            heard.add("recovered");
          }
        });
  }

  private void later() {
    now = now.plusSeconds(1);
  }

  @Test
  void itIsLostSinceTheFirstFailureAndCurrentAgainWhenItIsBack() throws Exception {
    Instant start = now;
    run(sink -> {
      sink.apply(ClusterImage.EMPTY);
      later();
      sink.retrying(ErrorCode.API_SERVER_UNREACHABLE, "refused", "the last state stays");
      later();
      sink.retrying(ErrorCode.API_SERVER_UNREACHABLE, "refused again", "the last state stays");
      later();
      sink.recovered();
      sink.report("a warning");
    });
    assertThat(heard)
        .containsExactly(
            "apply",
            "retrying refused, the last state stays",
            "retrying refused again, the last state stays",
            "recovered",
            "report a warning");
    assertThat(states)
        .containsExactly(
            new Status(Optional.of(start), "", Optional.empty()),
            new Status(Optional.of(start), "refused [PORT-202]", Optional.of(start.plusSeconds(1))),
            new Status(
                Optional.of(start), "refused again [PORT-202]", Optional.of(start.plusSeconds(1))),
            new Status(Optional.of(start.plusSeconds(3)), "", Optional.empty()));
    assertThat(states).extracting(Status::isCurrent).containsExactly(true, false, false, true);
  }

  @Test
  void itIsLostSinceItsLastSignOfLife() throws Exception {
    run(
        new Source() {
          @Override
          public void run(Sink sink) {
            sink.retrying(ErrorCode.API_SERVER_UNREACHABLE, "refused", "waiting");
          }

          @Override
          public Duration silence() {
            return Duration.ofSeconds(25);
          }
        });
    assertThat(states.getLast().lostAt()).contains(now.minusSeconds(25));
  }

  @Test
  void whatWasNeverReadIsNotCurrentWhenTheConnectionIsBack() throws Exception {
    run(sink -> {
      sink.retrying(ErrorCode.API_SERVER_UNREACHABLE, "refused", "waiting");
      sink.recovered();
    });
    assertThat(states.getLast()).isEqualTo(new Status(Optional.empty(), "", Optional.empty()));
    assertThat(states.getLast().isCurrent()).isFalse();
  }

  @Test
  void thatAllIsWellIsNoNewsToALookerOn() throws Exception {
    run(sink -> {
      sink.apply(ClusterImage.EMPTY);
      sink.recovered();
    });
    assertThat(states).hasSize(1);
  }
}
