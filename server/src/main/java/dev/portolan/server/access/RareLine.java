package dev.portolan.server.access;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A line that strangers can cause as often as they like, and that is logged only now and then. */
public final class RareLine implements Consumer<String> {
  private static final long PAUSE = Duration.ofMinutes(1).toNanos();

  private final Consumer<String> log;
  private final LongSupplier nanos;
  private boolean said;
  private long last;
  private int left;

  /** Logs to {@code log}, by the time of {@code nanos}. */
  public RareLine(Consumer<String> log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
  }

  @Override
  public synchronized void accept(String line) {
    long now = nanos.getAsLong();
    if (said && now - last < PAUSE) {
      left++;
      return;
    }
    log.accept(left == 0 ? line : line + "; so were " + left + " before it, which are not listed");
    said = true;
    last = now;
    left = 0;
  }
}
