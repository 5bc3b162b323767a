package dev.portolan.timemachine.replay;

import java.time.Instant;

/** The time that a person wants to look at, both ends included. */
record TimeWindow(Instant since, Instant until) {
  /** All of a recording. */
  public static final TimeWindow ALL = new TimeWindow(Instant.MIN, Instant.MAX);

  /** Whether {@code time} is in it. */
  public boolean contains(Instant time) {
    return !time.isBefore(since) && !time.isAfter(until);
  }

  /** Whether it begins after {@code time}. */
  public boolean isAfter(Instant time) {
    return time.isBefore(since);
  }
}
