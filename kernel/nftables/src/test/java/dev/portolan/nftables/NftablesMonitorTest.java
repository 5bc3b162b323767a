package dev.portolan.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.RulesNotice.Changed;
import dev.portolan.nftables.RulesNotice.Committed;
import dev.portolan.nftables.RulesNotice.Kind;
import dev.portolan.nftables.RulesNotice.Lost;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Notices of changes that others and we make. */
@NeedsKernel(tools = {"ip", "nft"})
final class NftablesMonitorTest {
  private static final Duration SILENCE = Duration.ofMillis(200);

  /** Reached only where a wait does not end, which would last five minutes. */
  private static final TableName TABLE = TableName.of(AddressFamily.IPV4, "lab");

  @AutoClose private final TestNamespace place = new TestNamespace();
  @AutoClose private final Nftables nftables = new Nftables(place.path());
  @AutoClose private final NftablesMonitor monitor = new NftablesMonitor(place.path());

  @Test
  void ourChangesAreToldFromThoseOfOthers() throws Exception {
    nftables.commit(new Batch("lab").addTable("").addChain("ours", Optional.empty(), ""));
    place.nft("add chain ip lab theirs\n");
    List<RulesNotice> notices = rest();
    int us = nftables.port();
    assertThat(notices).hasSize(5);
    assertThat(notices.get(0)).isEqualTo(new Changed(us, TABLE, Kind.TABLE, false, ""));
    assertThat(notices.get(1)).isEqualTo(new Changed(us, TABLE, Kind.CHAIN, false, "ours"));
    assertThat(notices.get(2))
        .isInstanceOfSatisfying(
            Committed.class,
            commit -> {
              assertThat(commit.port()).isEqualTo(us);
              assertThat(commit.generation()).isEqualTo(nftables.generation() - 1);
            });
    assertThat(notices.get(3))
        .isInstanceOfSatisfying(
            Changed.class,
            change -> {
              assertThat(change.name()).isEqualTo("theirs");
              assertThat(change.port()).isNotEqualTo(us);
            });
    assertThat(notices.get(4))
        .isInstanceOfSatisfying(
            Committed.class,
            commit -> {
              assertThat(commit.processName()).isEqualTo("nft");
              assertThat(commit.port()).isNotEqualTo(us);
            });
  }

  @Test
  void deletionsOfATableAndOfAllAreSeen() throws Exception {
    place.nft("table ip lab { chain one { drop; }; }\n");
    rest();
    place.nft("delete table ip lab\n");
    assertThat(rest())
        .anyMatch(n -> n instanceof Changed c && c.kind() == Kind.RULE && c.deleted())
        .anyMatch(n -> n instanceof Changed c && c.kind() == Kind.CHAIN && c.deleted())
        .anyMatch(n -> n instanceof Changed c && c.kind() == Kind.TABLE && c.deleted());
    place.nft("table ip lab {}\n");
    rest();
    place.nft("flush ruleset\n");
    assertThat(rest())
        .anyMatch(n -> n instanceof Changed c && c.table().equals(TABLE) && c.deleted());
  }

  @Test
  void ownChangesNeedNotBeHeard() throws Exception {
    try (NftablesMonitor others = NftablesMonitor.except(nftables.port(), place.path())) {
      nftables.commit(new Batch("lab").addTable("").addChain("own", Optional.empty(), ""));
      assertThat(rest(others)).isEmpty();
      place.nft("add chain ip lab foreign\n");
      assertThat(rest(others)).anyMatch(n -> n instanceof Changed c && c.name().equals("foreign"));
    }
  }

  @Test
  void whatHappensInAPauseIsNotHeard() throws Exception {
    monitor.pause(() -> nftables.commit(new Batch("lab").addTable("")));
    assertThat(rest()).isEmpty();
    place.nft("add chain ip lab later\n");
    assertThat(rest()).anyMatch(n -> n instanceof Changed c && c.name().equals("later"));
  }

  @Test
  void lostNoticesAreReported() throws Exception {
    try (NftablesMonitor small = new NftablesMonitor(place.path(), 4096)) {
      nftables.commit(
          new Batch("lab")
              .addTable("")
              .addSet(NftablesTest.addresses("large"))
              .addElements("large", NftablesTest.elements(0, 20_000)));
      assertThat(rest(small)).hasAtLeastOneElementOfType(Lost.class);
      place.nft("add chain ip lab later\n");
      assertThat(rest(small)).anyMatch(n -> n instanceof Changed c && c.name().equals("later"));
    }
  }

  @Test
  void closingEndsAWait() throws Exception {
    AtomicReference<Optional<RulesNotice>> answer = new AtomicReference<>();
    Thread waiting = Thread.ofPlatform().start(() -> answer.set(waitFor(monitor)));
    awaitWaiting(waiting);
    monitor.close();
    assertThat(waiting.join(Await.PATIENCE)).isTrue();
    assertThat(answer.get()).isEmpty();
    assertThat(monitor.isClosed()).isTrue();
    assertThat(monitor.next(Duration.ofSeconds(10))).isEmpty();
  }

  @Test
  void anInterruptEndsAWait() throws Exception {
    AtomicReference<Optional<RulesNotice>> answer = new AtomicReference<>();
    Thread waiting = Thread.ofVirtual().start(() -> answer.set(waitFor(monitor)));
    awaitWaiting(waiting);
    waiting.interrupt();
    assertThat(waiting.join(Await.PATIENCE)).isTrue();
    assertThat(answer.get()).isNull();
  }

  /** Goes on when the thread has most likely begun to wait; the end is the same if it has not. */
  private static void awaitWaiting(Thread thread) throws InterruptedException {
    assertThat(thread.join(Duration.ofMillis(50))).isFalse();
  }

  /** What the monitor says, or null where the thread was interrupted. */
  private static Optional<RulesNotice> waitFor(NftablesMonitor monitor) {
    try {
      return monitor.next(Duration.ofMinutes(5));
    } catch (InterruptedException e) {
      return null;
    }
  }

  private List<RulesNotice> rest() throws InterruptedException {
    return rest(monitor);
  }

  private static List<RulesNotice> rest(NftablesMonitor monitor) throws InterruptedException {
    List<RulesNotice> notices = new ArrayList<>();
    for (Optional<RulesNotice> next = monitor.next(SILENCE);
        next.isPresent();
        next = monitor.next(SILENCE)) {
      notices.add(next.get());
    }
    return notices;
  }
}
