package dev.portolan.daemon;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Failures;
import dev.portolan.core.error.Threads;
import dev.portolan.telemetry.log.Log;
import dev.portolan.telemetry.metrics.Gauge;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a kube-proxy that runs beside this daemon, and says so in the log, as an event and as a
 * metric: both write rules for the same services, and undo each other's.
 *
 * <p>While one runs, its rules are left alone, as it would only write them again. When it has
 * ended, as it does during a rollout with a surge, what it left is to be removed. If rules return
 * and no proxy is visible, they are to be removed once more; after that an unknown writer is
 * reported, and they are to be removed once an hour until they stay away. The keeper removes them.
 */
final class OtherProxy implements AutoCloseable {
  private static final Duration WHILE_THERE = Duration.ofSeconds(5);
  private static final Duration USUALLY = Duration.ofMinutes(1);

  /** Every how many looks rules that always come back are removed. */
  private static final int RARELY = 60;

  private static final String HIDDEN =
      "a program that cannot be seen from here, whose rules come back when they are removed";

  private final Supplier<Optional<String>> search;
  private final ClusterEvents events;
  private final Gauge gauge;
  private final Log log;
  private @Nullable Thread watcher;
  private String seen = "";
  private int returns;

  /**
   * Nothing is looked for yet.
   *
   * @param search finds a kube-proxy, in words
   */
  OtherProxy(
      Supplier<Optional<String>> search, ClusterEvents events, MetricRegistry registry, Log log) {
    this.search = search;
    this.events = events;
    this.gauge = registry.gauge("portolan_other_proxy");
    this.log = log;
  }

  /** Looks for one now; returns whether one runs. */
  synchronized boolean isThere() {
    Optional<String> found = search.get();
    if (found.isPresent()) {
      say(found.get());
    } else if (isSeen()) {
      ended();
    }
    return found.isPresent();
  }

  /** Whether one was there at the last look, and could be seen. */
  private boolean isSeen() {
    return !seen.isEmpty() && !seen.equals(HIDDEN);
  }

  private void ended() {
    seen = "";
    gauge.set(0);
    log.info("No other kube-proxy runs any more");
  }

  /**
   * Looks again and again from now on.
   *
   * @param hasLeft whether there are rules of another proxy
   * @param takeOver has them removed
   */
  synchronized void watch(BooleanSupplier hasLeft, Runnable takeOver) {
    watcher =
        Threads.virtual("other-proxy")
            .lasting()
            .start(() -> {
              try {
                while (true) {
                  TimeUnit.NANOSECONDS.sleep(pause().toNanos());
                  look(hasLeft, takeOver);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private synchronized Duration pause() {
    return isSeen() ? WHILE_THERE : USUALLY;
  }

  /** One look of many; whatever fails, the next one follows. */
  synchronized void look(BooleanSupplier hasLeft, Runnable takeOver) {
    try {
      boolean wasThere = isSeen();
      if (isThere()) {
        return;
      }
      if (wasThere) {
        takeOver.run();
      } else if (hasLeft.getAsBoolean()) {
        cameBack(takeOver);
      } else if (!seen.isEmpty()) {
        returns = 1;
        ended();
      }
    } catch (Throwable e) {
      // Unless it is fatal.
      BackendException _ = BackendException.of(e);
      Failures.ofProcess().add("other-proxy", e);
    }
  }

  private void cameBack(Runnable takeOver) {
    returns++;
    if (returns > 1) {
      say(HIDDEN);
    }
    if (returns % RARELY == 1) {
      takeOver.run();
    }
  }

  private void say(String who) {
    if (who.equals(seen)) {
      return;
    }
    seen = who;
    gauge.set(1);
    log.warn(
        "A kube-proxy runs beside this daemon, and both write rules for the same services; stop it",
        "code",
        ErrorCode.OTHER_PROXY,
        "proxy",
        who);
    events.aboutNode(
        "Warning",
        "OtherProxyRunning",
        "A kube-proxy runs on this node beside this one, and both write rules for the same"
            + " services: "
            + who
            + ". Stop one of them");
  }

  @Override
  public synchronized void close() {
    if (watcher != null) {
      watcher.interrupt();
    }
  }
}
