package dev.portolan.bench.traffic;

import dev.portolan.api.Methods;
import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Report;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.client.Connection;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** A client that reads, reports and forgets: a thousand of them fit into one process. */
public final class RawClient extends ClientCall.Listener<StreamItem> {
  private final Connection connection;
  private final ClientCall<WatchReq, StreamItem> call;
  private final String node;
  private final Duration heartbeat;
  private final LongAdder bytes;
  private final LongConsumer synced;
  private long reportedAt = System.nanoTime();

  private RawClient(
      Connection connection,
      String node,
      Duration heartbeat,
      LongAdder bytes,
      LongConsumer synced) {
    this.connection = connection;
    this.call =
        connection
            .channel()
            .newCall(Methods.encoded(Methods.LOCAL_WATCH), CallOptions.DEFAULT.withWaitForReady());
    this.node = node;
    this.heartbeat = heartbeat;
    this.bytes = bytes;
    this.synced = synced;
  }

  /**
   * Follows {@code node}, again where that ends; {@code synced} is called when each set of changes
   * is complete, and what was read is added to {@code bytes}. The server is to send a heartbeat
   * after {@code heartbeat} of silence, unless that is zero.
   */
  public static void follow(
      Connection connection,
      String node,
      Duration heartbeat,
      LongAdder bytes,
      LongConsumer synced) {
    RawClient client = new RawClient(connection, node, heartbeat, bytes, synced);
    client.call.start(client, new Metadata());
    client.call.request(64);
    client.ask();
  }

  private void ask() {
    call.sendMessage(
        request()
            .setHeartbeatMillis((int) heartbeat.toMillis())
            .setBatchBytes(Connection.Options.DEFAULT.mostMessageBytes())
            .setPush(true)
            .setGzip(true)
            .build());
  }

  private WatchReq.Builder request() {
    return WatchReq.newBuilder()
        .setNodeName(node)
        .addSets(Set.ServicesSet)
        .addSets(Set.NodeFactsSet);
  }

  @Override
  public void onMessage(StreamItem item) {
    call.request(1);
    bytes.add(item.size());
    if (item.isSync()) {
      synced.accept(System.nanoTime());
      OpItem message = item.message();
      int items = message.getItemsCount();
      report((items == 0 ? message : message.getItems(items - 1)).getChange());
    }
  }

  /** Reports what was applied when a node does: with the next request, or once per second. */
  private void report(Change change) {
    long now = System.nanoTime();
    if (!change.getPushed() || now - reportedAt >= TimeUnit.SECONDS.toNanos(1)) {
      reportedAt = now;
      Report report = Report.newBuilder().setApplied(change.getPosition()).build();
      call.sendMessage(request().setReport(report).setReportOnly(change.getPushed()).build());
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (connection.channel() instanceof ManagedChannel channel && !channel.isShutdown()) {
      System.err.println("bench: a client was ended: " + status);
      follow(connection, node, heartbeat, bytes, synced);
    }
  }
}
