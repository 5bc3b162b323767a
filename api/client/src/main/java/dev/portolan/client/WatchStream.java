package dev.portolan.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One stream of answers. One thread reads; any may send.
 *
 * <p>No more than a window of answers is taken from the connection before they are read, so a
 * server that sends faster than is read waits.
 */
final class WatchStream<Q, A> implements AutoCloseable {
  private static final int WINDOW = 64;

  private final ClientCall<Q, A> call;
  private final BlockingQueue<Event<A>> events = new LinkedBlockingQueue<>();
  private boolean closed;
  private int read;

  /** What happens on a stream. */
  sealed interface Event<A> {
    /** The server has it. */
    record Opened<A>() implements Event<A> {}

    /** An answer came. */
    record Received<A>(A answer) implements Event<A> {}

    /** Somebody woke the reader. */
    record Woken<A>() implements Event<A> {}

    /** Nothing more will come. */
    record Ended<A>(Status status) implements Event<A> {}
  }

  WatchStream(Connection connection, MethodDescriptor<Q, A> method) {
    connection.retryNow();
    call = connection.channel().newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onReady() {
            events.add(new Event.Opened<>());
          }

          @Override
          public void onMessage(A answer) {
            events.add(new Event.Received<>(answer));
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            events.add(new Event.Ended<>(status));
          }
        },
        new Metadata());
    call.request(WINDOW);
  }

  /** Sends a request; nothing happens on a stream that has ended. */
  synchronized void send(Q request) {
    if (!closed) {
      call.sendMessage(request);
    }
  }

  /** Says that no request follows; what the server still has to say is read. */
  synchronized void askNoMore() {
    if (!closed) {
      call.halfClose();
    }
  }

  /** Wakes the reader. */
  void wake() {
    events.add(new Event.Woken<>());
  }

  /** What happens next, or null if that takes longer than {@code patience}. */
  @Nullable Event<A> next(Duration patience) throws InterruptedException {
    Event<A> event = events.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (event instanceof Event.Received<A> && ++read == WINDOW / 2) {
      read = 0;
      call.request(WINDOW / 2);
    }
    return event;
  }

  @Override
  public synchronized void close() {
    closed = true;
    call.cancel("no longer wanted", null);
  }
}
