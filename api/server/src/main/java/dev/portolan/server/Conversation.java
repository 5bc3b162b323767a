package dev.portolan.server;

import dev.portolan.server.access.TextLengths;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call, for its own thread, which reads, waits and writes in blocking style, until that hands
 * it to a {@link Pusher}.
 *
 * <p>gRPC's threads call the methods that begin with "on"; they only leave a note and wake the
 * thread. At most one request is kept unread, and nothing is written before the transport has room:
 * a client that does not read holds no memory here.
 *
 * @param <Q> requests
 * @param <A> answers
 */
final class Conversation<Q, A> extends ServerCall.Listener<Q> {
  /** How long a client that was ended has to read the reason. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private static final Duration LEAST_HEARTBEAT = Duration.ofMillis(100);

  private final ServerCall<Q, A> call;
  private final ScheduledExecutorService timer;
  private final Runnable reset;
  private final Pace pace;
  private final Duration stalled;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private volatile Predicate<Q> aside = request -> false;

  /** Whether headers went out; until then gRPC can say what is wrong with a request. */
  private boolean begun;

  /** What says only that this side lives; null where the client does not want it. */
  private @Nullable Supplier<A> heartbeat;

  /** The one that was written last. */
  private @Nullable A beaten;

  private long heartbeatNanos;

  /** When something was last written, by {@link System#nanoTime}. */
  private long wroteAt;

  private @Nullable Q asked;
  private boolean asksNoMore;
  private boolean gone;
  private @Nullable Status stopped;

  private volatile Pusher.@Nullable Work work;

  /** Notified of everything in place of the thread; null where there is one. */
  private volatile @Nullable Runnable follower;

  /**
   * Begins to read from {@code call}.
   *
   * @param reset drops what the client left unread
   */
  Conversation(
      ServerCall<Q, A> call, Limits limits, ScheduledExecutorService timer, Runnable reset) {
    this.call = call;
    this.timer = timer;
    this.reset = reset;
    this.pace = new Pace(limits.requestsPerSecond());
    this.stalled = limits.stalled();
  }

  /** Starts, with {@code aside} for requests that need no answer, whatever the thread is doing. */
  void begin(Predicate<Q> aside) {
    this.aside = aside;
    call.request(1);
  }

  /**
   * Writes {@code heartbeat} now, when it is another one, and whenever nothing else was written for
   * {@code millis}, as far as the client reads; never where that is 0. The call's own thread writes
   * it, so that it proves that this thread is able to write.
   */
  void beat(int millis, Supplier<A> heartbeat) {
    if (millis != 0) {
      this.heartbeat = heartbeat;
      heartbeatNanos =
          Math.max(LEAST_HEARTBEAT.toNanos(), Integer.toUnsignedLong(millis) * 1_000_000);
      beaten = heartbeat.get();
      write(beaten);
    }
  }

  /** Writes a heartbeat if one is due. */
  void beatOn() {
    if (heartbeat == null) {
      return;
    }
    A due = heartbeat.get();
    if (!due.equals(beaten) || untilHeartbeat() <= 0) {
      if (call.isReady()) {
        write(due);
        beaten = due;
      } else {
        wroteAt = System.nanoTime();
      }
    }
  }

  /** Whether the client wants heartbeats. */
  boolean beats() {
    return heartbeat != null;
  }

  /** How many nanoseconds nothing else may be written before a heartbeat is due. */
  long untilHeartbeat() {
    return wroteAt + heartbeatNanos - System.nanoTime();
  }

  /**
   * The next request; empty if the client sends no more. The one after it comes only after {@link
   * #readOn}, so requests can be handled in order.
   */
  Optional<Q> read() {
    await(() -> asked != null || asksNoMore);
    lock.lock();
    try {
      Optional<Q> request = Optional.ofNullable(asked);
      asked = null;
      return request;
    } finally {
      lock.unlock();
    }
  }

  /** Lets another request come. */
  void readOn() {
    long wait = pace.next();
    if (wait <= 0) {
      call.request(1);
    } else {
      var _ = timer.schedule(() -> call.request(1), wait, TimeUnit.NANOSECONDS);
    }
  }

  /** Says what is done next, without a thread. */
  void goOnWith(Pusher.Work work) {
    this.work = work;
  }

  /** What is done without a thread; null where nothing is. */
  Pusher.@Nullable Work work() {
    return work;
  }

  /**
   * Notifies {@code follower}, which must only wake up, in place of a thread; null for a thread.
   */
  void handTo(@Nullable Runnable follower) {
    this.follower = follower;
    wake();
  }

  /** Whether the client wants no more; throws what ended the call otherwise. */
  boolean isOver() {
    lock.lock();
    try {
      checkIn();
      if (asked != null) {
        throw Status.INVALID_ARGUMENT
            .withDescription("changes are pushed to this client; it may only report (ReportOnly)")
            .asRuntimeException();
      }
      return asksNoMore;
    } finally {
      lock.unlock();
    }
  }

  /** Whether something can be written without waiting. */
  boolean hasRoom() {
    return call.isReady();
  }

  /** How long a client may leave unread what it asked for. */
  Duration stalled() {
    return stalled;
  }

