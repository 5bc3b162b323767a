package dev.portolan.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Failures;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a backend, an observer or the takeover throws: a keeper goes on with the next change.
 */
final class KeeperFailuresTest {
  private final List<String> notes = new ArrayList<>();
  private final FakeClock clock = new FakeClock();
  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("here", NodeSettings.DEFAULT);
  private final FakeBackend backend = new FakeBackend(clock, notes::add);
  private Handover handover = Handover.of(() -> this.takeover.run(), Handover.NONE);
  private Runnable takeover = () -> note("takeover");
  private Runnable duringFlows = () -> {};
  private Runnable duringNews = () -> {};

  /**
   * What of a backend can throw, and what a keeper counts that under where nothing else says it.
   */
  private enum Place {
    SYNC(""),
    TIDY(""),
    AUDIT(""),
    WATCH("a backend's watch"),
    SHORTFALL("a backend's shortfalls"),
    FLOWS("stale flows");

    private final String counted;

    Place(String counted) {
      this.counted = counted;
    }
  }

  @BeforeEach
  void prepare() {
    Failures.ofProcess().listen((place, failure, unreported) -> {});
    backend.upkeep(300, 100);
  }

  private void failing(Place place, Runnable failure) {
    switch (place) {
      case SYNC -> backend.during = failure;
      case TIDY -> backend.duringTidy = failure;
      case AUDIT -> backend.duringAudit = failure;
      case WATCH -> backend.duringWatch = failure;
      case SHORTFALL -> backend.duringShortfall = failure;
      case FLOWS -> duringFlows = failure;
    }
  }

  private static long counted(String place) {
    return Failures.ofProcess().counts().getOrDefault(place, 0L);
  }

