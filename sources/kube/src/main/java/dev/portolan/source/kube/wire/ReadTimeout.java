package dev.portolan.source.kube.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how long a thread waits for a silent server.
 *
 * <p>The thread is interrupted, but only while it waits: what it does with what it has read is left
 * alone. Another thread has to call {@link #check} from time to time.
 */
public final class ReadTimeout {
  private final LongSupplier nanoTime;
  private @Nullable Thread waiting;
  private long since;
  private long silence;
  private long deadline;
  private boolean timedOut;

  /** A limit by the clock {@code nanoTime}; allows nothing yet. */
  public ReadTimeout(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The server was silent for too long. */
  public static final class TimedOutException extends IOException {}

  /** A call that waits for the server. */
  public interface BlockingCall<T> {
    T run() throws IOException, InterruptedException;
  }

  /** From now on, allows {@code each} for the next bytes, and {@code all} for everything. */
  public synchronized void allow(Duration each, Duration all) {
    silence = each.toNanos();
    deadline = nanoTime.getAsLong() + all.toNanos();
  }

  /** From now on, allows {@code each} for the next bytes. */
  public synchronized void allow(Duration each) {
    silence = each.toNanos();
  }

  /** Runs a call, which fails with a {@link TimedOutException} where it takes too long. */
  public <T> T await(BlockingCall<T> call) throws IOException, InterruptedException {
    begin();
    T result;
    try {
      result = call.run();
    } catch (IOException | InterruptedException e) {
      if (end()) {
        throw new TimedOutException();
      }
      throw e;
    }
    end();
    return result;
  }

  /** Interrupts the thread that has waited for too long. */
  public synchronized void check() {
    long now = nanoTime.getAsLong();
    if (waiting != null && !timedOut && (now - since > silence || now - deadline > 0)) {
      timedOut = true;
      waiting.interrupt();
    }
  }

  private synchronized void begin() {
    waiting = Thread.currentThread();
    since = nanoTime.getAsLong();
    timedOut = false;
  }

  /** Whether the call timed out; the interrupt that ended it is cleared then. */
  private synchronized boolean end() {
    waiting = null;
    if (timedOut) {
      Thread.interrupted();
    }
    return timedOut;
  }
}
