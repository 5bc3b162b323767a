package dev.portolan.client;

import dev.portolan.api.localv1.OpItem;
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
 * One stream of items. One thread reads; any may send.
 *
 * <p>No more than a window of items is taken from the connection before they are read, so a server
 * that sends faster than is read waits.
 */
final class WatchStream<Q> implements AutoCloseable {
  private static final int WINDOW = 64;

  private final ClientCall<Q, OpItem> call;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private boolean closed;
  private int read;

  /** What happens on a stream. */
  sealed interface Event {
    /** The server has it. */
    record Opened() implements Event {}

    /** An item came. */
    record Received(OpItem item) implements Event {}

    /** Nothing more will come. */
    record Ended(Status status) implements Event {}
  }

  WatchStream(Connection connection, MethodDescriptor<Q, OpItem> method) {
    connection.retryNow();
    call = connection.channel().newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onReady() {
            events.add(new Event.Opened());
          }

          @Override
          public void onMessage(OpItem item) {
            events.add(new Event.Received(item));
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            events.add(new Event.Ended(status));
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

  /** What happens next, or null if that takes longer than {@code patience}. */
  @Nullable Event next(Duration patience) throws InterruptedException {
    Event event = events.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (event instanceof Event.Received && ++read == WINDOW / 2) {
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