  /** Throws {@code times} times. */
  private static Runnable throwing(int times) {
    int[] thrown = {0};
    return () -> {
      if (thrown[0] < times) {
        thrown[0]++;
        throw new IllegalStateException("a bug");
      }
    };
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void aBackendThatThrowsOnceIsAskedAgain(Place place) {
    failing(place, throwing(1));
    long before = counted(place.counted);
    changes();
    assertThat(notes).contains("1000 applied 2").anyMatch(note -> note.endsWith(" watch"));
    assertThat(counted(place.counted)).isEqualTo(before + (place.counted.isEmpty() ? 0 : 1));
    assertThat(notes).contains("1000 short default/b: no can do").anyMatch(n -> n.contains("tidy"));
  }

  @ParameterizedTest
  @EnumSource(value = Place.class, mode = EnumSource.Mode.EXCLUDE, names = "SYNC")
  void aBackendThatAlwaysThrowsIsStillGivenEachChange(Place place) {
    failing(place, throwing(Integer.MAX_VALUE));
    changes();
    assertThat(notes).contains("0 applied 1", "1000 applied 2");
  }

  @Test
  void aWatchThatFailedIsBegunAgain() {
    backend.duringWatch = throwing(2);
    clock.at(5_000, () -> backend.suspicions.accept("a shadow"));
    backend.upkeep(0, 0);
    changes();
    assertThat(notes).contains("300 watch", "5000 audit 2").last().isEqualTo("10000 unwatch");
  }

  @Test
  void flowsThatCouldNotBeEndedAreTriedAgainWithoutAnotherChange() {
    duringFlows =
        () -> {
          note("flows");
          if (clock.millis() < 300) {
            throw new BackendException("no buffer space");
          }
        };
    clock.at(0, () -> service("a", 1));
    clock.at(10_000, () -> {});
    run();
    assertThat(notes).containsSubsequence("0 flows", "0 applied 1", "100 flows", "300 flows");
    assertThat(notes).filteredOn(note -> note.endsWith(" flows")).hasSize(3);
  }

  @Test
  void aHandoverGoesOnInItsOwnTimeWhenItIsWokenAndAfterFailures() {
    int[] calls = {0};
    Runnable[] wake = {() -> {}};
    handover =
        new Handover() {
          @Override
          public Optional<Duration> advance() {
            note("handover");
            calls[0]++;
            if (calls[0] == 2 || calls[0] == 3) {
              throw new IllegalStateException("a bug");
            }
            return calls[0] == 1 ? Optional.of(Duration.ofSeconds(5)) : Optional.empty();
          }

          @Override
          public void onWork(Runnable toWake) {
            wake[0] = toWake;
          }
        };
    clock.at(0, () -> service("a", 1));
    clock.at(20_000, () -> wake[0].run());
    clock.at(60_000, () -> {});
    run();
    assertThat(notes)
        .filteredOn(note -> note.contains("handover") || note.contains("taken"))
        .map(note -> note.replaceFirst(" the takeover threw .*", ""))
        .containsExactly(
            "0 handover",
            "5000 handover",
            "5000 not taken over for 1000:",
            "6000 handover",
            "6000 not taken over for 2000:",
            "8000 handover",
            "20000 handover");
  }

  @Test
  void anObserverThatThrowsKeepsNoOtherFromTheNews() {
    duringNews = throwing(Integer.MAX_VALUE);
    long before = counted("observer " + Bad.class.getName());
    changes();
    assertThat(notes).contains("0 applied 1", "1000 applied 2", "1000 short default/b: no can do");
    assertThat(notes).noneMatch(note -> note.contains("failed"));
    assertThat(counted("observer " + Bad.class.getName())).isGreaterThan(before);
  }

  @Test
  void whatTheProcessCannotSurvivePassesThrough() {
    OutOfMemoryError fatal = new OutOfMemoryError("a test");
    duringNews =
        () -> {
          throw fatal;
        };
    service("a", 1);
    assertThatThrownBy(keeper()::run).isSameAs(fatal);
  }

  @Test
  void aTakeoverThatFailsIsTriedAgainAndIsNoFailureOfTheSync() {
    int[] tries = {0};
    takeover =
        () -> {
          note("takeover");
          if (tries[0]++ < 3) {
            throw new BackendException(ErrorCode.TAKEOVER, "the table is busy");
          }
        };
    changes();
    assertThat(notes)
        .containsSubsequence(
            "0 takeover",
            "0 not taken over for 1000: the table is busy",
            "0 applied 1",
            "1000 takeover",
            "1000 not taken over for 2000: the table is busy",
            "1000 applied 2",
            "3000 takeover",
            "3000 not taken over for 4000: the table is busy",
            "7000 takeover")
        .filteredOn(note -> note.endsWith(" takeover"))
        .hasSize(4);
    assertThat(notes).noneMatch(note -> note.contains(" failed"));
  }

  @Test
  void changesThatPourInDoNotCutTheBackoffOfATakeoverShort() {
    takeover =
        () -> {
          note("takeover");
          throw new IllegalStateException("a bug");
        };
    for (int i = 0; i < 100; i++) {
      int port = i + 1;
      clock.at(i * 10, () -> service("a", port));
    }
    long before = counted("takeover");
    run();
    assertThat(notes).filteredOn(note -> note.endsWith(" takeover")).containsExactly("0 takeover");
    assertThat(notes)
        .anyMatch(note ->
            note.startsWith(
                "0 not taken over for 1000: the takeover threw java.lang.IllegalStateException"));
    assertThat(counted("takeover")).isEqualTo(before + 1);
  }

  @Test
  void aTakeoverThatFailsInOneRunIsThrown() {
    takeover =
        () -> {
          throw new BackendException("the table is busy");
        };
    service("a", 1);
    assertThatThrownBy(keeper()::once)
        .isInstanceOf(BackendException.class)
        .hasMessage("the table is busy");
  }

  /** Two changes, a second apart, and then a while without any. */
  private void changes() {
    clock.at(0, () -> service("a", 1));
    clock.at(1_000, () -> service("b", 2));
    clock.at(10_000, () -> {});
    run();
  }

  private void service(String name, int port) {
    brain.apply(
        ClusterDelta.builder()
            .set(
                Service.named("default", name)
                    .clusterIps(List.of("10.96.0." + port))
                    .ports(List.of(new Service.Port("", Protocol.TCP, port, 0)))
                    .build())
            .build());
  }

  private Keeper keeper() {
    FlowEnding flows =
        new FlowEnding() {
          @Override
          public Cleaning end(NodeChange change) {
            duringFlows.run();
            return Cleaning.NONE;
          }

          @Override
          public void close() {}
        };
    Keeper.Options options = Keeper.Options.DEFAULT.clock(clock).handover(handover);
    return new Keeper(view, backend, options, Optional.of(flows), new Bad(), new Good());
  }

  /** Runs a keeper until nothing is planned any more. */
  private void run() {
    assertThatThrownBy(keeper()::run).isInstanceOf(InterruptedException.class);
  }

  private void note(String what) {
    notes.add(clock.millis() + " " + what);
  }

  /** Is notified first, and throws what the test wants. */
  private final class Bad implements Observer {
    @Override
    public void applied(NodeChange change, Duration took) {
      duringNews.run();
    }

    @Override
    public void fellShort(NamespacedName service, String what) {
      duringNews.run();
    }
  }

  private final class Good implements Observer {
    @Override
    public void applied(NodeChange change, Duration took) {
      note("applied " + change.after().revision());
    }

    @Override
    public void fellShort(NamespacedName service, String what) {
      note("short " + service + ": " + what);
    }

    @Override
    public void failed(BackendException failure, Duration took, Duration pause) {
      note("failed: " + failure.getMessage());
    }

    @Override
    public void notTakenOver(BackendException failure, Duration pause) {
      note("not taken over for " + pause.toMillis() + ": " + failure.getMessage());
    }
  }
}
