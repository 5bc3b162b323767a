package dev.portolan.client;

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
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows a server until it is closed: asks, reads a set of changes, asks again; and after a
 * failure starts over, as {@link Followed} does.
 */
final class WatchLoop<Q> {
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

  /** The stream that is open and has had its first request. */
  private @Nullable WatchStream<Q, OpItem> stream;

  /** What is put together from a stream. */
  interface Content<Q> {
    /** The request that opens a stream. What came since the last Sync is discarded. */
    Q first();

    /** The request for the next set of changes; empty where no more are wanted. */
    Optional<Q> next();

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
   * Sends what {@code aside} says, if anything, beside the requests for changes; nothing is asked
   * while there is no stream. Requests are made and sent in one order.
   */
  synchronized void send(Supplier<Optional<Q>> aside) {
    WatchStream<Q, OpItem> present = stream;
    if (present != null) {
      aside.get().ifPresent(present::send);
    }
  }

  /**
   * Sends what {@code last} returns, if anything, and then nothing more; {@link #run} ends when the
   * server has it. False where there is no stream.
   */
  synchronized boolean finish(Supplier<Optional<Q>> last) {
    WatchStream<Q, OpItem> present = stream;
    if (present == null) {
      return false;
    }
    last.get().ifPresent(present::send);
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

  private synchronized void askOn(WatchStream<Q, OpItem> opened) {
    if (!finished) {
      content.next().ifPresent(opened::send);
    }
  }

  private synchronized void end() {
    stream = null;
  }

  /** Reads until the stream ends as it was asked to. */
  private void follow(WatchStream<Q, OpItem> stream)
      throws ConnectionException, InterruptedException {
    while (true) {
      WatchStream.Event<OpItem> event = stream.next(patience());
      switch (event) {
        case null -> waited();
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
    }
  }

  /** How long the connection may be quiet before the next check is due. */
  private Duration patience() {
    if (!open) {
      return connection.options().patience();
    }
    Duration left = signs.left();
    return !server.isLost() || left.compareTo(errorDelay) < 0 ? left : errorDelay;
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
    return item.getOpCase() == OpItem.OpCase.OP_NOT_SET && item.getItemsCount() == 0;
  }

  private void hear(OpItem heartbeat) {
    Optional<SourceLost> lost =
        heartbeat.hasSourceLost() ? Optional.of(heartbeat.getSourceLost()) : Optional.empty();
    if (!lost.equals(sourceLost)) {
      sourceLost = lost;
      listener.sourceLost(lost);
    }
  }

  private void take(OpItem item, WatchStream<Q, OpItem> stream) throws ConnectionException {
    if (item.getItemsCount() > 0) {
      for (OpItem one : item.getItemsList()) {
        take(one, stream);
      }
      return;
    }
    listener.received(item);
    try {
      switch (item.getOpCase()) {
        case RESET -> content.reset();
        case SET -> content.set(item.getSet());
        case DELETE -> content.delete(item.getDelete());
        case SYNC -> {
          content.sync(item.getChange());
          server.works();
          askOn(stream);
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
