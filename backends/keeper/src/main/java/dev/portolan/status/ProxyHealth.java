package dev.portolan.status;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the proxy keeps up: it is healthy unless a decision has waited too long for the kernel.
 * Nothing to do for hours is healthy; so is a proxy that has not started to sync yet. Missing rules
 * are another matter: traffic should go elsewhere, but restarting the proxy would not put them
 * back.
 *
 * <p>Waiting time is measured with a monotonic clock.
 */
public final class ProxyHealth {
  private final long patience;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private @Nullable Instant updated;
  private long newest;
  private long applied;
  private boolean waiting;
  private long waitingSince;
  private boolean eligible;
  private boolean rulesMissing;

  /**
   * Healthy, and not eligible before the node is known.
   *
   * @param patience how long a decision may wait: twice the sync period
   */
  public ProxyHealth(Duration patience) {
    this(patience, InstantSource.system(), System::nanoTime);
  }

  ProxyHealth(Duration patience, InstantSource clock, LongSupplier nanos) {
    this.patience = patience.toNanos();
    this.clock = clock;
    this.nanos = nanos;
  }

  /**
   * The health at one moment.
   *
   * @param updated when the kernel was last equal to a decision; empty before the first time
   * @param healthy whether no decision waits for too long
   * @param rulesMissing whether rules are missing and cannot be put back
   * @param eligible whether load balancers should send traffic to the node
   */
  public record State(
      Instant now,
      Optional<Instant> updated,
      boolean healthy,
      boolean rulesMissing,
      boolean eligible) {
    /** Whether what was decided is in the kernel. */
    public boolean serves() {
      return healthy && !rulesMissing;
    }
  }

  /** The decision {@code revision} is to be applied; it may have been already. */
  public synchronized void queued(long revision) {
    newest = Math.max(newest, revision);
    if (!waiting && revision > applied) {
      waiting = true;
      waitingSince = nanos.getAsLong();
    }
  }

  /**
   * The kernel is equal to the decision {@code revision}. Called with 0 when the syncs begin, so
   * that the proxy counts as unhealthy if even the first one does not succeed.
   */
  public synchronized void updated(long revision) {
    updated = clock.instant();
    applied = Math.max(applied, revision);
    if (revision >= newest) {
      waiting = false;
    } else if (revision > 0) {
      waitingSince = nanos.getAsLong();
    }
  }

  /** Whether load balancers should send traffic to the node, as its facts say. */
  public synchronized void eligible(boolean eligible) {
    this.eligible = eligible;
  }

  /** Whether rules are missing and cannot be put back. */
  public synchronized void rulesMissing(boolean missing) {
    rulesMissing = missing;
  }

  /** The health now. */
  public synchronized State state() {
    boolean late = waiting && nanos.getAsLong() - waitingSince >= patience;
    return new State(
        clock.instant(),
        Optional.ofNullable(updated),
        updated == null || !late,
        rulesMissing,
        eligible);
  }

  /** Whether what was decided is in the kernel. */
  public boolean serves() {
    return state().serves();
  }
}
