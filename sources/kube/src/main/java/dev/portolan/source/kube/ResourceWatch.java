package dev.portolan.source.kube;

import dev.portolan.core.collection.PersistentMap;
import dev.portolan.source.kube.access.ApiException;
import dev.portolan.source.kube.access.ApiServer;
import java.io.IOException;
import java.time.Duration;

/**
 * Follows the objects of one type.
 *
 * <p>A turn reads all of them, or watches from the version up to which they are known until the
 * watch ends, be it as agreed or not. Where possible both are one: a watch that begins with the
 * state. What is read anew replaces what is held when all of it is there, so no gap shows, and
 * whatever was deleted in a gap goes with it.
 *
 * <p>A version is a promise of the server. After a failure that may have been a restart, the server
 * is asked which version it is at now; one that went back has lost its memory, and all is read
 * anew.
 */
final class ResourceWatch<K extends Comparable<? super K>, V> implements Following.Progress<K, V> {
  private static final int RELIST_AFTER = 3;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
  private static final Duration WORTH_TELLING = Duration.ofSeconds(1);
  private static final Duration TOO_SHORT = Duration.ofSeconds(1);
  private static final Duration STEADY = Duration.ofSeconds(5);

  private final ApiServer api;
  private final Resource<K, V> resource;
  private final KubeSource.Options options;
  private final ClusterHold hold;
  private final Troubles troubles;
  private final WatchState state;
  private final Alarm alarm;
  private final Patience patience;
  private final Backoff backoff;
  private final Requests<K, V> requests;

  private boolean refusesInitial;
  private boolean listNext;
  private boolean sendsBookmarks;
  private boolean doubtful;
  private boolean asked;
  private int failures;
  private long tooLate;

  ResourceWatch(
      ApiServer api,
      Resource<K, V> resource,
      KubeSource.Options options,
      ClusterHold hold,
      Troubles troubles,
      WatchState state,
      Alarm alarm) {
    this.api = api;
    this.resource = resource;
    this.options = options;
    this.hold = hold;
    this.troubles = troubles;
    this.state = state;
    this.alarm = alarm;
    this.patience = new Patience(options.nanoTime());
    this.backoff = new Backoff(options.timing(), options.nanoTime(), options.random());
    this.requests = new Requests<>(api, resource, options, patience);
    this.tooLate = now() - options.timing().forgetAfter().toNanos();
  }

  /** Follows the objects until the thread is interrupted. */
  void run() throws InterruptedException {
    while (true) {
      Duration pause = turn();
      if (asked) {
        Thread.sleep(pause);
      } else {
        alarm.sleep(pause);
      }
    }
  }

  /** Looks, from another thread, whether the server is silent for too long, or well again. */
  void tick() {
    patience.check();
    if (state.openFor(now()).compareTo(STEADY) > 0) {
      troubles.remove(resource.name());
    }
  }

  /** Does what is to be done next; how long to wait afterwards. */
  private Duration turn() throws InterruptedException {
    asked = false;
    try {
      if (doubtful && !state.version().isEmpty()) {
        compareVersions();
      }
      if (!state.version().isEmpty()) {
        watch(false);
      } else if (listNext || refusesInitial) {
        list();
      } else {
        watch(true);
      }
      return Duration.ZERO;
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return failed(e);
    }
  }

  private void compareVersions() throws IOException, InterruptedException {
    String current = requests.version();
    if (Versions.isOlder(current, state.version())) {
      troubles.note(
          api.address()
              + " went back from version "
              + state.version()
              + " to "
              + current
              + ", as after a restore; all is read again");
      state.version("");
    }
    doubtful = false;
    alarm.ring();
  }

  private void list() throws IOException, InterruptedException {
    Gathering<K, V> all = Gathering.anew(resource, hold.objects(resource), troubles);
    String version;
    try {
      version = requests.list(options.pageSize(), all::put);
    } catch (RefusedException e) {
      if (!e.status().isGone()) {
        throw e;
      }
      // The pages that are left are no longer kept, so they are asked for at once.
      all = Gathering.anew(resource, hold.objects(resource), troubles);
      version = requests.list(0, all::put);
    }
    state.listed();
    handOver(all.objects(), version);
    listNext = false;
  }

