package dev.portolan.bench;

import dev.portolan.api.Methods;
import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.client.Connection;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** A client that asks, reads and forgets: a thousand of them fit into one process. */
final class RawClient extends ClientCall.Listener<StreamItem> {
  private final ClientCall<WatchReq, StreamItem> call;
  private final WatchReq request;
  private final LongAdder bytes;
  private final LongConsumer synced;

  private RawClient(
      ClientCall<WatchReq, StreamItem> call, String node, LongAdder bytes, LongConsumer synced) {
    this.call = call;
    this.bytes = bytes;
    this.synced = synced;
    this.request =
        WatchReq.newBuilder()
            .setNodeName(node)
            .addSets(Set.ServicesSet)
            .addSets(Set.NodeFactsSet)
            .build();
  }

  /**
   * Follows {@code node}; {@code synced} is called when each set of changes is complete, and what
   * was read is added to {@code bytes}.
   */
  static void follow(Connection connection, String node, LongAdder bytes, LongConsumer synced) {
    ClientCall<WatchReq, StreamItem> call =
        connection
            .channel()
            .newCall(Methods.encoded(Methods.LOCAL_WATCH), CallOptions.DEFAULT.withWaitForReady());
    RawClient client = new RawClient(call, node, bytes, synced);
    call.start(client, new Metadata());
    call.request(64);
    call.sendMessage(client.request);
  }

  @Override
  public void onMessage(StreamItem item) {
    call.request(1);
    bytes.add(item.size());
    if (item.isSync()) {
      synced.accept(System.nanoTime());
      call.sendMessage(request);
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (status.getCode() != Status.Code.UNAVAILABLE && status.getCode() != Status.Code.CANCELLED) {
      System.err.println("bench: a client was ended: " + status);
    }
  }
}
