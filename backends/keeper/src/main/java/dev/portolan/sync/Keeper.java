package dev.portolan.sync;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.Backoff;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.error.Failures;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a backend equal to a feed. This is the one thing that runs a backend: in the daemon, in
 * {@code portolan run}, behind a connection, in the conformance kit.
 *
 * <p>{@link #keep} has all that is done for a change, in order. What changes meanwhile waits for
 * the next round, as one change; so nothing queues up before a slow kernel. A step that failed
 * gets, the next time, what leads from its own last success: a failed sync is tried again with
 * exponential backoff, however many changes come in; flows are ended again after the next sync.
 * Once in a while a change is full, so that everything is compared. Whatever a backend throws is a
 * failure of that step, and never ends the keeper; nor does what an observer throws, which is
 * counted and does not affect other observers ({@link Failures}).
 *
 * <p>One thread does it all, so a backend needs no lock. Other threads only leave notes and wake
 * it: the feed that there is something newer, the backend's watch that something else may have
 * changed what was applied. That leads to an audit, and so does time ({@link Upkeep}).
 */
public final class Keeper implements AutoCloseable {
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);

  /**
   * A takeover looks into every place where a kube-proxy keeps rules, so it is tried less often.
   */
  private static final Duration FIRST_TAKEOVER_RETRY = Duration.ofSeconds(1);

  private static final long NEVER = Long.MAX_VALUE;

  /** Whatever damages rules once tends to do so again, so the next look after a repair is soon. */
  private static final Duration AFTER_REPAIR = Duration.ofSeconds(1);

  /** After this many repairs in quick succession, another program is assumed to be fighting us. */
  private static final int ROUNDS = 5;

  /** After this time without a repair, the rules count as uncontested. */
  private static final Duration QUIET = Duration.ofMinutes(5);

  /**
   * Syncs, with the ending of flows after them, take at most one part in {@code SYNC_SHARE} of the
   * time.
   */
  private static final int SYNC_SHARE = 5;

  /** How far syncs may run ahead of their share, so that an occasional long one delays nothing. */
  private static final long BURST = Duration.ofMillis(100).toNanos();

  /** Regular audits take at most one part in {@code AUDIT_SHARE} of the time. */
  private static final int AUDIT_SHARE = 100;

  /**
   * Changes wait for an audit, so a regular one waits for a lull of this length, but no longer than
   * one period.
   */
  private static final Duration LULL = Duration.ofSeconds(1);

  /** A first sync of more services than this takes so long that the most urgent go ahead of it. */
  private static final int MANY = 1_000;

  private final NodeFeed feed;
  private final Backend backend;
  private final Options options;
  private final Optional<FlowEnding> flows;
  private final Observers observers;
  private final Shortfalls shortfalls;
  private final SyncClock clock;
  private final Upkeep upkeep;
  private final long start;
  private final Semaphore wakeup = new Semaphore(0);

  /** The last success of each step that can fail. */
  private NodeSnapshot applied;

  private NodeSnapshot flowsEnded;
  private boolean tookOver;

  private final Backoff takeoverBackoff;
  private long takeoverNotBefore;

  private final Backoff syncBackoff;
  private long syncNotBefore;

  /** Until when the syncs so far have used up their share of the time. */
  private long shareUntil = Long.MIN_VALUE;

  private long lastSync;
  private long nextFull = NEVER;

  private Backend.@Nullable Watch watch;
  private final Backoff watchBackoff;
  private long watchNotBefore;

  private final AtomicReference<@Nullable String> suspicion = new AtomicReference<>();
  private final Backoff auditBackoff;
  private long auditNotBefore;
  private long nextAudit = NEVER;
  private boolean auditFailed;

  /** Whether the last look found rules missing; they were put back. */
  private boolean missedBefore;

  /** Whether observers know that rules are missing. */
  private boolean rulesMissing;

  private final Backoff tidyBackoff;
  private long nextTidy = NEVER;
  private boolean tidyFailed;

  private final Backoff contestBackoff;
  private int repairs;
  private long lastRepair;

  /**
   * How a backend is kept.
   *
   * @param tcp which TCP flows to endpoints that are gone end beside those of UDP; of no account
   *     for a backend that does without connection tracking
   * @param namespace the network namespace whose flows end; empty for this process's own
   * @param takeover done once, after the first sync: what a predecessor left may go now. Where it
   *     throws, it is tried again until it does not
   * @param urgent the services that all else on the node needs: where there are many services and
   *     none is served yet, these are written before the others
   */
  public record Options(
      Pace pace,
      TcpCleaning tcp,
      Optional<Path> namespace,
      Runnable takeover,
      Predicate<NodeService> urgent,
      SyncClock clock) {
    /** As fast as the backend can, in this process's own network namespace. */
    public static final Options DEFAULT =
        new Options(
            Pace.DEFAULT,
            TcpCleaning.NEVER,
            Optional.empty(),
            () -> {},
            service -> false,
            SyncClock.SYSTEM);

    /** The same at another pace. */
    public Options pace(Pace other) {
      return new Options(other, tcp, namespace, takeover, urgent, clock);
    }

    /** The same with a say in which flows end, and where. */
    public Options flows(TcpCleaning ofTcp, Optional<Path> where) {
      return new Options(pace, ofTcp, where, takeover, urgent, clock);
    }

    /** The same with something to do once, after the first sync. */
    public Options takeover(Runnable once) {
      return new Options(pace, tcp, namespace, once, urgent, clock);
    }

    /** The same with services that are written before all others. */
    public Options urgent(Predicate<NodeService> first) {
      return new Options(pace, tcp, namespace, takeover, first, clock);
    }

    /** The same by another clock. */
    public Options clock(SyncClock other) {
      return new Options(pace, tcp, namespace, takeover, urgent, other);
    }
  }

  /**
   * Keeps {@code backend}, and closes it in the end; nothing is written yet.
   *
   * @throws BackendException where the backend uses connection tracking, and the kernel does not
   *     let this process look at it
   */
  public Keeper(NodeFeed feed, Backend backend, Options options, Observer... observers) {
    this(feed, backend, options, FlowEnding.of(backend, options), observers);
  }

  Keeper(
      NodeFeed feed,
      Backend backend,
      Options options,
      Optional<FlowEnding> flows,
      Observer... observers) {
    this.feed = feed;
    this.backend = backend;
    this.options = options;
    this.flows = flows;
    this.observers = new Observers(List.of(observers));
    this.shortfalls = new Shortfalls(backend);
    this.clock = options.clock;
    this.upkeep = options.pace.over(backend.upkeep());
    this.start = clock.nanoTime();
    this.applied = NodeSnapshot.unsynced(feed.node());
    this.flowsEnded = applied;
    this.syncBackoff = new Backoff(FIRST_RETRY, options.pace.longestRetry());
    this.takeoverBackoff = new Backoff(FIRST_TAKEOVER_RETRY, options.pace.longestRetry());
    this.watchBackoff = new Backoff(FIRST_RETRY, options.pace.longestRetry());
    this.auditBackoff = new Backoff(FIRST_RETRY, options.pace.longestRetry());
    this.contestBackoff = new Backoff(AFTER_REPAIR, options.pace.longestRetry());
    this.tidyBackoff = new Backoff(FIRST_RETRY, options.pace.longestRetry());
    feed.onChange(wakeup::release);
  }

  /**
   * Syncs once, if the cluster is known and there is something to do, and leaves nothing for later;
   * throws on failure.
   */
  public void once() {
    if (isBehind()) {
      keep(this::takeOver);
      attempt(backend::tidy);
    }
  }

  /**
   * Keeps the backend equal to the feed until the thread is interrupted; what was applied stays.
   */
  public void run() throws InterruptedException {
    try {
      while (true) {
        if (isPast(watchDue())) {
          watch();
        }
        if (isPast(syncDue())) {
          tryToKeep();
        }
        if (isPast(takeoverDue())) {
          tryToTakeOver();
        }
        if (isPast(auditDue())) {
          audit();
        }
        if (isPast(nextTidy)) {
          tidy();
        }
        long next =
            LongStream.of(watchDue(), syncDue(), takeoverDue(), auditDue(), nextTidy)
                .min()
                .getAsLong();
        clock.await(wakeup, Math.max(0, next - now()));
        wakeup.drainPermits();
      }
    } finally {
      if (watch != null) {
        Guard.run("the end of a backend's watch", watch::close);
        watch = null;
      }
    }
  }

  /** Removes everything that was applied. */
  public void cleanup() {
    attempt(backend::cleanup);
  }

  @Override
  public void close() {
    flows.ifPresent(FlowEnding::close);
    backend.close();
  }

  /** All that is done for a change. Where the sync fails, nothing else is done. */
  private void keep(Runnable takeover) {
    long begin = now();
    NodeSnapshot newest = feed.newest();
    NodeChange difference = NodeChange.between(applied, newest);
    NodeChange change = isPast(nextFull) ? difference.inFull() : difference;
    NodeChange forFlows =
        isSame(flowsEnded, applied) ? change : NodeChange.between(flowsEnded, newest);
    Optional<NodeImage> urgent = syncUrgent(newest.image());
    Duration took = sync(change, urgent, newest);
    endStaleFlows(forFlows, newest);
    long end = now();
    long share = Math.max(shareUntil, begin) + (end - begin) * SYNC_SHARE;
    shareUntil = Math.min(share, end + BURST + options.pace.least().toNanos());
    syncNotBefore = Math.max(end, shareUntil - BURST);
    takeover.run();
    tell(observer -> observer.applied(change, took));
    if (change.isFull() && !upkeep.auditEvery().isZero()) {
      // Everything was compared for it, and nothing differs now.
      tell(observer -> observer.audited(0));
      rulesInPlace();
    }
    shortfalls.find(change, (service, what) -> tell(o -> o.fellShort(service, what)));
  }

  @SuppressWarnings("ReferenceEquality") // Whether it is the very one; comparing content costs.
  private static boolean isSame(NodeSnapshot one, NodeSnapshot other) {
    return one == other;
  }

  /**
   * Before a long first sync, writes the few services that the others depend on, where nothing is
   * served yet: over rules that are there already, an image of a few services would remove the
   * rest. Observers are not notified, and a failure is left to the sync that follows. Returns what
   * was written.
   */
  private Optional<NodeImage> syncUrgent(NodeImage image) {
    if (applied.image().isSynced() || image.services().size() <= MANY) {
      return Optional.empty();
    }
    NodeImage first = image.only(options.urgent);
    try {
      if (first.services().size() > 0 && backend.isBlank()) {
        backend.sync(NodeChange.to(first));
        return Optional.of(first);
      }
    } catch (Throwable e) {
      // Unless it is fatal: the sync of everything fails for the same reason, and says so.
      BackendException _ = BackendException.of(e);
    }
    return Optional.empty();
  }

  /** Syncs the backend; where {@code urgent} was written, the rest. */
  private Duration sync(NodeChange change, Optional<NodeImage> urgent, NodeSnapshot newest) {
    long begin = now();
    NodeChange rest = urgent.map(first -> NodeChange.between(first, newest.image())).orElse(change);
    attempt(() -> backend.sync(rest));
    applied = newest;
    long end = now();
    lastSync = end;
    nextTidy = after(end, upkeep.tidyAfter());
    if (change.isFull()) {
      nextFull = after(end, options.pace.full());
      nextAudit = after(end, upkeep.auditEvery());
    }
    return Duration.ofNanos(end - begin);
  }

  private void endStaleFlows(NodeChange change, NodeSnapshot newest) {
    if (flows.isPresent()) {
      try {
        Cleaning cleaning = flows.get().end(change);
        tell(observer -> observer.flowsEnded(cleaning));
      } catch (Throwable e) {
        BackendException failure = Guard.failure("stale flows", "the backend", e);
        tell(observer -> observer.flowsNotEnded(failure));
        return;
      }
    }
    flowsEnded = newest;
  }

  private void takeOver() {
    if (!tookOver) {
      try {
        options.takeover.run();
      } catch (Throwable e) {
        throw Guard.failure("takeover", "the takeover", e);
      }
      tookOver = true;
    }
  }

  /** The sync before succeeded, whatever comes of this. */
  private void tryToTakeOver() {
    if (!isPast(takeoverNotBefore)) {
      return;
    }
    try {
      takeOver();
    } catch (BackendException e) {
      Duration pause = takeoverBackoff.next();
      takeoverNotBefore = after(now(), pause);
      if (!Thread.currentThread().isInterrupted()) {
        tell(observer -> observer.notTakenOver(e, pause));
      }
    }
  }

  /** Without a watch, only the regular audits notice what another program changed. */
  private void watch() {
    try {
      watch = backend.watch(this::suspect);
    } catch (Throwable e) {
      Guard.add("a backend's watch", e);
      watchNotBefore = now() + watchBackoff.next().toNanos();
    }
  }

  /** Calls the backend. Whatever comes out of it is the backend's failure. */
  private static void attempt(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      throw BackendException.of(e);
    }
  }

  /** What fails because this thread is to stop is not worth a word. */
  private static void stopIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private void tryToKeep() throws InterruptedException {
    long begin = now();
    try {
      keep(this::tryToTakeOver);
      syncBackoff.reset();
    } catch (BackendException e) {
      stopIfInterrupted();
      Duration took = Duration.ofNanos(now() - begin);
      Duration pause = syncBackoff.next();
      syncNotBefore = now() + pause.toNanos();
      tell(observer -> observer.failed(e, took, pause));
    }
  }

  /** Takes note that something else may have changed what was applied; any thread may call. */
  private void suspect(String cause) {
    suspicion.set(cause);
    wakeup.release();
  }

  private void audit() throws InterruptedException {
    String suspected = suspicion.getAndSet(null);
    long begin = now();
    try {
      Audit audit = compare();
      long took = now() - begin;
      auditBackoff.reset();
      auditNotBefore = 0;
      nextAudit = Math.max(after(now(), upkeep.auditEvery()), now() + took * AUDIT_SHARE);
      if (audit.repaired() > 0) {
        String cause = suspected == null ? "the regular audit" : suspected;
        repaired(audit.repaired(), audit.cause().isEmpty() ? cause : audit.cause());
      } else if (repairs >= ROUNDS) {
        awaitQuiet();
      }
      boolean failedBefore = auditFailed;
      auditFailed = false;
      recovered(failedBefore);
      tell(observer -> observer.audited(audit.repaired()));
      boolean missed = audit.missing() > 0;
      if (missed && missedBefore && repairs >= ROUNDS) {
        rulesMissing("another program keeps removing them");
      } else {
        rulesInPlace();
      }
      missedBefore = missed;
    } catch (BackendException e) {
      stopIfInterrupted();
      boolean failedBefore = auditFailed;
      auditFailed = true;
      nextAudit = now();
      auditNotBefore = nextAudit + auditBackoff.next().toNanos();
      suspicion.compareAndSet(null, suspected);
      tell(observer -> observer.notRepaired(e));
      if (failedBefore && e.leavesRulesMissing()) {
        rulesMissing(String.valueOf(e.getMessage()));
      }
    }
  }

  private void rulesMissing(String why) {
    if (!rulesMissing) {
      rulesMissing = true;
      tell(observer -> observer.rulesMissing(why));
    }
  }

  private void rulesInPlace() {
    if (rulesMissing) {
      rulesMissing = false;
      tell(Observer::rulesInPlace);
    }
  }

  /**
   * Looks again soon. If another program has undone several repairs in a row, more of them do not
   * help: each is followed by a growing pause, so that two programs neither keep the kernel busy
   * nor fill the log.
   */
  private void repaired(int objects, String cause) {
    repairs = now() - lastRepair <= QUIET.toNanos() ? repairs + 1 : 1;
    lastRepair = now();
    nextAudit = Math.min(nextAudit, after(lastRepair, AFTER_REPAIR));
    if (repairs < ROUNDS) {
      tell(observer -> observer.repaired(objects, cause));
      return;
    }
    Duration pause = contestBackoff.next();
    auditNotBefore = after(lastRepair, pause);
    tell(observer -> observer.contested(repairs, cause, pause));
  }

  /** Ends a contest where the other program has let the rules alone for long enough. */
  private void awaitQuiet() {
    long end = after(lastRepair, QUIET);
    if (now() < end) {
      nextAudit = Math.min(nextAudit, end);
      return;
    }
    repairs = 0;
    contestBackoff.reset();
    tell(Observer::uncontested);
  }

  private Audit compare() {
    try {
      return backend.audit(applied.image());
    } catch (Throwable e) {
      throw BackendException.of(e);
    }
  }

  private void tidy() throws InterruptedException {
    nextTidy = NEVER;
    try {
      attempt(backend::tidy);
      tidyBackoff.reset();
      boolean failedBefore = tidyFailed;
      tidyFailed = false;
      recovered(failedBefore);
    } catch (BackendException e) {
      stopIfInterrupted();
      tidyFailed = true;
      nextTidy = now() + tidyBackoff.next().toNanos();
      tell(Observer::notTidied);
      tell(observer -> observer.notRepaired(e));
    }
  }

  /** A step works; says so where it was the last one of those that failed. */
  private void recovered(boolean failedBefore) {
    if (failedBefore && !auditFailed && !tidyFailed) {
      tell(Observer::recovered);
    }
  }

  private void tell(Consumer<Observer> news) {
    observers.tell(news);
  }

  /** Whether the feed has something that is not applied. */
  private boolean isBehind() {
    return feed.image().revision() != applied.image().revision();
  }

  /** When the next sync is due, in the time of {@link #now}. */
  private long syncDue() {
    return Math.max(isBehind() ? 0 : nextFull, syncNotBefore);
  }

  private long watchDue() {
    return watch == null ? watchNotBefore : NEVER;
  }

  private long takeoverDue() {
    return tookOver || !applied.image().isSynced() ? NEVER : takeoverNotBefore;
  }

  private long auditDue() {
    if (!applied.image().isSynced()) {
      return NEVER;
    }
    return Math.max(suspicion.get() == null ? inLull(nextAudit) : 0, auditNotBefore);
  }

  /** The time, or later where changes come one after the other. */
  private long inLull(long time) {
    if (time == NEVER) {
      return NEVER;
    }
    long latest = time + upkeep.auditEvery().toNanos();
    return Math.max(time, Math.min(lastSync + LULL.toNanos(), latest));
  }

  /** Nanoseconds since this keeper was made. */
  private long now() {
    return clock.nanoTime() - start;
  }

  private boolean isPast(long time) {
    return time != NEVER && now() >= time;
  }

  /** {@code time} plus a delay; a delay of zero stands for never. */
  private static long after(long time, Duration pause) {
    return pause.isZero() ? NEVER : time + pause.toNanos();
  }
}
