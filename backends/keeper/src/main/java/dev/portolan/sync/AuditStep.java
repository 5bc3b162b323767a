package dev.portolan.sync;

import static dev.portolan.sync.Elapsed.NEVER;
import static dev.portolan.sync.Elapsed.after;

import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.Backoff;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.node.NodeImage;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares what was applied with what is there, and has it repaired: when something else is
 * suspected to have changed it, and once in a while.
 */
final class AuditStep extends Step {
  /** Whatever damages rules once tends to do so again, so the next look after a repair is soon. */
  private static final Duration AFTER_REPAIR = Duration.ofSeconds(1);

  /** After this many repairs in quick succession, another program is assumed to be fighting us. */
  private static final int ROUNDS = 5;

  /** After this time without a repair, the rules count as uncontested. */
  private static final Duration QUIET = Duration.ofMinutes(5);

  /** Regular audits take at most one part in {@code SHARE} of the time. */
  private static final int SHARE = 100;

  /**
   * Changes wait for an audit, so a regular one waits for a lull of this length, but no longer than
   * one period.
   */
  private static final Duration LULL = Duration.ofSeconds(1);

  private final Backend backend;
  private final Supplier<NodeImage> applied;
  private final Duration every;
  private final Elapsed time;
  private final Observers observers;
  private final Runnable recovered;
  private final AtomicReference<@Nullable String> suspicion = new AtomicReference<>();
  private final Backoff contestBackoff;
  private long lastSync;
  private long next = NEVER;

  /** What the audit that is under way, or was last, began with. */
  private @Nullable String suspected;

  private int repairs;
  private long lastRepair;

  /** Whether the last look found rules missing; they were put back. */
  private boolean missedBefore;

  /** Whether observers know that rules are missing. */
  private boolean rulesMissing;

  AuditStep(
      Backend backend,
      Supplier<NodeImage> applied,
      Upkeep upkeep,
      Elapsed time,
      Duration firstRetry,
      Duration longestRetry,
      Observers observers,
      Runnable recovered) {
    super(time, firstRetry, longestRetry);
    this.backend = backend;
    this.applied = applied;
    this.every = upkeep.auditEvery();
    this.time = time;
    this.observers = observers;
    this.recovered = recovered;
    this.contestBackoff = new Backoff(AFTER_REPAIR, longestRetry);
  }

  /** Takes note that something else may have changed what was applied; any thread may call. */
  void suspect(String cause) {
    suspicion.set(cause);
  }

  /** A sync has ended, which compared everything if it was full. */
  void synced(boolean isFull) {
    lastSync = time.now();
    if (isFull) {
      next = after(lastSync, every);
    }
  }

  /** Says what follows from a full sync: nothing differs now. */
  void comparedBySync() {
    if (!every.isZero()) {
      observers.tell(observer -> observer.audited(0));
      rulesInPlace();
    }
  }

  @Override
  long wanted() {
    if (!applied.get().isSynced()) {
      return NEVER;
    }
    return suspicion.get() == null ? inLull(next) : 0;
  }

  /** The time, or later where changes come one after the other. */
  private long inLull(long moment) {
    if (moment == NEVER) {
      return NEVER;
    }
    long latest = moment + every.toNanos();
    return Math.max(moment, Math.min(lastSync + LULL.toNanos(), latest));
  }

  @Override
  void work() {
    suspected = suspicion.getAndSet(null);
    long begin = time.now();
    Audit audit = backend.audit(applied.get());
    long took = time.now() - begin;
    next = Math.max(after(time.now(), every), time.now() + took * SHARE);
    if (audit.repaired() > 0) {
      String cause = suspected == null ? "the regular audit" : suspected;
      repaired(audit.repaired(), audit.cause().isEmpty() ? cause : audit.cause());
    } else if (repairs >= ROUNDS) {
      awaitQuiet();
    }
    observers.tell(observer -> observer.audited(audit.repaired()));
    boolean missed = audit.missing() > 0;
    if (missed && missedBefore && repairs >= ROUNDS) {
      rulesMissing("another program keeps removing them");
    } else {
      rulesInPlace();
    }
    missedBefore = missed;
  }

  @Override
  void failed(BackendException failure, Duration pause) {
    next = time.now();
    suspicion.compareAndSet(null, suspected);
    observers.tell(observer -> observer.notRepaired(failure));
    if (isFailing() && failure.leavesRulesMissing()) {
      rulesMissing(String.valueOf(failure.getMessage()));
    }
  }

  @Override
  void recovered() {
    recovered.run();
  }

  private void rulesMissing(String why) {
    if (!rulesMissing) {
      rulesMissing = true;
      observers.tell(observer -> observer.rulesMissing(why));
    }
  }

  private void rulesInPlace() {
    if (rulesMissing) {
      rulesMissing = false;
      observers.tell(Observer::rulesInPlace);
    }
  }

  /**
   * Looks again soon. If another program has undone several repairs in a row, more of them do not
   * help: each is followed by a growing pause, so that two programs neither keep the kernel busy
   * nor fill the log.
   */
  private void repaired(int objects, String cause) {
    repairs = time.now() - lastRepair <= QUIET.toNanos() ? repairs + 1 : 1;
    lastRepair = time.now();
    next = Math.min(next, after(lastRepair, AFTER_REPAIR));
    if (repairs < ROUNDS) {
      observers.tell(observer -> observer.repaired(objects, cause));
      return;
    }
    Duration pause = contestBackoff.next();
    restUntil(after(lastRepair, pause));
    observers.tell(observer -> observer.contested(repairs, cause, pause));
  }

  /** Ends a contest where the other program has let the rules alone for long enough. */
  private void awaitQuiet() {
    long end = after(lastRepair, QUIET);
    if (time.now() < end) {
      next = Math.min(next, end);
      return;
    }
    repairs = 0;
    contestBackoff.reset();
    observers.tell(Observer::uncontested);
  }
}
