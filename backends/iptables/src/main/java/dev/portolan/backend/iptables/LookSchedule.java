package dev.portolan.backend.iptables;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When to look at our rules in the kernel, and how thoroughly. Looking takes at most 1 % of the
 * time on average; after a rest several looks may follow each other. Any thread may call.
 */
final class LookSchedule {
  /** Looking takes at most one part in {@code SHARE} of the time, on average. */
  private static final int SHARE = 100;

  /** The regular thorough looks take half of that, so that something is left for the others. */
  private static final int REGULAR_SHARE = 2 * SHARE;

  /** How far looks may run ahead of their share. */
  private static final long BURST = Duration.ofSeconds(10).toNanos();

  private final LongSupplier clock;
  private @Nullable Hint hint;

  /** The looks so far are the share of the time until then. */
  private long usedUntil;

  private long nextThorough;

  /**
   * What another program may have done.
   *
   * @param thorough whether it may have been within our chains
   */
  record Hint(String cause, boolean thorough) {}

  LookSchedule(LongSupplier clock) {
    this.clock = clock;
    this.usedUntil = clock.getAsLong();
    this.nextThorough = usedUntil;
  }

  /** Takes note that another program may have changed our rules. */
  synchronized void note(String cause, boolean thorough) {
    hint = new Hint(cause, thorough || (hint != null && hint.thorough));
  }

  /** Why to look now; empty where there is no reason, or looking has had its share. */
  synchronized Optional<Hint> due() {
    return clock.getAsLong() - usedUntil > -BURST * SHARE
        ? Optional.ofNullable(hint)
        : Optional.empty();
  }

  /** Whether the next look is thorough even without a reason. */
  synchronized boolean isThorough() {
    return clock.getAsLong() - nextThorough >= 0;
  }

  /**
   * Takes note of a look.
   *
   * @param why what {@link #due} was before it, and which is settled now
   */
  @SuppressWarnings("ReferenceEquality") // Whether it is the very one; an equal one came later.
  synchronized void looked(Optional<Hint> why, boolean thorough, long nanos) {
    long now = clock.getAsLong();
    usedUntil = (usedUntil - now < 0 ? now : usedUntil) + nanos * SHARE;
    if (thorough) {
      nextThorough = now + nanos * REGULAR_SHARE;
    }
    if (why.isPresent() && why.get() == hint) {
      hint = null;
    }
  }
}
