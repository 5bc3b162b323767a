package dev.portolan.backend.iptables;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.DriftListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps our rules where others flush them. iptables does not notify anyone of changes, so it polls:
 * at the canary chains of every table, at the jumps, and at chains that are never empty. After a
 * repair it looks again soon, because a flush of one table is often followed by the next.
 */
public final class IptablesWatch implements Backend.Watch {
  private static final Duration SOON = Duration.ofSeconds(1);

  private final IptablesBackend backend;
  private final Duration period;
  private final DriftListener listener;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicLong repairs = new AtomicLong();

  /** Starts looking at the rules of {@code backend} once a {@code period}. */
  public IptablesWatch(IptablesBackend backend, Duration period, DriftListener listener) {
    this.backend = backend;
    this.period = period;
    this.listener = listener;
    this.thread = Thread.ofPlatform().daemon().name("iptables-watch").unstarted(this::watch);
    thread.start();
  }

  /** How often something was repaired. */
  public long repairs() {
    return repairs.get();
  }

  /** Stops looking. */
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch() {
    Duration pause = period;
    try {
      while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        pause = look() && SOON.compareTo(period) < 0 ? SOON : period;
      }
    } catch (InterruptedException e) {
      // It is to end.
      return;
    }
  }

  private static String cause(List<String> missing) {
    return "a flush by another program: missing " + String.join(", ", missing);
  }

  /** Looks once; returns whether something was missing. */
  private boolean look() {
    try {
      List<String> missing = backend.audit();
      if (!missing.isEmpty()) {
        repairs.incrementAndGet();
        listener.repaired(missing.size(), cause(missing));
        return true;
      }
      backend.tidy();
    } catch (BackendException e) {
      if (closed.getCount() > 0) {
        listener.notRepaired(e);
      }
    }
    return false;
  }
}
