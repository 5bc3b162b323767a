package dev.portolan.server.access;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A line that strangers can cause as often as they like, and that is logged only now and then. */
public final class RareLine implements Consumer<String> {
  private static final long PAUSE = Duration.ofMinutes(1).toNanos();

  private final Consumer<String> log;
  private final LongSupplier nanos;
  private final int most;
  private int said;
  private long last;
  private int left;

  /** Logs to {@code log} once a minute, by the time of {@code nanos}. */
  public RareLine(Consumer<String> log, LongSupplier nanos) {
    this(log, nanos, 1);
  }

  /** The same, but {@code most} times a minute. */
  public RareLine(Consumer<String> log, LongSupplier nanos, int most) {
    this.log = log;
    this.nanos = nanos;
    this.most = most;
  }

  @Override
  public synchronized void accept(String line) {
    long now = nanos.getAsLong();
    if (said == 0 || now - last >= PAUSE) {
      said = 0;
      last = now;
    }
    if (said == most) {
      left++;
      return;
    }
    log.accept(left == 0 ? line : line + "; " + left + " like it before are not listed");
    said++;
    left = 0;
  }
}
