package dev.portolan.source.kube;

import dev.portolan.source.kube.Phase.Absent;
import dev.portolan.source.kube.Phase.Verify;
import dev.portolan.source.kube.Phase.Watch;
import dev.portolan.source.kube.wire.ApiStatus;
import java.time.Duration;

/**
 * What to do after an outcome: a row of the table that {@link #next} is.
 *
 * @param next the phase that follows
 * @param pace how soon
 * @param atLeast how long the server asked to be left alone; zero where it did not ask
 * @param reconnect whether to give up the connection
 */
record Transition(Phase next, Pace pace, Duration atLeast, boolean reconnect) {
  private static final int NOT_FOUND = 404;
  private static final int RELIST_AFTER = 3;
  private static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(5);

  /** How soon the next phase begins, and whether what happened is an error. */
  enum Pace {
    /** At once: all is well. */
    PROCEED,
    /** At once, though it is an error. */
    RETRY,
    /** After a pause, as it is an error that another attempt may meet again. */
    BACK_OFF
  }

  /**
   * What the table needs to know besides phase and outcome.
   *
   * @param optional whether older servers do not have the resource
   * @param failures how many attempts in a row have failed before
   * @param expiredRecently whether a version expired a moment ago too
   */
  record Memory(boolean optional, int failures, boolean expiredRecently) {}

  /** The table. */
  static Transition next(Phase phase, WatchOutcome outcome, Memory memory) {
    return switch (outcome) {
      case WatchOutcome.Synced(String version) when version.isEmpty() -> proceed(new Phase.List());
      case WatchOutcome.Synced(String version) -> proceed(new Watch(version));
      case WatchOutcome.ServerAt(String version) ->
          Versions.isOlder(version, phase.version())
              ? proceed(new Phase.List())
              : proceed(new Watch(phase.version()));
      case WatchOutcome.Waited _ -> proceed(new Phase.List());
      case WatchOutcome.Refused refused -> refused(phase, refused, memory);
      case WatchOutcome.Garbled _ when memory.failures + 1 >= RELIST_AFTER ->
          backOff(new Phase.List());
      case WatchOutcome.Garbled _, WatchOutcome.Disconnected _ -> backOff(verified(phase));
      case WatchOutcome.Silent _ -> backOff(verified(phase)).reconnecting();
    };
  }

  private static Transition refused(Phase phase, WatchOutcome.Refused refused, Memory memory) {
    ApiStatus status = refused.status();
    if (status.code() == NOT_FOUND && memory.optional) {
      return proceed(new Absent());
    }
    if (status.isGone() && !memory.expiredRecently) {
      return to(new Phase.List(), Pace.RETRY);
    }
    Phase next = phase;
    if (status.isGone() || (refused.inWatch() && !status.isBusy())) {
      next = new Phase.List();
    } else if (status.isServerSide()) {
      next = verified(phase);
    }
    return backOff(next).atLeast(status.retryAfter());
  }

  /** Asks for the server's version before a watch goes on. */
  private static Phase verified(Phase phase) {
    return phase instanceof Watch(String version) ? new Verify(version) : phase;
  }

  private static Transition proceed(Phase next) {
    return to(next, Pace.PROCEED);
  }

  private static Transition backOff(Phase next) {
    return to(next, Pace.BACK_OFF);
  }

  private static Transition to(Phase next, Pace pace) {
    return new Transition(next, pace, Duration.ZERO, false);
  }

  private Transition reconnecting() {
    return new Transition(next, pace, atLeast, true);
  }

  private Transition atLeast(Duration asked) {
    Duration pause = asked.compareTo(LONGEST_RETRY_AFTER) < 0 ? asked : LONGEST_RETRY_AFTER;
    return new Transition(next, pace, pause, reconnect);
  }
}
