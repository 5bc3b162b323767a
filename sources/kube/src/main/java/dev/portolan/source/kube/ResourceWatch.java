package dev.portolan.source.kube;

import dev.portolan.apiserver.ApiException;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Failures;
import dev.portolan.source.kube.wire.DecodeException;
import dev.portolan.source.kube.wire.ReadTimeout;
import dev.portolan.source.kube.wire.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Follows the objects of one type: carries out one {@link Phase} after another, as the table in
 * {@link Transition} says. {@link Phase} has the picture.
 */
final class ResourceWatch<K extends Comparable<? super K>, V> {
  /** The name of the thread that it runs on. */
  static final String THREAD = "watch";

  private static final Duration WORTH_REPORTING = Duration.ofSeconds(1);
  private static final Duration TOO_SHORT = Duration.ofSeconds(1);
  private static final Duration STEADY = Duration.ofSeconds(5);

  private final ApiServer api;
  private final Resource<K, V> resource;
  private final KubeSource.Options options;
  private final ClusterCache cluster;
  private final ProblemLog problems;
  private final WatchCounters counters;
  private final Wakeup wakeup;
  private final ReadTimeout timeout;
  private final JitteredBackoff backoff;
  private final Requests<K, V> requests;

  private Phase phase = new Phase.List();
  private boolean sendsBookmarks;
  private int failures;
  private long expiredAt;

  ResourceWatch(
      ApiServer api,
      Resource<K, V> resource,
      KubeSource.Options options,
      ClusterCache cluster,
      ProblemLog problems,
      WatchCounters counters,
      Wakeup wakeup) {
    this.api = api;
    this.resource = resource;
    this.options = options;
    this.cluster = cluster;
    this.problems = problems;
    this.counters = counters;
    this.wakeup = wakeup;
    this.timeout = new ReadTimeout(options.nanoTime());
    this.backoff = new JitteredBackoff(options.timing(), options.nanoTime(), options.random());
    this.requests = new Requests<>(api, resource, options, timeout, this::undetected);
    this.expiredAt = now() - options.timing().forgetAfter().toNanos();
  }

  /** Follows the objects until the thread is interrupted, whatever reading or using them throws. */
  void run() throws InterruptedException {
    while (true) {
      try {
        carryOut(phase);
      } catch (IOException e) {
        throwIfInterrupted();
        failed(e);
      } catch (RuntimeException | Error e) {
        throwIfInterrupted();
        Failures.ofProcess().add(THREAD, e);
        goOn(
            next(new WatchOutcome.Garbled()),
            ErrorCode.of(e),
            api.address() + ": " + resource.name() + ": unexpected failure: " + e);
      }
    }
  }

  /** An interrupt makes whatever was going on fail in its own way. */
  private static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Checks, from another thread, whether the server is silent for too long, or well again. */
  void tick() {
    timeout.check();
    if (isSteady()) {
      problems.remove(resource.name());
    }
  }

  private void carryOut(Phase current) throws IOException, InterruptedException {
    switch (current) {
      case Phase.List _ -> list();
      case Phase.Watch(String version) -> {
        ObjectCache<K, V> cache = ObjectCache.of(resource, held(), problems);
        follow(requests.watch(cache, version, sendsBookmarks));
      }
      case Phase.Verify(String version) -> verify(version);
      case Phase.Absent _ -> goWithout();
    }
  }

  private void undetected() {
    problems.note(
        api.address()
            + ": this system does not tell when the packets of a connection vanish; that shows"
            + " when the server's bookmarks are missing, after "
            + options.timing().bookmark().toSeconds()
            + " s");
  }

  private void goWithout() throws InterruptedException {
    problems.note(
        api.address()
            + " has no "
            + resource.name()
            + ": it is an older version of Kubernetes; going on without them");
    handOver(PersistentMap.empty(), "");
    wakeup.sleep(options.timing().absent());
    enter(next(new WatchOutcome.Waited()));
  }

  private void verify(String version) throws IOException, InterruptedException {
    String current = requests.version();
    Transition transition = next(new WatchOutcome.ServerAt(current));
    if (transition.next().version().isEmpty()) {
      problems.note(
          api.address()
              + " went back from version "
              + version
              + " to "
              + current
              + ", as after a restore; reading everything again");
    }
    enter(transition);
    wakeup.wake();
  }

  private void list() throws IOException, InterruptedException {
    ObjectCache<K, V> all = ObjectCache.empty(resource, held(), problems);
    String version = requests.list(requests.version(), all::put);
    counters.listed();
    handOver(all.objects(), version);
    enter(next(new WatchOutcome.Synced(version)));
  }