  /** Writes as soon as there is room. */
  void write(A answer) {
    if (!call.isReady()) {
      awaitRoom();
    }
    if (!begun) {
      begun = true;
      call.sendHeaders(new Metadata());
    }
    call.sendMessage(answer);
    wroteAt = System.nanoTime();
  }

  /** Waits until {@code condition} holds; {@link #wake} makes it look again. */
  private void await(BooleanSupplier condition) {
    do {
      beatOn();
    } while (!awaitUntilHeartbeat(condition));
  }

  /** Waits until {@code condition} holds; false where a heartbeat is due before. */
  private boolean awaitUntilHeartbeat(BooleanSupplier condition) {
    lock.lock();
    try {
      checkIn();
      while (!condition.getAsBoolean()) {
        if (heartbeat == null) {
          news.await();
        } else if (news.awaitNanos(untilHeartbeat()) <= 0) {
          return false;
        }
        checkIn();
      }
      return true;
    } catch (InterruptedException e) {
      throw new ClientGone();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until {@code feed} has a state after {@code revision}; returns the newest. */
  <S> Feed.State<S> awaitAfter(Feed<S> feed, long revision) {
    return awaitState(feed, newest -> newest.revision() > revision);
  }

  /** Waits until the newest state of {@code feed} is {@code wanted}, as all later ones are. */
  <S> Feed.State<S> awaitState(Feed<S> feed, Predicate<Feed.State<S>> wanted) {
    Feed.Watcher waking = newest -> wake();
    feed.watch(waking);
    try {
      await(() -> wanted.test(feed.newest()));
      return feed.newest();
    } finally {
      feed.unwatch(waking);
    }
  }

  /** Waits until either feed has a state after its revision, and both have one at all. */
  void awaitEither(Feed<?> one, long after, Feed<?> other, long otherAfter) {
    Feed.Watcher waking = newest -> wake();
    one.watch(waking);
    other.watch(waking);
    try {
      await(() ->
          one.newest().revision() > 0
              && other.newest().revision() > 0
              && (one.newest().revision() > after || other.newest().revision() > otherAfter));
    } finally {
      one.unwatch(waking);
      other.unwatch(waking);
    }
  }

  /** Pauses, unless the call ends first. */
  void pause(Duration time) {
    long left = time.toNanos();
    lock.lock();
    try {
      checkIn();
      while (left > 0) {
        left = news.awaitNanos(left);
        checkIn();
      }
    } catch (InterruptedException e) {
      throw new ClientGone();
    } finally {
      lock.unlock();
    }
  }

  private void wake() {
    note(() -> {});
  }

  /** Makes the thread end the call with {@code status}, whatever it is doing. */
  void stop(Status status) {
    note(() -> stopped = status);
  }

  /**
   * Ends the call. A client that has not read everything has as long for a whole answer as for any
   * part of it, and a moment for a failure; then what it has left unread is dropped.
   */
  void end(Status status) {
    boolean unread = !call.isReady();
    try {
      call.close(status, new Metadata());
      if (unread) {
        Duration grace = status.isOk() ? stalled : LAST_WORDS;
        var _ = timer.schedule(reset, grace.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (RejectedExecutionException e) {
      // The server has stopped, so there is no thread to notify.
    }
  }

  @Override
  public void onMessage(Q request) {
    Optional<String> objection = TextLengths.objection(request);
    if (objection.isPresent()) {
      stop(Status.INVALID_ARGUMENT.withDescription(objection.get()));
      return;
    }
    if (aside.test(request)) {
      readOn();
      return;
    }
    note(() -> asked = request);
  }

  @Override
  public void onHalfClose() {
    note(() -> asksNoMore = true);
  }

  @Override
  public void onCancel() {
    note(() -> gone = true);
  }

  /** Writes down what the client did, and wakes the thread that waits for it. */
  private void note(Runnable event) {
    lock.lock();
    try {
      event.run();
      news.signalAll();
    } finally {
      lock.unlock();
    }
    Runnable present = follower;
    if (present != null) {
      present.run();
    }
  }

  @Override
  public void onReady() {
    wake();
  }

  private void awaitRoom() {
    lock.lock();
    try {
      checkIn();
      long left = stalled.toNanos();
      while (!call.isReady()) {
        if (left <= 0) {
          throw unread();
        }
        left = news.awaitNanos(left);
        checkIn();
      }
    } catch (InterruptedException e) {
      throw new ClientGone();
    } finally {
      lock.unlock();
    }
  }

  /** That the client has not read for too long. */
  StatusRuntimeException unread() {
    return Status.DEADLINE_EXCEEDED
        .withDescription(
            "the client has not read its data for %s s".formatted(stalled.toMillis() / 1000.0))
        .asRuntimeException();
  }

  private void checkIn() {
    if (gone) {
      throw new ClientGone();
    }
    if (stopped != null) {
      throw stopped.asRuntimeException();
    }
  }

  /** Spaces requests: a second's worth at once, the rest at a steady rate. */
  private static final class Pace {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long interval;
    private long next = System.nanoTime() - SECOND;

    Pace(int perSecond) {
      interval = SECOND / Math.max(1, perSecond);
    }

    /** Takes the next place in the row, and says how many nanoseconds it is until then. */
    synchronized long next() {
      long now = System.nanoTime();
      if (now - next > SECOND) {
        next = now - SECOND;
      }
      next += interval;
      return next - now;
    }
  }
}
