package dev.portolan.source.kube;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends waiting for a server that says nothing for too long.
 *
 * <p>The thread that waits is interrupted, but only while it waits: whatever it does with what it
 * heard is left alone. Somebody has to call {@link #check} from time to time.
 */
final class Patience {
  private final LongSupplier nanoTime;
  private @Nullable Thread waiting;
  private long since;
  private long silence;
  private long deadline;
  private boolean exhausted;

  Patience(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Waiting was in vain. */
  static final class ExhaustedException extends IOException {}

  /** Something to wait for. */
  interface Wait<T> {
    T get() throws IOException, InterruptedException;
  }

  /** From now on, waits up to {@code each} for the next bytes, and up to {@code all} altogether. */
  synchronized void grant(Duration each, Duration all) {
    silence = each.toNanos();
    deadline = nanoTime.getAsLong() + all.toNanos();
  }

  /** From now on, waits up to {@code each} for the next bytes. */
  synchronized void grant(Duration each) {
    silence = each.toNanos();
  }

  /** Waits. */
  <T> T await(Wait<T> wait) throws IOException, InterruptedException {
    begin();
    T heard;
    try {
      heard = wait.get();
    } catch (IOException | InterruptedException e) {
      if (end()) {
        throw new ExhaustedException();
      }
      throw e;
    }
    end();
    return heard;
  }

  /** A stream that waits for each of its bytes with this patience. */
  InputStream over(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read(byte[] bytes, int from, int length) throws IOException {
        try {
          return await(() -> in.read(bytes, from, length));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException();
        }
      }
    };
  }

  /** Interrupts who has waited for too long. */
  synchronized void check() {
    long now = nanoTime.getAsLong();
    if (waiting != null && !exhausted && (now - since > silence || now - deadline > 0)) {
      exhausted = true;
      waiting.interrupt();
    }
  }

  private synchronized void begin() {
    waiting = Thread.currentThread();
    since = nanoTime.getAsLong();
    exhausted = false;
  }

  /** Whether the patience was at its end; the interrupt that told so is over then. */
  private synchronized boolean end() {
    waiting = null;
    if (exhausted) {
      Thread.interrupted();
    }
    return exhausted;
  }
}
