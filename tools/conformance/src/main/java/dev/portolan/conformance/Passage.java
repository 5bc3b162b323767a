package dev.portolan.conformance;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.portolan.api.localv1.EmptyOp;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.core.error.Threads;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One call on its way through the proxy: requests pass at once, answers through a thread of their
 * own, which can be made to wait.
 *
 * <p>The server is always asked for named sets, because it then says with each Sync which state it
 * completes. A candidate that names none, as those of KPNG, gets what it would get without a proxy.
 */
final class Passage extends ServerCall.Listener<ByteString> {
  private static final int WINDOW = 64;
  private static final ByteString PLAIN_SYNC =
      OpItem.newBuilder().setSync(EmptyOp.getDefaultInstance()).build().toByteString();

  private final ServerCall<ByteString, ByteString> candidate;
  private final Channel brain;
  private final RecordingProxy proxy;
  private final boolean watch;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Semaphore room = new Semaphore(0);
  private ClientCall<ByteString, ByteString> upstream;
  private @Nullable WatchReq asked;
  private boolean plain;
  private volatile boolean ended;
  private boolean begun;
  private int items;

  /** How many events came that are not handed on yet. */
  private final AtomicInteger undone = new AtomicInteger();

  /** Which call to the brain is the present one; what earlier ones bring is void. */
  private int number;

  /** What comes from the brain by one call: an answer, or the call's end. */
  private record Event(int number, @Nullable ByteString answer, @Nullable Status end) {}

  Passage(
      ServerCall<ByteString, ByteString> candidate,
      Channel brain,
      RecordingProxy proxy,
      boolean watch) {
    this.candidate = candidate;
    this.brain = brain;
    this.proxy = proxy;
    this.watch = watch;
    this.upstream = open();
    candidate.request(1);
    Threads.virtual("passage").start(this::carry);
  }

  private ClientCall<ByteString, ByteString> open() {
    int mine = ++number;
    MethodDescriptor<ByteString, ByteString> method = candidate.getMethodDescriptor();
    ClientCall<ByteString, ByteString> call = brain.newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(ByteString answer) {
            put(new Event(mine, answer, null));
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            put(new Event(mine, null, status));
          }
        },
        new Metadata());
    call.request(WINDOW);
    return call;
  }

  private void put(Event event) {
    undone.incrementAndGet();
    events.add(event);
  }

  /** Whether this is a stream of changes that still goes on. */
  synchronized boolean isOpenWatch() {
    return watch && !ended && asked != null;
  }

  /** Whether everything that came from the brain has gone out. */
  boolean isIdle() {
    return undone.get() == 0;
  }

  /** Asks the brain again, as a client without a state: a Reset and the full state follow. */
  synchronized void startOver() {
    if (asked != null && !ended) {
      upstream.cancel("the exercise starts over", null);
      upstream = open();
      upstream.sendMessage(asked.toBuilder().clearResume().build().toByteString());
      items = 0;
    }
  }

  /** Ends the call for both sides, as far as they are still there. */
  synchronized void end() {
    ended = true;
    upstream.cancel("the candidate is gone", null);
    room.release();
  }

  @Override
  public synchronized void onMessage(ByteString request) {
    ByteString handedOn = watch ? read(request) : request;
    if (!ended) {
      upstream.sendMessage(handedOn);
      candidate.request(1);
    }
  }

  private ByteString read(ByteString bytes) {
    try {
      WatchReq request = WatchReq.parseFrom(bytes);
      proxy.transcript().asked(request);
      if (request.getReportOnly()) {
        return bytes;
      }
      plain = request.getSetsCount() == 0;
      // Items are counted, and a stream may be cut between any two.
      WatchReq.Builder alone = request.toBuilder().clearBatchBytes().clearHeartbeatMillis();
      if (plain) {
        alone.addSets(Set.ServicesSet).addSets(Set.EndpointsSet);
      }
      asked = alone.build();
      return asked.toByteString();
    } catch (InvalidProtocolBufferException e) {
      return bytes;
    }
  }

  @Override
  public synchronized void onHalfClose() {
    upstream.halfClose();
  }

  @Override
  public void onCancel() {
    end();
    put(new Event(number(), null, Status.CANCELLED));
  }

  @Override
  public void onReady() {
    room.release();
  }

  private synchronized int number() {
    return number;
  }

  private synchronized void askForOneMore() {
    upstream.request(1);
  }

  private void carry() {
    try {
      boolean goesOn = true;
      while (goesOn) {
        Event event = events.take();
        goesOn = event.number() != number() || pass(event);
        undone.decrementAndGet();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("this thread is never interrupted", e);
    }
  }

  /** Hands an event to the candidate; returns whether more may come. */
  private boolean pass(Event event) throws InterruptedException {
    while (!candidate.isReady() && !ended) {
      room.acquire();
    }
    if (ended) {
      return false;
    }
    begin();
    ByteString answer = event.answer();
    if (answer == null) {
      end();
      candidate.close(event.end() == null ? Status.CANCELLED : event.end(), new Metadata());
      return false;
    }
    candidate.sendMessage(watch ? note(answer) : answer);
    askForOneMore();
    if (watch && items > 0) {
      proxy.passed(items);
    }
    return !ended;
  }

  private void begin() {
    if (!begun) {
      begun = true;
      candidate.sendHeaders(new Metadata());
    }
  }

  /** Notes an item; returns what goes out in its place. */
  private ByteString note(ByteString bytes) {
    try {
      OpItem item = OpItem.parseFrom(bytes);
      proxy.transcript().sends(item);
      synchronized (this) {
        boolean whole = item.getOpCase() == OpItem.OpCase.SYNC;
        items = whole ? 0 : items + 1;
        return whole && plain ? PLAIN_SYNC : bytes;
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the server sent no item", e);
    }
  }
}
