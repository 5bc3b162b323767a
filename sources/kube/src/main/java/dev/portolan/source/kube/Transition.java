package dev.portolan.source.kube;

import dev.portolan.source.kube.Phase.Absent;
import dev.portolan.source.kube.Phase.PagedList;
import dev.portolan.source.kube.Phase.StreamingList;
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
 * @param reconnect whether the connection is to be given up
 * @param canStream whether the server may be asked for streaming lists from now on
 */
record Transition(Phase next, Pace pace, Duration atLeast, boolean reconnect, boolean canStream) {
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int UNPROCESSABLE = 422;
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
   * @param canStream false once the server has rejected a streaming list as invalid
   * @param failures how many attempts in a row have failed before
   * @param expiredRecently whether a version expired a moment ago too
   */
  record Memory(boolean optional, boolean canStream, int failures, boolean expiredRecently) {}

  /** The table. */
  static Transition next(Phase phase, WatchOutcome outcome, Memory memory) {
    return switch (outcome) {
      case WatchOutcome.Synced(String version) when version.isEmpty() ->
          proceed(reread(phase, memory), memory);
      case WatchOutcome.Synced(String version) -> proceed(new Watch(version), memory);
      case WatchOutcome.ServerAt(String version) ->
          Versions.isOlder(version, phase.version())
              ? proceed(reread(phase, memory), memory)
              : proceed(new Watch(phase.version()), memory);
      case WatchOutcome.Waited _ -> proceed(reread(phase, memory), memory);
      case WatchOutcome.Refused refused -> refused(phase, refused, memory);
      case WatchOutcome.Garbled _ when memory.failures + 1 >= RELIST_AFTER ->
          backOff(reread(phase, memory), memory);
      case WatchOutcome.Garbled _, WatchOutcome.Disconnected _ -> backOff(verified(phase), memory);
      case WatchOutcome.Silent _ when phase instanceof StreamingList ->
          proceed(new PagedList(), memory).reconnecting();
      case WatchOutcome.Silent _ -> backOff(verified(phase), memory).reconnecting();
    };
  }

  private static Transition refused(Phase phase, WatchOutcome.Refused refused, Memory memory) {
    ApiStatus status = refused.status();
    if (phase instanceof StreamingList && !refused.inWatch()) {
      if (status.code() == BAD_REQUEST || status.code() == UNPROCESSABLE) {
        return new Transition(
            new PagedList(), Pace.PROCEED, Duration.ZERO, false, /* canStream= */ false);
      }
      if (status.code() == FORBIDDEN) {
        return proceed(new PagedList(), memory);
      }
    }
    if (status.code() == NOT_FOUND && memory.optional) {
      return proceed(new Absent(), memory);
    }
    if (status.isGone() && !memory.expiredRecently) {
      return to(reread(phase, memory), Pace.RETRY, memory);
    }
    Phase next = phase;
    if (status.isGone() || (refused.inWatch() && !status.isBusy())) {
      next = reread(phase, memory);
    } else if (status.isServerSide()) {
      next = verified(phase);
    }
    return backOff(next, memory).atLeast(status.retryAfter());
  }

  /** Reads everything; a list that is under way is repeated the way it was begun. */
  private static Phase reread(Phase phase, Memory memory) {
    return switch (phase) {
      case StreamingList _, PagedList _ -> phase;
      case Watch _, Verify _, Absent _ -> memory.canStream ? new StreamingList() : new PagedList();
    };
  }

  /** Asks for the server's version before a watch goes on. */
  private static Phase verified(Phase phase) {
    return phase instanceof Watch(String version) ? new Verify(version) : phase;
  }

  private static Transition proceed(Phase next, Memory memory) {
    return to(next, Pace.PROCEED, memory);
  }

  private static Transition backOff(Phase next, Memory memory) {
    return to(next, Pace.BACK_OFF, memory);
  }

  private static Transition to(Phase next, Pace pace, Memory memory) {
    return new Transition(next, pace, Duration.ZERO, false, memory.canStream);
  }

  private Transition reconnecting() {
    return new Transition(next, pace, atLeast, true, canStream);
  }

  private Transition atLeast(Duration asked) {
    Duration pause = asked.compareTo(LONGEST_RETRY_AFTER) < 0 ? asked : LONGEST_RETRY_AFTER;
    return new Transition(next, pace, pause, reconnect, canStream);
  }
}
