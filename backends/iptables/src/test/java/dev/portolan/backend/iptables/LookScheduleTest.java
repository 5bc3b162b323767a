package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When to look, by a clock of the test's own. */
class LookScheduleTest {
  private long now = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();
  private final LookSchedule schedule = new LookSchedule(() -> now);

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private void look(boolean thorough, Duration time) {
    pass(time);
    schedule.looked(schedule.due(), thorough, time.toNanos());
  }

  private Optional<String> due() {
    return schedule.due().map(LookSchedule.Hint::cause);
  }

  @Test
  void aHintIsDueAtOnceAndSettledByALook() {
    assertThat(due()).isEmpty();
    schedule.note("a change by nft (7)", true);
    schedule.note("a change by iptables (8)", false);
    assertThat(schedule.due()).contains(new LookSchedule.Hint("a change by iptables (8)", true));
    look(true, Duration.ofMillis(500));
    assertThat(due()).isEmpty();
  }

  @Test
  void whatIsNotedDuringALookIsDueAfterIt() {
    schedule.note("one", true);
    Optional<LookSchedule.Hint> why = schedule.due();
    schedule.note("one", true);
    schedule.looked(why, true, 1);
    assertThat(due()).contains("one");
  }

  @Test
  void severalLooksMayFollowEachOtherButOnAverageTheyTakeTheirShare() {
    long begin = now;
    int looks = 0;
    for (int i = 0; i < 3_600; i++) {
      schedule.note("again", true);
      if (schedule.due().isPresent()) {
        look(true, Duration.ofMillis(500));
        looks++;
      }
      if (i == 15) {
        assertThat(looks).as("at first").isEqualTo(16);
      }
      pass(Duration.ofSeconds(1));
    }
    Duration all = Duration.ofNanos(now - begin);
    assertThat(looks * 0.5).isBetween(0.01 * all.toSeconds(), 0.01 * all.toSeconds() + 11);
  }

  @Test
  void regularThoroughLooksTakeHalfOfTheShare() {
    assertThat(schedule.isThorough()).isTrue();
    look(true, Duration.ofSeconds(2));
    pass(Duration.ofSeconds(399));
    assertThat(schedule.isThorough()).isFalse();
    look(false, Duration.ofMillis(1));
    pass(Duration.ofSeconds(1));
    assertThat(schedule.isThorough()).isTrue();
  }

  @Test
  void aSocketIsOursWhileItsProgramRunsAndForAMinuteAfterwards() {
    OwnWrites own = new OwnWrites(() -> now);
    own.began(4711);
    pass(Duration.ofMinutes(10));
    assertThat(own.isBy(4711)).isTrue();
    own.ended(4711);
    pass(Duration.ofSeconds(59));
    assertThat(own.isBy(4711)).isTrue();
    assertThat(own.isBy(4712)).isFalse();
    pass(Duration.ofSeconds(2));
    assertThat(own.isBy(4711)).isFalse();
  }
}
