package dev.portolan.backend.ipvs;

import dev.portolan.netlink.ipvs.RealServer;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Until when a real server drains, as the kernel alone remembers it, so that no restart forgets it:
 * its weight is 0, and its upper threshold, which means nothing at that weight, is the second since
 * 1970 at which it ends in any case. These numbers are unsigned, and good until 2106.
 */
public final class DrainDeadline {
  /** For how long connections to what no longer serves go on, at most. */
  public static final Duration LIMIT = Duration.ofMinutes(15);

  /** There is none while the endpoint still serves, as one does that shuts down cleanly. */
  static final int NONE = 0;

  private DrainDeadline() {}

  /** The time as deadlines have it. */
  public static int now(InstantSource clock) {
    return (int) clock.instant().getEpochSecond();
  }

  /** The deadline of what begins to drain at {@code now}. */
  public static int from(int now) {
    return now + (int) LIMIT.toSeconds();
  }

  /** The same real server, which gets no new connections, and ends at {@code deadline}. */
  public static RealServer set(RealServer server, int deadline) {
    return server.with(0, deadline);
  }

  /** Whether {@code server} drains and has a deadline. */
  public static boolean isSet(RealServer server) {
    return server.weight() == 0 && server.upperThreshold() != NONE;
  }

  /** Whether {@code server} drains, and its time is up. */
  public static boolean isOver(RealServer server, int now) {
    return isSet(server) && isOver(server.upperThreshold(), now);
  }

  /** Whether a deadline has passed. */
  static boolean isOver(int deadline, int now) {
    return deadline != NONE && Integer.compareUnsigned(deadline, now) <= 0;
  }
}
