package dev.portolan.timemachine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.DecisionSettings;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recording;
import dev.portolan.source.record.Speed;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.view.ServiceFilter;
import dev.portolan.testbase.Golden;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The recording in the tree, played; what is printed are sessions. With {@code -Dupdate} it is
 * written again.
 */
final class ReplayTest {
  @Test
  void the_recording_in_the_tree_is_the_day_of_the_shop() throws IOException {
    if (Golden.UPDATE && !recorded().equals(ShopDay.events())) {
      ShopDay.write(ShopDay.RECORDING);
    }
    List<RecordedEvent> recorded = recorded();
    assertThat(recorded).isEqualTo(ShopDay.events());
    assertThat(Files.size(ShopDay.RECORDING)).isLessThan(10_000);
  }

  private static List<RecordedEvent> recorded() {
    List<RecordedEvent> recorded = new ArrayList<>();
    assertThat(Recording.open(ShopDay.RECORDING).read(recorded::add)).isEmpty();
    return recorded;
  }

  @Test
  void a_file_gives_the_same_as_the_events(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path file = folder.resolve("day.rec");
    ShopDay.write(file);
    List<RecordedEvent> read = new ArrayList<>();
    Recording.open(file).read(read::add);
    assertThat(play(read, "worker-1", TimeWindow.ALL, ServiceFilter.ALL))
        .isEqualTo(play("worker-1", TimeWindow.ALL, ServiceFilter.ALL));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nftables", "iptables"})
  void replayed_twice_and_at_any_speed_it_gives_the_same_rules(String mode)
      throws InterruptedException {
    List<String> first = rules(mode, Speed.MAX);
    assertThat(first).hasSizeGreaterThan(10);
    assertThat(rules(mode, Speed.MAX)).isEqualTo(first);
    assertThat(rules(mode, Speed.ORIGINAL)).isEqualTo(first);
    assertThat(rules(mode, new Speed(10))).isEqualTo(first);
  }

  @Test
  void recorded_revisions_are_those_that_are_decided_again() {
    Playback playback = playback("worker-1");
    long decided = 0;
    for (RecordedEvent event : ShopDay.events()) {
      switch (event) {
        case RecordedEvent.Started started -> {
          playback.begin(started);
          decided = 0;
        }
        case RecordedEvent.State state -> {
          decided += playback.take(state).isPresent() ? 1 : 0;
          assertThat(state.revision()).isEqualTo(decided);
        }
        case RecordedEvent.Synced _, RecordedEvent.Repaired _, RecordedEvent.Problem _ -> {}
      }
    }
  }

  @Test
  void it_waits_as_long_as_it_took_divided_by_the_speed() throws InterruptedException {
    AtomicLong now = new AtomicLong();
    ReplayPace pace =
        new ReplayPace(new Speed(10), now::get, time -> now.addAndGet(time.toNanos()));
    Instant begin = Instant.parse("2026-11-16T07:00:00Z");
    pace.await(begin);
    assertThat(now).hasValue(0);
    pace.await(begin.plusSeconds(20));
    assertThat(now).hasValue(Duration.ofSeconds(2).toNanos());
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    pace.await(begin.plusSeconds(40));
    assertThat(now).hasValue(Duration.ofSeconds(4).toNanos());
    pace.await(begin);
    assertThat(now).hasValue(Duration.ofSeconds(4).toNanos());
  }

  /** The rules after each revision, with its number. */
  private static List<String> rules(String mode, Speed speed) throws InterruptedException {
    AtomicLong now = new AtomicLong();
    ReplayPace pace = new ReplayPace(speed, now::get, time -> now.addAndGet(time.toNanos()));
    Playback playback = playback("worker-1");
    List<String> texts = new ArrayList<>();
    for (RecordedEvent event : ShopDay.events()) {
      pace.await(event.time());
      if (event instanceof RecordedEvent.Started started) {
        playback.begin(started);
      }
      if (event instanceof RecordedEvent.State state) {
        playback.take(state).ifPresent(revision -> texts.add(text(mode, playback.image())));
      }
    }
    return texts;
  }

  private static String text(String mode, NodeImage image) {
    StringBuilder text = new StringBuilder("revision " + image.revision() + "\n");
    for (IpFamily family : IpFamily.values()) {
      text.append(
          KernelModes.named(mode)
              .orElseThrow()
              .rules(ModeConfiguration.byDefault())
              .text(image, family));
    }
    return text.toString();
  }

  private static Playback playback(String node) {
    return new Playback(node, started -> DecisionSettings.DEFAULT);
  }

  private static String play(String node, TimeWindow window, ServiceFilter filter)
      throws InterruptedException {
    return play(ShopDay.events(), node, window, filter);
  }

  private static String play(
      List<RecordedEvent> events, String node, TimeWindow window, ServiceFilter filter)
      throws InterruptedException {
    StringWriter out = new StringWriter();
    Terminal terminal =
        Terminal.screen(new PrintWriter(out), new PrintWriter(new StringWriter()), 80);
    Replay replay =
        new Replay(
            playback(node),
            window,
            filter,
            ReplayPace.of(Speed.MAX),
            new ReplayText(node, terminal, ZoneOffset.UTC));
    for (RecordedEvent event : events) {
      replay.play(event);
    }
    replay.end();
    terminal.finish();
    return out.toString();
  }
}
