package dev.portolan.api;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Moments as nanoseconds since 1970, which reach from 1677 to 2262. */
final class Times {
  private static final Instant EARLIEST = instant(Long.MIN_VALUE);
  private static final Instant LATEST = instant(Long.MAX_VALUE);

  private Times() {}

  /** The nanoseconds of {@code time}, or of the nearest moment that has some. */
  static long nanos(Instant time) {
    Instant near = time.isBefore(EARLIEST) ? EARLIEST : time.isAfter(LATEST) ? LATEST : time;
    return ChronoUnit.NANOS.between(Instant.EPOCH, near);
  }

  static Instant instant(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }
}