  /** Watches until the server ends it; {@code initial}: beginning with the state. */
  private void watch(boolean initial) throws IOException, InterruptedException {
    try (EventStream<K, V> events =
        initial ? requests.watchFromState() : requests.watch(state.version())) {
      state.opened(now());
      PersistentMap<K, V> held = hold.objects(resource);
      Following<K, V> following;
      if (initial) {
        following = Following.state(events, Gathering.anew(resource, held, troubles), this);
      } else {
        grant(events);
        Gathering<K, V> gathering = Gathering.from(resource, held, troubles);
        following = Following.changes(events, gathering, state.version(), this);
      }
      boolean anything = following.run();
      if (!anything && state.openFor(now()).compareTo(TOO_SHORT) < 0) {
        throw new DecodeException("the server ended a watch at once");
      }
    } finally {
      if (state.openFor(now()).compareTo(STEADY) > 0) {
        failures = 0;
      }
      state.closed();
    }
  }

  @Override
  public void complete() {
    state.listed();
  }

  @Override
  public void bookmarked(EventStream<K, V> events) {
    sendsBookmarks = true;
    grant(events);
  }

  /** A server that sends bookmarks promises to do so, about once a minute. */
  private void grant(EventStream<K, V> events) {
    if (sendsBookmarks) {
      events.grantBookmarks();
    } else {
      events.grantUntilEnd();
    }
  }

  @Override
  public void handOver(PersistentMap<K, V> objects, String version) {
    hold.replace(resource, objects);
    state.version(version);
    state.heard(now());
    doubtful = false;
    if (failures > 0) {
      failures = 0;
      alarm.ring();
    }
    troubles.remove(resource.name());
  }

  /** What to do about a failure; how long to wait before. */
  private Duration failed(IOException e) {
    if (isWithoutInitialState(e)) {
      return Duration.ZERO;
    }
    if (e instanceof RefusedException refused && isAbsent(refused.status())) {
      return absent();
    }
    String sentence = sentence(e);
    state.failed(sentence);
    if (isTooLate(e)) {
      return Duration.ZERO;
    }
    failures++;
    Duration wait = backoff.next();
    switch (e) {
      case RefusedException refused -> {
        ApiStatus status = refused.status();
        doubtful |= status.isServerSide();
        if (refused.endedWatch() && !status.isBusy()) {
          state.version("");
        }
        asked = status.retryAfter().isPositive();
        wait = longer(wait, status.retryAfter());
      }
      case DecodeException garbled -> {
        doubtful = true;
        if (failures >= RELIST_AFTER) {
          state.version("");
        }
      }
      case Patience.ExhaustedException silent -> {
        doubtful = true;
        api.reconnect();
      }
      default -> doubtful = true;
    }
    if (failures > 1 || wait.compareTo(WORTH_TELLING) > 0) {
      troubles.add(resource.name(), sentence);
    }
    return wait;
  }

  /**
   * Whether this only says that the server cannot begin a watch with the state; then it is asked
   * for a list.
   */
  private boolean isWithoutInitialState(IOException e) {
    if (!state.version().isEmpty() || listNext || refusesInitial) {
      return false;
    }
    if (e instanceof RefusedException refused && refused.refusesQuestion()) {
      listNext = true;
      refusesInitial = refused.status().code() != 403;
    } else if (e instanceof Patience.ExhaustedException) {
      listNext = true;
      api.reconnect();
    }
    return listNext;
  }

  /**
   * Whether this only says that the server no longer keeps what comes next; then all is read, at
   * once unless that was so a moment ago.
   */
  private boolean isTooLate(IOException e) {
    if (!(e instanceof RefusedException refused && refused.status().isGone())) {
      return false;
    }
    long before = tooLate;
    tooLate = now();
    state.version("");
    return tooLate - before >= options.timing().forgetAfter().toNanos();
  }

  private boolean isAbsent(ApiStatus status) {
    return resource.optional() && status.code() == 404;
  }

  private Duration absent() {
    troubles.note(
        api.address()
            + " has no "
            + resource.name()
            + ", as it is older than they are; it goes without them");
    handOver(PersistentMap.empty(), "");
    return options.timing().absent();
  }

  private String sentence(IOException e) {
    return switch (e) {
      case ApiException unreachable -> String.valueOf(e.getMessage());
      case RefusedException refused -> String.valueOf(e.getMessage());
      case Patience.ExhaustedException silent ->
          api.address() + " has said nothing for too long, so the connection is given up";
      default ->
          api.address()
              + ": "
              + resource.name()
              + ": "
              + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    };
  }

  private static Duration longer(Duration wait, Duration asked) {
    Duration allowed = asked.compareTo(LONGEST_WAIT) < 0 ? asked : LONGEST_WAIT;
    return wait.compareTo(allowed) > 0 ? wait : allowed;
  }

  private long now() {
    return options.nanoTime().getAsLong();
  }
}
