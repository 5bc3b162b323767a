package dev.portolan.server;

import dev.portolan.api.StreamItem;
import dev.portolan.api.WireException;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.testbase.Await;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A stream as gRPC has it, without any library of ours; it reads only on request. */
final class RawStream<Q> implements AutoCloseable {
  private final ClientCall<Q, OpItem> call;
  private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();

  private RawStream(ClientCall<Q, OpItem> call) {
    this.call = call;
  }

  static <Q> RawStream<Q> open(Channel channel, MethodDescriptor<Q, OpItem> method) {
    RawStream<Q> stream = new RawStream<>(channel.newCall(method, CallOptions.DEFAULT));
    stream.call.start(stream.new Ear(), new Metadata());
    return stream;
  }

  private final class Ear extends ClientCall.Listener<OpItem> {
    @Override
    public void onMessage(OpItem item) {
      received.add(item);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      received.add(status);
    }
  }

  void send(Q request) {
    call.sendMessage(request);
  }

  void halfClose() {
    call.halfClose();
  }

  /** Allows the server to send {@code items} more. */
  void request(int items) {
    call.request(items);
  }

  OpItem next() throws InterruptedException {
    call.request(1);
    return switch (received.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      case OpItem item -> item;
      case Status status -> throw new AssertionError("ended: " + status);
      case null, default -> throw new AssertionError("nothing came");
    };
  }

  /** Whether nothing has come so far. */
  boolean isQuiet() {
    call.request(1);
    return received.isEmpty();
  }

  /** Sends {@code request} and reads up to the Sync. */
  List<OpItem> ask(Q request) throws InterruptedException {
    send(request);
    return changeSet();
  }

  List<OpItem> changeSet() throws InterruptedException {
    List<OpItem> items = new ArrayList<>();
    do {
      items.addAll(inside(next()));
    } while (items.isEmpty() || !items.getLast().hasSync());
    return items;
  }

  private static List<OpItem> inside(OpItem item) {
    try {
      return item.getItemsCount() > 0
          ? item.getItemsList()
          : item.getPacked().isEmpty()
              ? List.of(item)
              : StreamItem.unpack(item.getPacked(), 1 << 20);
    } catch (WireException e) {
      throw new AssertionError(e);
    }
  }

  /** How the call ended. */
  Status end() throws InterruptedException {
    call.request(1);
    for (int i = 0; i < 1_000_000; i++) {
      Object next = received.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (next instanceof Status status) {
        return status;
      }
      if (next == null) {
        break;
      }
      call.request(1);
    }
    throw new AssertionError("it does not end");
  }

  @Override
  public void close() {
    call.cancel("the test is over", null);
  }

  /** Items as lines: {@code reset}, {@code set SET PATH}, {@code delete SET PATH}, {@code sync}. */
  static List<String> lines(List<OpItem> items) {
    return items.stream()
        .map(item ->
            switch (item.getOpCase()) {
              case SYNC -> "sync";
              case RESET -> "reset";
              case SET ->
                  "set " + item.getSet().getRef().getSet() + " " + item.getSet().getRef().getPath();
              case DELETE ->
                  "delete " + item.getDelete().getSet() + " " + item.getDelete().getPath();
              case OP_NOT_SET -> "nothing";
            })
        .toList();
  }
}
