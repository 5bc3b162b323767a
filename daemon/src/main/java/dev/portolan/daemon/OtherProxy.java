package dev.portolan.daemon;

import dev.portolan.core.error.ErrorCode;
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
 * <p>While one runs, its rules are let alone, as it would only write them again. When it has ended,
 * as it does during a rollout with a surge, what it left is removed. Rules that come back although
 * nobody can be seen are removed once more; after that, somebody writes them.
 */
final class OtherProxy implements AutoCloseable {
  private static final Duration WHILE_THERE = Duration.ofSeconds(5);
  private static final Duration USUALLY = Duration.ofMinutes(1);

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
    this.gauge =
        registry.gauge("portolan_other_proxy", "1 while a kube-proxy runs beside this daemon.");
    this.log = log;
  }

  /** Looks for one now; returns whether one runs. */
  boolean isThere() {
    Optional<String> found = search.get();
    if (found.isPresent()) {
      say(found.get());
    } else if (!seen.isEmpty()) {
      seen = "";
      gauge.set(0);
      log.info("No other kube-proxy runs any more");
    }
    return found.isPresent();
  }

  /**
   * Looks again and again from now on.
   *
   * @param hasLeft whether there are rules of another proxy
   * @param takeOver removes them
   */
  synchronized void watch(BooleanSupplier hasLeft, Runnable takeOver) {
    watcher =
        Thread.ofVirtual()
            .name("other-proxy")
            .start(() -> {
              try {
                while (true) {
                  Duration pause = seen.isEmpty() ? USUALLY : WHILE_THERE;
                  TimeUnit.NANOSECONDS.sleep(pause.toNanos());
                  look(hasLeft, takeOver);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  /** One look of many. */
  void look(BooleanSupplier hasLeft, Runnable takeOver) {
    boolean wasThere = !seen.isEmpty();
    if (returns > 1 || isThere()) {
      return;
    }
    if (wasThere) {
      takeOver.run();
    } else if (hasLeft.getAsBoolean()) {
      returns++;
      if (returns > 1) {
        say("a program that cannot be seen from here, whose rules come back when they are removed");
      } else {
        takeOver.run();
      }
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
