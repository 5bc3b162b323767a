package dev.portolan.client;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Detects a server that no longer answers, if it has agreed to send heartbeats. The first message
 * on a stream shows whether it has; a server that has is expected to do so on the next stream, too.
 *
 * <p>One thread reads the streams, one after another.
 */
final class SignsOfLife {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final Duration limit;
  private final LongSupplier nanoTime;
  private boolean expected;
  private boolean first = true;
  private long heardAt;

  /**
   * A stream begins.
   *
   * @param limit how long nothing may come
   * @param expected whether the server has sent heartbeats before
   */
  SignsOfLife(Duration limit, LongSupplier nanoTime, boolean expected) {
    this.limit = limit;
    this.nanoTime = nanoTime;
    this.expected = expected;
    begin();
  }

  /** Another stream begins. */
  final void begin() {
    first = true;
    heardAt = nanoTime.getAsLong();
  }

  /** Something came; {@code heartbeat} says whether it was that and no more. */
  void heard(boolean heartbeat) {
    if (first) {
      first = false;
      expected = heartbeat;
    }
    heardAt = nanoTime.getAsLong();
  }

  /** Whether the server sends heartbeats, as far as is known. */
  boolean areExpected() {
    return expected;
  }

  /** How long nothing may come from now on. */
  Duration left() {
    return expected
        ? Duration.ofNanos(Math.max(0, heardAt + limit.toNanos() - nanoTime.getAsLong()))
        : FOR_EVER;
  }

  /** Whether nothing has come for too long. */
  boolean areMissing() {
    return left().isZero();
  }

  /** That nothing has come, in words. */
  String missing() {
    return "no sign of life from the server for %d s; is it stopped or overloaded, or is the network down?"
        .formatted(limit.toSeconds());
  }
}