  /** Watches until the server ends it. */
  private void follow(EventStream<K, V> opened) throws IOException {
    try (EventStream<K, V> stream = opened) {
      counters.opened(now());
      boolean anything = false;
      for (var snapshot = stream.next(); snapshot != null; snapshot = stream.next()) {
        anything = true;
        handOver(snapshot.objects(), snapshot.version());
        enter(next(new WatchOutcome.Synced(snapshot.version())));
      }
      if (!anything && counters.openFor(now()).compareTo(TOO_SHORT) < 0) {
        throw new DecodeException("the server ended a watch at once");
      }
      counters.alive(now());
    } catch (ReadTimeout.TimedOutException e) {
      throw e;
    } catch (IOException e) {
      counters.alive(timedOut(e) ? now() - ApiServer.DEAD_AFTER.toNanos() : now());
      throw e;
    } finally {
      sendsBookmarks = opened.sendsBookmarks() || sendsBookmarks;
      if (isSteady()) {
        failures = 0;
      }
      counters.closed();
    }
  }

  /**
   * Whether the kernel gave a connection up because no packet came from the server for too long.
   */
  private static boolean timedOut(IOException e) {
    return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
        .anyMatch(cause -> String.valueOf(cause.getMessage()).contains("timed out"));
  }

  private void handOver(PersistentMap<K, V> objects, String version) {
    cluster.replace(resource, objects, version);
    counters.heard(now());
    if (failures > 0) {
      failures = 0;
      wakeup.wake();
    }
    problems.remove(resource.name());
  }

  /** Does what the table says about a failure, up to the pause before the next attempt. */
  private void failed(IOException e) throws InterruptedException {
    Transition transition = next(WatchOutcome.of(e));
    if (e instanceof RefusedException refused) {
      counters.alive(now());
      if (refused.status().isGone()) {
        expiredAt = now();
      }
    }
    if (transition.reconnect()) {
      api.reconnect();
    }
    if (transition.pace() == Transition.Pace.PROCEED) {
      enter(transition);
    } else {
      goOn(transition, code(e), sentence(e));
    }
  }

  private void goOn(Transition transition, ErrorCode code, String sentence)
      throws InterruptedException {
    enter(transition);
    counters.failed(sentence);
    if (transition.pace() == Transition.Pace.BACK_OFF) {
      failures++;
      pause(transition.atLeast(), code, sentence);
    }
  }

  private void pause(Duration atLeast, ErrorCode code, String sentence)
      throws InterruptedException {
    Duration delay = backoff.next();
    Duration pause = delay.compareTo(atLeast) > 0 ? delay : atLeast;
    if (failures > 1 || pause.compareTo(WORTH_REPORTING) > 0) {
      problems.add(resource.name(), code, sentence);
    }
    if (atLeast.isPositive()) {
      // The server asked for this pause, so no other watch cuts it short.
      Thread.sleep(pause);
    } else {
      wakeup.sleep(pause);
    }
  }

  private Transition next(WatchOutcome outcome) {
    boolean expiredRecently = now() - expiredAt < options.timing().forgetAfter().toNanos();
    return Transition.next(
        phase, outcome, new Transition.Memory(resource.optional(), failures, expiredRecently));
  }

  private void enter(Transition transition) {
    phase = transition.next();
    counters.version(phase.version());
  }

  private PersistentMap<K, V> held() {
    return cluster.objects(resource);
  }

  private boolean isSteady() {
    return counters.openFor(now()).compareTo(STEADY) > 0;
  }

  private static ErrorCode code(IOException e) {
    return switch (e) {
      case ApiException unreachable -> unreachable.code();
      case RefusedException _ -> ErrorCode.API_SERVER_REFUSED;
      case DecodeException _ -> ErrorCode.API_SERVER_ANSWER;
      default -> ErrorCode.API_SERVER_UNREACHABLE;
    };
  }

  private String sentence(IOException e) {
    return switch (e) {
      case ApiException unreachable -> String.valueOf(unreachable.getMessage());
      case RefusedException refused -> String.valueOf(refused.getMessage());
      case ReadTimeout.TimedOutException _ ->
          api.address() + " was silent for too long; the connection is given up";
      default ->
          api.address()
              + ": "
              + resource.name()
              + ": "
              + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    };
  }

  private long now() {
    return options.nanoTime().getAsLong();
  }
}
