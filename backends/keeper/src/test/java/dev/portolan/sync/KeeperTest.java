package dev.portolan.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.brain.UrgentServices;
import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What a keeper does, and when: each line is a moment in milliseconds, and what happened then. */
final class KeeperTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<String> ALL = List.of("all");

  private final List<String> notes = new ArrayList<>();
  private final List<Integer> differences = new ArrayList<>();
  private final FakeClock clock = new FakeClock();
  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("here", NodeSettings.DEFAULT);
  private final FakeBackend backend = new FakeBackend(clock, notes::add);
  private Pace pace = new Pace(Duration.ZERO, Duration.ofSeconds(1), HOUR);
  private int flowFailures;

  @Test
  void nothingIsAppliedBeforeTheClusterIsKnown() {
    keeper().once();
    assertThat(notes).isEmpty();
  }

  @Test
  void onceLeavesNothingForLater() {
    zone("a");
    Keeper keeper = keeper();
    keeper.once();
    keeper.once();
    keeper.cleanup();
    keeper.close();
    assertThat(notes)
        .containsExactly(
            "0 sync 0-1 full",
            "0 flows 0-1 full",
            "0 takeover",
            "0 applied 0-1 full in 0",
            "0 tidy",
            "0 cleanup",
            "0 flows closed",
            "0 close");
  }

  @Test
  void aFailureOfOnceIsThrownAndTheNextChangeLeadsFromTheLastSuccess() {
    Keeper keeper = keeper();
    zone("a");
    keeper.once();
    zone("b");
    backend.failures = 1;
    assertThatThrownBy(keeper::once)
        .isInstanceOf(BackendException.class)
        .hasMessage("out of order");
    zone("c");
    notes.clear();
    keeper.once();
    assertThat(notes).startsWith("0 sync 1-3").contains("0 flows 1-3", "0 applied 1-3 in 0");
  }

  @Test
  void overNothingTheUrgentServicesAreWrittenBeforeManyOthers() {
    backend.blank = true;
    services(1_000);
    keeper().once();
    assertThat(written()).containsExactly(List.of("default/kubernetes", "kube-system/dns"), ALL);
    assertThat(backend.images.getFirst().facts().serviceCidrs())
        .as("what is not written yet is not rejected")
        .isEmpty();
    assertThat(backend.images.getLast()).isEqualTo(view.image());
    assertThat(notes).as("then the rest").startsWith("0 sync 0-1 full", "0 sync 1-1");
    assertThat(notes).as("nobody else sees that").contains("0 flows 0-1 full");
    assertThat(notes.stream().filter(note -> note.contains("applied")))
        .containsExactly("0 applied 0-1 full in 0");
  }

  @Test
  void overRulesThatServeAllServicesAreWrittenAtOnce() {
    services(1_000);
    keeper().once();
    assertThat(written()).containsExactly(ALL);
  }

  @Test
  void fewServicesAreWrittenAtOnce() {
    backend.blank = true;
    services(998);
    keeper().once();
    assertThat(written()).containsExactly(ALL);
  }

  @Test
  void whatFailsWithTheUrgentServicesIsReportedOnceWithAll() {
    backend.blank = true;
    backend.failures = 1;
    services(1_000);
    keeper().once();
    assertThat(written()).hasSize(2).last().isEqualTo(ALL);
    assertThat(notes).startsWith("0 sync 0-1 full", "0 sync 0-1 full");
    assertThat(notes).noneMatch(note -> note.contains("failed"));
  }

  /** The names in each image that was written, or that it was all of them. */
  private List<List<String>> written() {
    int all = view.image().services().size();
    return backend.images.stream()
        .map(image ->
            image.services().size() == all
                ? ALL
                : StreamSupport.stream(image.services().spliterator(), false)
                    .map(service -> service.name().toString())
                    .toList())
        .toList();
  }

  /** {@code number} services, and DNS and the API server's. */
  private void services(int number) {
    ClusterDelta.Builder delta =
        ClusterDelta.builder()
            .set(new ServiceCidr("kubernetes", List.of("10.96.0.0/12")))
            .set(service("default", "kubernetes", "10.96.0.1", 443))
            .set(service("kube-system", "dns", "10.96.0.10", 53));
    for (int i = 0; i < number; i++) {
      delta.set(service("many", "s" + i, "10.97." + i / 250 + "." + (1 + i % 250), 80));
    }
    brain.apply(delta.build());
  }

  private static Service service(String namespace, String name, String address, int port) {
    return Service.named(namespace, name)
        .clusterIps(List.of(address))
        .ports(List.of(new Service.Port("", Protocol.TCP, port, 0)))
        .build();
  }

  @Test
  void itFollowsTheFeed() {
    at(5, "a");
    at(7, "b");
    clock.at(8, () -> zone("b"));
    run();
    assertThat(notes)
        .containsExactly(
            "0 watch",
            "5 sync 0-1 full",
            "5 flows 0-1 full",
            "5 takeover",
            "5 applied 0-1 full in 0",
            "7 sync 1-2",
            "7 flows 1-2",
            "7 applied 1-2 in 0",
            "8 unwatch");
  }

  @Test
  void whatChangesDuringASyncIsTheNextOne() {
    backend.works = 20;
    backend.during =
        () -> {
          backend.during = () -> {};
          zone("b");
          zone("c");
          zone("d");
        };
    at(5, "a");
    run();
    assertThat(syncs()).containsExactly("5 sync 0-1 full", "25 sync 1-4");
    assertThat(notes).contains("45 applied 1-4 in 20");
  }

  @Test
  void aFailingSyncBacksOffAndIsTriedFromTheLastSuccess() {
    at(0, "a");
    clock.at(1000, () -> backend.failures = 5);
    at(1000, "b");
    at(5000, "c");
    run();
    assertThat(notes)
        .contains(
            "1000 failed for 100: out of order",
            "1100 failed for 200: out of order",
            "1300 failed for 400: out of order",
            "1700 failed for 800: out of order",
            "2500 failed for 1000: out of order");
    assertThat(syncs()).endsWith("2500 sync 1-2", "3500 sync 1-2", "5000 sync 2-3");
  }

  @Test
  void aFailureSaysHowLongItTook() {
    backend.works = 20;
    backend.failures = 1;
    at(0, "a");
    run();
    assertThat(notes).contains("20 failed after 20 for 100: out of order");
  }

  @Test
  void changesThatPourInDoNotCutTheBackoffShort() {
    backend.failures = 4;
    for (int i = 0; i < 300; i++) {
      at(i * 10, "zone" + i);
    }
    run();
    assertThat(syncs())
        .startsWith(
            "0 sync 0-1 full",
            "100 sync 0-11 full",
            "300 sync 0-31 full",
            "700 sync 0-71 full",
            "1500 sync 0-151 full",
            "1510 sync 151-152");
  }

  @Test
  void aSuccessEndsTheBackoff() {
    backend.failures = 3;
    at(0, "a");
    clock.at(2000, () -> backend.failures = 1);
    at(2000, "b");
    at(3000, "c");
    run();
    assertThat(notes).contains("2000 failed for 100: out of order");
  }

  @Test
  void betweenTwoSyncsThereIsAPause() {
    pace = new Pace(Duration.ofMillis(300), Duration.ofSeconds(1), HOUR);
    backend.works = 100;
    at(0, "a");
    at(1, "b");
    at(50, "c");
    at(1000, "d");
    at(1001, "d");
    at(2000, "e");
    run();
    assertThat(syncs())
        .containsExactly("0 sync 0-1 full", "400 sync 1-3", "1000 sync 3-4", "2000 sync 4-5");
  }

  @Test
  void shortSyncsPauseOnlyForTheirShareOfTheTime() {
    pace = new Pace(Duration.ofMillis(300), Duration.ofSeconds(1), HOUR);
    backend.works = 20;
    at(0, "a");
    at(1, "b");
    at(50, "c");
    at(110, "d");
    at(600, "e");
    at(601, "f");
    clock.at(700, () -> {});
    run();
    assertThat(syncs())
        .containsExactly(
            "0 sync 0-1 full",
            "20 sync 1-2",
            "100 sync 2-3",
            "200 sync 3-4",
            "600 sync 4-5",
            "620 sync 5-6");
  }

  @Test
  void onceInAWhileEverythingIsCompared() {
    pace = new Pace(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(10));
    at(0, "a");
    at(4_000, "b");
    clock.at(15_000, () -> backend.failures = 1);
    at(25_000, "c");
    clock.at(32_000, () -> {});
    run();
    assertThat(syncs())
        .containsExactly(
            "0 sync 0-1 full",
            "4000 sync 1-2",
            "10000 sync 2-2 full",
            "20000 sync 2-2 full",
            "20100 sync 2-2 full",
            "25000 sync 2-3",
            "30100 sync 3-3 full");
  }

  @Test
  void flowsThatCouldNotBeEndedAreCoveredByTheNextChange() {
    at(0, "a");
    clock.at(9, () -> flowFailures = 2);
    at(10, "b");
    at(20, "c");
    at(30, "d");
    at(40, "e");
    run();
    assertThat(notes)
        .containsSubsequence(
            "10 flows 1-2",
            "10 flows not ended: no buffer space",
            "10 applied 1-2 in 0",
            "20 flows 1-3",
            "20 flows not ended: no buffer space",
            "20 applied 2-3 in 0",
            "30 flows 1-4",
            "30 applied 3-4 in 0",
            "40 flows 4-5");
  }

  @Test
  void aSuspicionLeadsToAnAuditOfWhatWasApplied() {
    at(0, "a");
    clock.at(5, () -> backend.suspicions.accept("a shadow"));
    clock.at(
        10,
        () -> {
          backend.damage = 3;
          backend.suspicions.accept("a change by nft (7)");
        });
    clock.at(20, () -> {});
    run();
    assertThat(notes)
        .containsSubsequence(
            "5 audit 1", "10 audit 1", "10 repaired 3 after a change by nft (7)", "20 unwatch");
  }

  @Test
  void everyAuditSaysHowMuchItFound() {
    at(0, "a");
    clock.at(5, () -> backend.suspicions.accept("a shadow"));
    clock.at(
        10,
        () -> {
          backend.damage = 3;
          backend.suspicions.accept("a change by nft (7)");
        });
    clock.at(20, () -> {});
    run();
    assertThat(differences).startsWith(0, 3);
  }

  @Test
  void nothingIsAuditedBeforeSomethingIsApplied() {
    clock.at(5, () -> backend.suspicions.accept("a shadow"));
    clock.at(6, () -> {});
    run();
    assertThat(notes).containsExactly("0 watch", "6 unwatch");
  }

  @Test
  void auditsComeRegularlyAndSoonAfterARepair() {
    backend.upkeep(5000, 0);
    at(0, "a");
    clock.at(6000, () -> backend.damage = 1);
    at(7000, "b");
    clock.at(17_000, () -> {});
    run();
    assertThat(notes)
        .containsSubsequence(
            "5000 audit 1",
            "7000 sync 1-2",
            "10000 audit 2",
            "10000 repaired 1 after the regular audit",
            "11000 audit 2",
            "16000 audit 2");
  }

  @Test
  void aFullSyncCountsAsAnAudit() {
    backend.upkeep(300_000, 0);
    at(0, "a");
    clock.at(320_000, () -> {});
    run();
    assertThat(notes).filteredOn(note -> note.contains("audit")).containsExactly("300000 audit 1");
    assertThat(differences).containsExactly(0, 0);
  }

  @Test
  void aRegularAuditWaitsForAPeriodAtMostWhileChangesPourIn() {
    backend.upkeep(5000, 0);
    for (int i = 0; i < 60; i++) {
      at(i * 500, "a" + i);
    }
    clock.at(36_000, () -> {});
    run();
    assertThat(notes)
        .filteredOn(note -> note.contains("audit"))
        .containsExactly("10000 audit 21", "20000 audit 41", "30000 audit 60", "35000 audit 60");
  }

  @Test
  void aSuspicionIsFollowedByAnAuditAndARepairWhileChangesPourIn() {
    backend.upkeep(30_000, 0);
    for (int i = 0; i < 500; i++) {
      at(i * 20, "a" + i);
    }
    clock.at(
        4010,
        () -> {
          backend.damage = 1;
          backend.suspicions.accept("a change by iptables (7)");
        });
    run();
    assertThat(notes)
        .containsSubsequence(
            "4000 sync 200-201",
            "4010 audit 201",
            "4010 repaired 1 after a change by iptables (7)",
            "4020 sync 201-202");
  }

  @Test
  void thePaceDecidesHowOftenIsAuditedUnlessThatTakesLong() {
    backend.upkeep(60_000, 0);
    pace = new Pace(Duration.ZERO, Duration.ofSeconds(1), HOUR, Duration.ofSeconds(2));
    at(0, "a");
    clock.at(3000, () -> backend.duringAudit = () -> clock.pass(100));
    clock.at(20_000, () -> {});
    run();
    assertThat(notes)
        .filteredOn(note -> note.contains("audit"))
        .containsExactly("2000 audit 1", "4000 audit 1", "14100 audit 1");
  }

  @Test
  void aBackendThatAuditsMoreOftenThanThePaceStillDoes() {
    backend.upkeep(5000, 0);
    pace = new Pace(Duration.ZERO, Duration.ofSeconds(1), HOUR, Duration.ofSeconds(30));
    at(0, "a");
    clock.at(11_000, () -> {});
    run();
    assertThat(notes)
        .filteredOn(note -> note.contains("audit"))
        .containsExactly("5000 audit 1", "10000 audit 1");
  }

  @Test
  void aFailedAuditIsTriedAgainWithBackoff() {
    backend.auditFailures = 3;
    at(0, "a");
    clock.at(5, () -> backend.suspicions.accept("a shadow"));
    clock.at(50, () -> backend.suspicions.accept("another"));
    clock.at(60, () -> backend.damage = 1);
    at(250, "b");
    clock.at(5000, () -> {});
    run();
    assertThat(notes)
        .containsSubsequence(
            "5 audit 1",
            "5 not repaired: no access",
            "105 audit 1",
            "250 sync 1-2",
            "305 audit 2",
            "705 audit 2",
            "705 repaired 1 after another",
            "1705 audit 2",
            "5000 unwatch")
        .filteredOn(note -> note.contains("audit"))
        .hasSize(5);
  }

  private List<String> health() {
    return notes.stream().filter(note -> note.contains("rules")).toList();
  }

  @Test
  void rulesAreMissingWhereTwoRepairsFailed() {
    backend.auditFailures = 3;
    backend.missing = 1;
    at(0, "a");
    clock.at(5, () -> backend.suspicions.accept("a shadow"));
    clock.at(5000, () -> {});
    run();
    assertThat(health()).containsExactly("105 rules missing: no access", "705 rules in place");
  }

  @Test
  void rulesAreNotMissingWhereTheyCannotBeLookedAt() {
    backend.auditFailures = 10;
    at(0, "a");
    clock.at(5, () -> backend.suspicions.accept("a shadow"));
    clock.at(20_000, () -> {});
    run();
    assertThat(health()).isEmpty();
  }

  @Test
  void rulesAreMissingWhileAnotherProgramRemovesThemAfterEachRepair() {
    at(0, "a");
    for (int i = 1; i <= 20; i++) {
      damageAt(i * 200L);
    }
    clock.at(20_000, () -> {});
    run();
    assertThat(health())
        .containsExactly(
            "1000 rules missing: another program keeps removing them", "5000 rules in place");
  }

  @Test
  void rulesAreNotMissingWhereAnotherProgramAddsItsOwn() {
    at(0, "a");
    for (int i = 1; i <= 20; i++) {
      clock.at(
          i * 200L,
          () -> {
            backend.surplus = 1;
            backend.suspicions.accept("a shadow");
          });
    }
    clock.at(20_000, () -> {});
    run();
    assertThat(notes).anyMatch(note -> note.contains("contested"));
    assertThat(health()).isEmpty();
  }

  @Test
  void whoKeepsUndoingRepairsIsGivenMoreAndMoreTime() {
    pace = new Pace(Duration.ZERO, Duration.ofSeconds(8), HOUR);
    at(0, "a");
    for (int i = 0; i < 600; i++) {
      clock.at(
          100 + i * 100,
          () -> {
            backend.damage = 2;
            backend.suspicions.accept("a change by nft (pid 7)");
          });
    }
    clock.at(61_000, () -> {});
    run();
    assertThat(notes)
        .filteredOn(note -> note.contains("repaired") || note.contains("contested"))
        .containsExactly(
            "100 repaired 2 after a change by nft (pid 7)",
            "200 repaired 2 after a change by nft (pid 7)",
            "300 repaired 2 after a change by nft (pid 7)",
            "400 repaired 2 after a change by nft (pid 7)",
            "500 contested 5 times by a change by nft (pid 7), next in 1000",
            "1500 contested 6 times by a change by nft (pid 7), next in 2000",
            "3500 contested 7 times by a change by nft (pid 7), next in 4000",
            "7500 contested 8 times by a change by nft (pid 7), next in 8000",
            "15500 contested 9 times by a change by nft (pid 7), next in 8000",
            "23500 contested 10 times by a change by nft (pid 7), next in 8000",
            "31500 contested 11 times by a change by nft (pid 7), next in 8000",
            "39500 contested 12 times by a change by nft (pid 7), next in 8000",
            "47500 contested 13 times by a change by nft (pid 7), next in 8000",
            "55500 contested 14 times by a change by nft (pid 7), next in 8000");
  }

  @Test
  void aContestIsOverAfterFiveQuietMinutes() {
    at(0, "a");
    for (int i = 1; i <= 6; i++) {
      damageAt(i * 10_000L);
    }
    damageAt(400_000);
    damageAt(401_000);
    clock.at(402_000, () -> {});
    run();
    assertThat(notes)
        .filteredOn(note -> note.contains("repaired") || note.contains("contested"))
        .containsExactly(
            "10000 repaired 1 after a shadow",
            "20000 repaired 1 after a shadow",
            "30000 repaired 1 after a shadow",
            "40000 repaired 1 after a shadow",
            "50000 contested 5 times by a shadow, next in 1000",
            "60000 contested 6 times by a shadow, next in 1000",
            "360000 uncontested",
            "400000 repaired 1 after a shadow",
            "401000 repaired 1 after a shadow");
  }

  @Test
  void repairsFarApartAreNoContest() {
    at(0, "a");
    for (int i = 1; i <= 10; i++) {
      damageAt(i * 400_000L);
    }
    clock.at(4_000_100, () -> {});
    run();
    assertThat(notes).filteredOn(note -> note.contains("repaired")).hasSize(10);
    assertThat(notes).noneMatch(note -> note.contains("contested"));
  }

  private void damageAt(long millis) {
    clock.at(
        millis,
        () -> {
          backend.damage = 1;
          backend.suspicions.accept("a shadow");
        });
  }

  @Test
  void itTidiesInAQuietMoment() {
    backend.upkeep(0, 200);
    at(0, "a");
    at(100, "b");
    at(250, "c");
    clock.at(5000, () -> {});
    run();
    assertThat(notes).filteredOn(note -> note.contains("tidy")).containsExactly("450 tidy");
  }

  @Test
  void whateverASyncThrowsIsAFailureThatIsTriedAgain() {
    List<Supplier<Throwable>> thrown =
        List.of(
            () -> new NullPointerException("no table"),
            () -> new StackOverflowError(),
            () -> new AssertionError("two\n  lines"),
            () -> new IOException("not declared"));
    backend.during = throwing(thrown);
    at(0, "a");
    clock.at(5000, () -> {});
    run();
    assertThat(notes.stream().map(note -> note.replaceFirst(" at [^ ]*:[0-9]+[)]", " at LINE")))
        .containsSubsequence(
            "0 failed for 100: the backend threw java.lang.NullPointerException at LINE: no table",
            "100 failed for 200: the backend threw java.lang.StackOverflowError at LINE",
            "300 failed for 400: the backend threw java.lang.AssertionError at LINE: two lines",
            "700 failed for 800: the backend threw java.io.IOException at LINE: not declared",
            "1500 applied 0-1 full in 0");
    assertThat(notes.get(2))
        .contains(" at dev.portolan.sync.KeeperTest.")
        .contains("KeeperTest.java");
  }

  @Test
  void whateverAnAuditThrowsIsTriedAgainAndItsEndIsTold() {
    backend.duringAudit = throwing(List.of(() -> new IllegalStateException("a bug")));
    at(0, "a");
    clock.at(5, () -> backend.suspicions.accept("a shadow"));
    clock.at(5000, () -> {});
    run();
    assertThat(notes)
        .anyMatch(note ->
            note.startsWith("5 not repaired: the backend threw java.lang.IllegalStateException"))
        .containsSubsequence("5 audit 1", "105 audit 1", "105 recovered");
  }

  @Test
  void tidyingThatFailsIsTriedAgainWithBackoff() {
    backend.upkeep(0, 200);
    backend.duringTidy =
        throwing(
            List.of(() -> new IllegalStateException("a bug"), () -> new BackendException("x")));
    at(0, "a");
    clock.at(5000, () -> {});
    run();
    assertThat(notes)
        .containsSubsequence(
            "200 tidy",
            "300 tidy",
            "300 not tidied",
            "300 not repaired: x",
            "500 tidy",
            "500 recovered");
  }

  @Test
  void whatTheProcessCannotSurviveIsNotRetried() {
    OutOfMemoryError fatal = new OutOfMemoryError("a test");
    backend.during = throwing(List.of(() -> fatal));
    zone("a");
    assertThatThrownBy(keeper()::run).isSameAs(fatal);
  }

  @Test
  void aFailureOfWhatIsBeingStoppedIsNotWorthAWord() {
    backend.during =
        () -> {
          Thread.currentThread().interrupt();
          throw new BackendException("interrupted");
        };
    zone("a");
    run();
    assertThat(notes).containsExactly("0 watch", "0 sync 0-1 full", "0 unwatch");
  }

  /** Throws each of these once, then nothing more. */
  private static Runnable throwing(List<Supplier<Throwable>> failures) {
    Iterator<Supplier<Throwable>> rest = failures.iterator();
    return () -> {
      if (rest.hasNext()) {
        KeeperTest.<RuntimeException>sneak(rest.next().get());
      }
    };
  }

  /** Throws what is not declared, as code in other languages of the JVM can. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Throwable failure) throws E {
    throw (E) failure;
  }

  private Keeper keeper() {
    FlowEnding flows =
        new FlowEnding() {
          @Override
          public Cleaning end(NodeChange change) {
            note("flows " + FakeBackend.words(change));
            if (flowFailures > 0) {
              flowFailures--;
              throw new BackendException("no buffer space");
            }
            return Cleaning.NONE;
          }

          @Override
          public void close() {
            note("flows closed");
          }
        };
    Keeper.Options options =
        Keeper.Options.DEFAULT
            .pace(pace)
            .clock(clock)
            .urgent(UrgentServices::contain)
            .handover(Handover.of(() -> note("takeover"), Handover.NONE));
    return new Keeper(view, backend, options, Optional.of(flows), new Notes());
  }

  /** Runs a keeper until nothing is planned any more. */
  private void run() {
    Keeper keeper = keeper();
    assertThatThrownBy(keeper::run).isInstanceOf(InterruptedException.class);
  }

  private List<String> syncs() {
    return notes.stream().filter(note -> note.contains(" sync ")).toList();
  }

  private void at(long millis, String zone) {
    clock.at(millis, () -> zone(zone));
  }

  /** Changes what is decided for the node. */
  private void zone(String zone) {
    Node node = new Node("here", List.of(), List.of(), zone, List.of(), false);
    brain.apply(ClusterDelta.builder().set(node).build());
  }

  private void note(String what) {
    notes.add(clock.millis() + " " + what);
  }

  private final class Notes implements Observer {
    @Override
    public void applied(NodeChange change, Duration took) {
      note("applied " + FakeBackend.words(change) + " in " + took.toMillis());
    }

    @Override
    public void failed(BackendException failure, Duration took, Duration pause) {
      String after = took.isZero() ? "" : " after " + took.toMillis();
      note("failed" + after + " for " + pause.toMillis() + ": " + failure.getMessage());
    }

    @Override
    public void flowsNotEnded(BackendException failure) {
      note("flows not ended: " + failure.getMessage());
    }

    @Override
    public void audited(int found) {
      differences.add(found);
    }

    @Override
    public void repaired(int objects, String cause) {
      note("repaired " + objects + " after " + cause);
    }

    @Override
    public void contested(int repairs, String cause, Duration pause) {
      note("contested " + repairs + " times by " + cause + ", next in " + pause.toMillis());
    }

    @Override
    public void uncontested() {
      note("uncontested");
    }

    @Override
    public void rulesMissing(String why) {
      note("rules missing: " + why);
    }

    @Override
    public void rulesInPlace() {
      note("rules in place");
    }

    @Override
    public void notTidied() {
      note("not tidied");
    }

    @Override
    public void notRepaired(BackendException failure) {
      note("not repaired: " + failure.getMessage());
    }

    @Override
    public void recovered() {
      note("recovered");
    }
  }
}
