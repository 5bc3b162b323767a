package dev.portolan.client;

import dev.portolan.api.StreamItem;
import dev.portolan.api.WireException;
import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.SourceLost;
import dev.portolan.api.localv1.Value;
import dev.portolan.core.error.Failures;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows a server until it is closed: asks, reads a set of changes, asks again unless the server
 * pushes the next one; and after a failure starts over, as {@link Followed} does.
 */
final class WatchLoop<Q> {
  /** How often a server that pushes is told what is new, where nobody waits for that. */
  private static final Duration NEWS_EVERY = Duration.ofSeconds(1);

  private final Connection connection;
  private final MethodDescriptor<Q, OpItem> method;
  private final Content<Q> content;
  private final LinkListener listener;
  private final Duration errorDelay;
  private final Followed server;

  /** When the server last gave a sign of life, by {@link System#nanoTime}. */
  private volatile long heardAt = System.nanoTime();

  private final SignsOfLife signs;

  /** What the server said of its own source on the stream that is open, or was last. */
  private volatile Optional<SourceLost> sourceLost = Optional.empty();

  /** Whether there is a connection for the stream. */
  private boolean open;

  /** Whether the last request has been sent to the server. */
  private boolean finished;

  /** Whether the server sends changes unasked. */
  private boolean pushed;

  /** Whether somebody waits for what is new here, as the server says. */
  private boolean awaited;

  /** Whether something is new that waits until it is time. */
  private boolean owed;

  /** When the server was last told what is new, by {@link System#nanoTime}. */
  private long toldAt = System.nanoTime() - NEWS_EVERY.toNanos();

  /** The stream that is open and has had its first request. */
  private @Nullable WatchStream<Q, OpItem> stream;

  /** What is put together from a stream. */
  interface Content<Q> {
    /** The request that opens a stream. What came since the last Sync is discarded. */
    Q first();

    /** The request for the next set of changes; empty where no more are wanted. */
    Optional<Q> next();

    /** What is new here and to be sent beside the requests for changes; empty for nothing. */
    default Optional<Q> news() {
      return Optional.empty();
    }

    /** Everything is void. */
    void reset();

    /** A value is there. */
    void set(Value value) throws WireException;

    /** A value is gone. */
    void delete(Ref ref) throws WireException;

    /** What came is a whole state. */
    void sync(Change change) throws WireException;

    /** What came made no sense; the next stream is to bring everything. */
    void distrust();
  }

  WatchLoop(
      Connection connection,
      MethodDescriptor<Q, OpItem> method,
      Content<Q> content,
      Duration errorDelay,
      LinkListener listener) {
    this.connection = connection;
    this.method = method;
    this.content = content;
    this.errorDelay = errorDelay;
    this.server = new Followed(errorDelay, listener);
    this.listener = listener;
    this.signs = new SignsOfLife(connection.options().silence(), System::nanoTime, false);
  }

  /** Follows until the thread is interrupted, or the server has heard the last word. */
  void run() throws InterruptedException {
    server.run(() -> {
      try (WatchStream<Q, OpItem> opened = new WatchStream<>(connection, method)) {
        begin(opened);
        follow(opened);
      } finally {
        end();
      }
    });
  }

  /** How the connection fares. */
  LinkStatus link() {
    return server.link();
  }

  /** How long the server's own source has given no sign of life, as the server says. */
  Duration sourceSilence() {
    return sourceLost
        .map(lost -> Duration.between(Instant.ofEpochSecond(0, lost.getUnixNanos()), Instant.now()))
        .filter(Duration::isPositive)
        .orElse(Duration.ZERO);
  }

