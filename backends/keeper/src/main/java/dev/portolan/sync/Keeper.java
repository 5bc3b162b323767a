package dev.portolan.sync;

import static dev.portolan.sync.Elapsed.NEVER;
import static dev.portolan.sync.Elapsed.after;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.error.Failures;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a backend equal to a feed. This is the one thing that runs a backend: in the daemon, in
 * {@code portolan run}, behind a connection, in the conformance kit.
 *
 * <p>It consists of {@link Step}s, each with its own last success. A step that failed is tried
 * again with exponential backoff, and gets what leads from its own last success; what changes
 * meanwhile waits for the next round, as one change, so nothing queues up before a slow kernel.
 * What follows a sync stands in {@link #finish}, in order. Once in a while a change is full, so
 * that everything is compared. Whatever a backend throws is a failure of that step, and never ends
 * the keeper; nor does what an observer throws, which is counted and does not affect other
 * observers ({@link Failures}).
 *
 * <p>One thread calls the backend, so a backend needs no lock. Other threads only leave a note and
 * wake it: the feed when it has a newer image, the backend's watch when another program may have
 * changed what was applied, which leads to an audit as time does ({@link Upkeep}), and the handover
 * when there is something to take over.
 */
public final class Keeper implements AutoCloseable {
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);

  /**
   * A handover looks into every place where a kube-proxy keeps rules, so it is tried less often.
   */
  private static final Duration FIRST_HANDOVER_RETRY = Duration.ofSeconds(1);

  /**
   * Syncs, with the ending of flows after them, take at most one part in {@code SYNC_SHARE} of the
   * time.
   */
  private static final int SYNC_SHARE = 5;

  /** How far syncs may run ahead of their share, so that an occasional long one delays nothing. */
  private static final long BURST = Duration.ofMillis(100).toNanos();

  /** A first sync of more services than this takes so long that the most urgent go ahead of it. */
  private static final int MANY = 1_000;

  private final NodeFeed feed;
  private final Backend backend;
  private final Options options;
  private final Optional<FlowEnding> flows;
  private final Observers observers;
  private final Shortfalls shortfalls;
  private final Elapsed time;
  private final Upkeep upkeep;
  private final Semaphore wakeup = new Semaphore(0);
  private final Watching watching;
  private final Syncing syncing;
  private final EndingFlows endingFlows;
  private final HandingOver handingOver;
  private final Tidying tidying;
  private final AuditStep audit;

  /** All steps, in the order in which they come when several are due. */
  private final List<Step> steps;

  /** What the last sync that succeeded applied. */
  private NodeSnapshot applied;

  /**
   * How a backend is kept.
   *
   * @param tcp which TCP flows to endpoints that are gone end beside those of UDP; ignored for a
   *     backend that does not use connection tracking
   * @param namespace the network namespace whose flows end; empty for this process's own
   * @param handover what a predecessor left may go after the first sync
   * @param urgent the services that everything on the node needs: where there are many services and
   *     none is served yet, these are written before the others
   */
  public record Options(
      Pace pace,
      TcpCleaning tcp,
      Optional<Path> namespace,
      Handover handover,
      Predicate<NodeService> urgent,
      SyncClock clock) {
    /** As fast as the backend can, in this process's own network namespace. */
    public static final Options DEFAULT =
        new Options(
            Pace.DEFAULT,
            TcpCleaning.NEVER,
            Optional.empty(),
            Handover.NONE,
            service -> false,
            SyncClock.SYSTEM);

    /** The same at another pace. */
    public Options pace(Pace other) {
      return new Options(other, tcp, namespace, handover, urgent, clock);
    }

    /** The same with a choice of which flows end, and where. */
    public Options flows(TcpCleaning ofTcp, Optional<Path> where) {
      return new Options(pace, ofTcp, where, handover, urgent, clock);
    }

    /** The same with a handover from a predecessor. */
    public Options handover(Handover from) {
      return new Options(pace, tcp, namespace, from, urgent, clock);
    }

    /** The same with services that are written before all others. */
    public Options urgent(Predicate<NodeService> first) {
      return new Options(pace, tcp, namespace, handover, first, clock);
    }

    /** The same by another clock. */
    public Options clock(SyncClock other) {
      return new Options(pace, tcp, namespace, handover, urgent, other);
    }
  }

  /**
   * Keeps {@code backend}, and closes it in the end; nothing is written yet.
   *
   * @throws BackendException where the backend uses connection tracking, and the kernel does not
   *     let this process look at it
   */
  public Keeper(NodeFeed feed, Backend backend, Options options, Observer... observers) {
    this(feed, backend, options, FlowEnding.of(backend, options), observers);
  }

  Keeper(
      NodeFeed feed,
      Backend backend,
      Options options,
      Optional<FlowEnding> flows,
      Observer... observers) {
    this.feed = feed;
    this.backend = backend;
    this.options = options;
    this.flows = flows;
    this.observers = new Observers(List.of(observers));
    this.shortfalls = new Shortfalls(backend);
    this.time = new Elapsed(options.clock);
    this.upkeep = options.pace.over(backend.upkeep());
    this.applied = NodeSnapshot.unsynced(feed.node());
    this.watching = new Watching();
    this.syncing = new Syncing();
    this.endingFlows = new EndingFlows();
    this.handingOver = new HandingOver();
    this.tidying = new Tidying();
    this.audit =
        new AuditStep(
            backend,
            () -> applied.image(),
            upkeep,
            time,
            FIRST_RETRY,
            options.pace.longestRetry(),
            this.observers,
            this::repairsAgain);
    this.steps = List.of(watching, syncing, endingFlows, handingOver, audit, tidying);
    feed.onChange(wakeup::release);
    options.handover.onWork(handingOver::wake);
  }

  /**
   * Syncs once, if the cluster is known and there is something to do, and leaves nothing for later;
   * throws on failure.
   */
  public void once() {
    if (isBehind()) {
      syncing.now();
      finish(handingOver::now);
      tidying.now();
    }
  }

  /**
   * Keeps the backend equal to the feed until the thread is interrupted; what was applied stays.
   */
  public void run() throws InterruptedException {
    try {
      while (true) {
        for (Step step : steps) {
          if (step.isDue() && step.attempt() && step == syncing) {
            finish(() -> {
              if (handingOver.isDue()) {
                boolean _ = handingOver.attempt();
              }
            });
          }
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
        }
        long next = steps.stream().mapToLong(Step::due).min().orElse(NEVER);
        options.clock.await(wakeup, Math.max(0, next - time.now()));
        wakeup.drainPermits();
      }
    } finally {
      watching.end();
    }
  }

  /** Removes everything that was applied. */
  public void cleanup() {
    try {
      backend.cleanup();
    } catch (Throwable e) {
      throw BackendException.of(e);
    }
  }

  @Override
  public void close() {
    flows.ifPresent(FlowEnding::close);
    backend.close();
  }

  /** All that is done for a change after its sync. */
  private void finish(Runnable handover) {
    boolean _ = endingFlows.attempt();
    syncing.rest();
    handover.run();
    NodeChange change = syncing.change;
    tell(observer -> observer.applied(change, syncing.took));
    if (change.isFull()) {
      audit.comparedBySync();
    }
    shortfalls.find(change, (service, what) -> tell(o -> o.fellShort(service, what)));
  }

  private void repairsAgain() {
    if (!audit.isFailing() && !tidying.isFailing()) {
      tell(Observer::recovered);
    }
  }

  private void tell(Consumer<Observer> news) {
    observers.tell(news);
  }

  /** Whether the feed has something that is not applied. */
  private boolean isBehind() {
    return feed.image().revision() != applied.image().revision();
  }

  /** Has something else noticed that changes what was applied. */
  private final class Watching extends Step {
    private Backend.@Nullable Watch watch;

    Watching() {
      super(time, FIRST_RETRY, options.pace.longestRetry());
    }

    @Override
    long wanted() {
      return watch == null ? 0 : NEVER;
    }

    @Override
    void work() {
      watch =
          backend.watch(cause -> {
            audit.suspect(cause);
            wakeup.release();
          });
    }

    /** Without a watch, only the regular audits notice what another program changed. */
    @Override
    BackendException failure(Throwable thrown) {
      Guard.add("a backend's watch", thrown);
      return BackendException.of(thrown);
    }

    @Override
    void failed(BackendException failure, Duration pause) {}

    void end() {
      if (watch != null) {
        Guard.run("the end of a backend's watch", watch::close);
        watch = null;
      }
    }
  }

  private final class Syncing extends Step {
    /** What led to what is applied now. */
    private NodeChange change;

    private Duration took = Duration.ZERO;

    private long begin;

    /** Until when the syncs so far have used up their share of the time. */
    private long shareUntil = Long.MIN_VALUE;

    private long nextFull = NEVER;

    Syncing() {
      super(time, FIRST_RETRY, options.pace.longestRetry());
      this.change = NodeChange.between(applied, applied);
    }

    @Override
    long wanted() {
      return isBehind() ? 0 : nextFull;
    }

    @Override
    void work() {
      begin = time.now();
      NodeSnapshot newest = feed.newest();
      NodeChange difference = NodeChange.between(applied, newest);
      NodeChange wanted = time.isPast(nextFull) ? difference.inFull() : difference;
      Optional<NodeImage> urgent = syncUrgent(newest.image());
      long start = time.now();
      backend.sync(urgent.map(first -> NodeChange.between(first, newest.image())).orElse(wanted));
      took = Duration.ofNanos(time.now() - start);
      change = wanted;
      applied = newest;
      if (wanted.isFull()) {
        nextFull = after(time.now(), options.pace.full());
      }
      endingFlows.synced(wanted, newest);
      audit.synced(wanted.isFull());
      tidying.synced();
    }

    /** Leaves others their share of the time. */
    void rest() {
      long end = time.now();
      long share = Math.max(shareUntil, begin) + (end - begin) * SYNC_SHARE;
      shareUntil = Math.min(share, end + BURST + options.pace.least().toNanos());
      restUntil(Math.max(end, shareUntil - BURST));
    }

    @Override
    void failed(BackendException failure, Duration pause) {
      Duration tried = Duration.ofNanos(time.now() - begin);
      tell(observer -> observer.failed(failure, tried, pause));
    }

    /**
     * Before a long first sync, writes the few services that the others depend on, where nothing is
     * served yet: over rules that are there already, an image of a few services would remove the
     * rest. Observers are not notified, and a failure is left to the sync that follows. Returns
     * what was written.
     */
    private Optional<NodeImage> syncUrgent(NodeImage image) {
      if (applied.image().isSynced() || image.services().size() <= MANY) {
        return Optional.empty();
      }
      NodeImage first = image.only(options.urgent);
      try {
        if (first.services().size() > 0 && backend.isBlank()) {
          backend.sync(NodeChange.to(first));
          return Optional.of(first);
        }
      } catch (Throwable e) {
        // Unless it is fatal: the sync of everything fails for the same reason, and says so.
        BackendException _ = BackendException.of(e);
      }
      return Optional.empty();
    }
  }

  private final class EndingFlows extends Step {
    /** Up to which stale flows were ended. */
    private NodeSnapshot done = applied;

    /** The change whose flows are not ended yet. */
    private @Nullable NodeChange due;

    private NodeSnapshot newest = applied;

    EndingFlows() {
      super(time, FIRST_RETRY, options.pace.longestRetry());
    }

    void synced(NodeChange change, NodeSnapshot to) {
      due = due == null ? change : NodeChange.between(done, to);
      newest = to;
    }

    @Override
    long wanted() {
      return due == null ? NEVER : 0;
    }

    @Override
    void work() {
      NodeChange change = due;
      if (flows.isPresent() && change != null) {
        Cleaning cleaning = flows.get().end(change);
        tell(observer -> observer.flowsEnded(cleaning));
      }
      done = newest;
      due = null;
    }

    @Override
    BackendException failure(Throwable thrown) {
      return Guard.failure("stale flows", "the backend", thrown);
    }

    @Override
    void failed(BackendException failure, Duration pause) {
      tell(observer -> observer.flowsNotEnded(failure));
    }
  }

  private final class HandingOver extends Step {
    private volatile boolean isWanted = true;
    private long next = NEVER;

    HandingOver() {
      super(time, FIRST_HANDOVER_RETRY, options.pace.longestRetry());
    }

    /** There is something to do; any thread may call. */
    void wake() {
      isWanted = true;
      wakeup.release();
    }

    @Override
    long wanted() {
      if (!applied.image().isSynced()) {
        return NEVER;
      }
      return isWanted ? 0 : next;
    }

    @Override
    void work() {
      isWanted = false;
      try {
        next = options.handover.advance().map(pause -> after(time.now(), pause)).orElse(NEVER);
      } catch (Throwable e) {
        isWanted = true;
        throw e;
      }
    }

    @Override
    BackendException failure(Throwable thrown) {
      return Guard.failure("takeover", "the takeover", thrown);
    }

    @Override
    void failed(BackendException failure, Duration pause) {
      tell(observer -> observer.notTakenOver(failure, pause));
    }
  }

  private final class Tidying extends Step {
    private long next = NEVER;

    Tidying() {
      super(time, FIRST_RETRY, options.pace.longestRetry());
    }

    void synced() {
      next = after(time.now(), upkeep.tidyAfter());
    }

    @Override
    long wanted() {
      return next;
    }

    @Override
    void work() {
      backend.tidy();
      next = NEVER;
    }

    @Override
    void failed(BackendException failure, Duration pause) {
      tell(Observer::notTidied);
      tell(observer -> observer.notRepaired(failure));
    }

    @Override
    void recovered() {
      repairsAgain();
    }
  }
}