  /** How long the server has given no sign of life; zero while it is connected. */
  Duration silence() {
    return server.isConnected() ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - heardAt);
  }

  /**
   * Sends what is new, if anything, beside the requests for changes; nothing is sent while there is
   * no stream. Requests are made and sent in one order. A server that pushes gets it at once where
   * it is {@code urgent} or somebody waits for it, and otherwise only so often.
   */
  synchronized void tell(boolean urgent) {
    WatchStream<Q, OpItem> present = stream;
    if (present == null) {
      return;
    }
    if (!pushed || awaited || urgent || untilNews().isZero()) {
      tell(present);
    } else if (!owed) {
      owed = true;
      present.wake();
    }
  }

  private void tell(WatchStream<Q, OpItem> stream) {
    owed = false;
    content
        .news()
        .ifPresent(news -> {
          toldAt = System.nanoTime();
          stream.send(news);
        });
  }

  /** How long what is new has to wait. */
  private Duration untilNews() {
    long left = toldAt + NEWS_EVERY.toNanos() - System.nanoTime();
    return Duration.ofNanos(Math.max(0, left));
  }

  private synchronized void tellWhatIsOwed() {
    WatchStream<Q, OpItem> present = stream;
    if (owed && present != null && (awaited || untilNews().isZero())) {
      tell(present);
    }
  }

  /**
   * Sends what is new, if anything, and then nothing more; {@link #run} ends when the server has
   * it. False where there is no stream.
   */
  synchronized boolean finish() {
    WatchStream<Q, OpItem> present = stream;
    if (present == null) {
      return false;
    }
    content.news().ifPresent(present::send);
    present.askNoMore();
    finished = true;
    return true;
  }

  private synchronized boolean isFinished() {
    return finished;
  }

  private synchronized void begin(WatchStream<Q, OpItem> opened) {
    open = false;
    sourceLost = Optional.empty();
    signs.begin();
    opened.send(content.first());
    stream = opened;
  }

  private synchronized void goOn(WatchStream<Q, OpItem> opened, boolean pushed) {
    this.pushed = pushed;
    if (pushed) {
      // A server that came back with the same state has it under another number.
      tell(false);
    } else if (!finished) {
      content.next().ifPresent(opened::send);
    }
  }

  private synchronized void end() {
    stream = null;
    pushed = false;
    awaited = false;
    owed = false;
  }

  /** Reads until the stream ends as it was asked to. */
  private void follow(WatchStream<Q, OpItem> stream)
      throws ConnectionException, InterruptedException {
    while (true) {
      WatchStream.Event<OpItem> event = stream.next(patience());
      switch (event) {
        case null -> waited();
        case WatchStream.Event.Woken<OpItem> _ -> {}
        case WatchStream.Event.Opened<OpItem> _ -> {
          open = true;
          if (!signs.areExpected()) {
            server.answers();
          }
        }
        case WatchStream.Event.Received<OpItem>(OpItem item) -> {
          open = true;
          heardAt = System.nanoTime();
          boolean heartbeat = isHeartbeat(item);
          signs.heard(heartbeat);
          server.answers();
          if (heartbeat) {
            hear(item);
          } else {
            take(item, stream);
          }
        }
        case WatchStream.Event.Ended<OpItem>(Status status) -> {
          if (isFinished()) {
            return;
          }
          wasAlive(Trouble.isSilence(status) ? connection.options().silence() : Duration.ZERO);
          throw new ConnectionException(connection.sentence(status));
        }
      }
      tellWhatIsOwed();
    }
  }

  /** How long the connection may be quiet before the next check is due. */
  private Duration patience() {
    if (!open) {
      return connection.options().patience();
    }
    Duration left = signs.left();
    return server.isLost()
        ? shorter(left, errorDelay)
        : isOwed() ? shorter(left, untilNews()) : left;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private synchronized boolean isOwed() {
    return owed;
  }

  private void waited() throws ConnectionException {
    if (!open) {
      throw abandoned(Connection.NO_ANSWER);
    }
    if (signs.areMissing()) {
      throw abandoned(signs.missing());
    }
    if (server.isConnected()) {
      server.works();
    }
  }

  private ConnectionException abandoned(String why) {
    connection.abandon();
    return new ConnectionException(connection.address() + ": " + why);
  }

  /** The server, which was connected until now, was last heard from at most {@code ago}. */
  private void wasAlive(Duration ago) {
    long then = System.nanoTime() - ago.toNanos();
    if (server.isConnected() && then - heardAt > 0) {
      heardAt = then;
    }
  }

  private static boolean isHeartbeat(OpItem item) {
    return item.getOpCase() == OpItem.OpCase.OP_NOT_SET
        && item.getItemsCount() == 0
        && item.getPacked().isEmpty();
  }

  private void hear(OpItem heartbeat) {
    synchronized (this) {
      awaited = heartbeat.getReportsAwaited();
    }
    Optional<SourceLost> lost =
        heartbeat.hasSourceLost() ? Optional.of(heartbeat.getSourceLost()) : Optional.empty();
    if (!lost.equals(sourceLost)) {
      sourceLost = lost;
      listener.sourceLost(lost);
    }
  }

  private void take(OpItem item, WatchStream<Q, OpItem> stream) throws ConnectionException {
    for (OpItem one : item.getItemsList()) {
      takeOne(one, stream);
    }
    for (OpItem one : unpacked(item)) {
      takeOne(one, stream);
    }
    takeOne(item, stream);
  }

  private List<OpItem> unpacked(OpItem item) throws ConnectionException {
    try {
      return item.getPacked().isEmpty()
          ? List.of()
          : StreamItem.unpack(item.getPacked(), connection.options().mostMessageBytes());
    } catch (WireException e) {
      throw unreadable(String.valueOf(e.getMessage()));
    }
  }

  private void takeOne(OpItem item, WatchStream<Q, OpItem> stream) throws ConnectionException {
    if (item.getOpCase() != OpItem.OpCase.OP_NOT_SET) {
      listener.received(item);
    }
    try {
      switch (item.getOpCase()) {
        case RESET -> content.reset();
        case SET -> content.set(item.getSet());
        case DELETE -> content.delete(item.getDelete());
        case SYNC -> {
          content.sync(item.getChange());
          server.works();
          goOn(stream, item.getChange().getPushed());
        }
        case OP_NOT_SET -> {}
      }
    } catch (WireException e) {
      throw unreadable(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      throw unreadable(e.toString());
    } catch (Error e) {
      Failures.ofProcess().add("follow", e);
      throw unreadable(e.toString());
    }
  }

  private ConnectionException unreadable(String why) {
    content.distrust();
    return new ConnectionException(
        connection.address()
            + ": the server sent data that cannot be decoded ("
            + why
            + "); keeping the last complete state; do client and server have the same version?");
  }
}
