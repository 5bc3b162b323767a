package dev.portolan.client;

import dev.portolan.api.Methods;
import dev.portolan.api.WireException;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.Value;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import java.time.Duration;
import java.util.Optional;

/**
 * Feeds a brain with the cluster that another brain knows, so that brains form a tree.
 *
 * <p>Whatever happens to the connection or to the other brain, only whole states are handed over,
 * and none that equals the one before; so an upstream restart that changed nothing goes unnoticed.
 * While the other brain is away, the last state stays.
 */
public final class RelaySource implements Source {
  private final Connection connection;
  private final Duration errorDelay;
  private final LinkListener listener;

  /** Feeds on the brain behind {@code connection}. */
  public RelaySource(Connection connection) {
    this(connection, Subscription.DEFAULT_ERROR_DELAY);
  }

  /** The same with another longest pause between two tries to reach it. */
  public RelaySource(Connection connection, Duration errorDelay) {
    this(connection, errorDelay, LinkListener.NONE);
  }

  /** The same with an observer of the connection, in addition to the sink. */
  public RelaySource(Connection connection, Duration errorDelay, LinkListener told) {
    this.connection = connection;
    this.errorDelay = errorDelay;
    this.listener = told;
  }

  @Override
  public void run(Sink sink) throws InterruptedException {
    LinkListener reports =
        new LinkListener() {
          @Override
          public void connected() {
            listener.connected();
            sink.recovered();
          }

          @Override
          public void lost(String sentence) {
            listener.lost(sentence);
            sink.retrying(ErrorCode.BRAIN_API, sentence, "");
          }
        };
    Content content = new Content(sink, connection.heartbeatMillis());
    new WatchLoop<>(connection, Methods.GLOBAL_WATCH, content, errorDelay, reports).run();
  }

  /** What the stream brings. */
  private static final class Content implements WatchLoop.Content<GlobalWatchReq> {
    private final Sink sink;
    private final int heartbeatMillis;
    private ClusterImage cluster = ClusterImage.EMPTY;
    private boolean known;
    private Position position = Position.NONE;
    private ClusterAssembly assembly = new ClusterAssembly(cluster);

    Content(Sink sink, int heartbeatMillis) {
      this.sink = sink;
      this.heartbeatMillis = heartbeatMillis;
    }

    @Override
    public GlobalWatchReq first() {
      assembly = new ClusterAssembly(cluster);
      GlobalWatchReq.Builder request = request().setHeartbeatMillis(heartbeatMillis);
      if (!position.equals(Position.NONE)) {
        request.setResume(position.message());
      }
      return request.build();
    }

    @Override
    public Optional<GlobalWatchReq> next() {
      return Optional.of(request().build());
    }

    private static GlobalWatchReq.Builder request() {
      return GlobalWatchReq.newBuilder()
          .addSets(Set.GlobalServiceInfos)
          .addSets(Set.GlobalSlices)
          .addSets(Set.GlobalNodeInfos)
          .addSets(Set.GlobalServiceCIDRs);
    }

    @Override
    public void reset() {
      assembly = new ClusterAssembly(ClusterImage.EMPTY);
    }

    @Override
    public void set(Value value) throws WireException {
      assembly.set(value);
    }

    @Override
    public void delete(Ref ref) throws WireException {
      assembly.delete(ref);
    }

    @Override
    public void sync(Change change) throws WireException {
      ClusterImage newest = assembly.complete().sharing(cluster);
      if (!known || !newest.isIdenticalTo(cluster)) {
        sink.apply(newest);
      }
      known = true;
      position = Position.of(change.getPosition());
      cluster = newest;
      assembly.continueFrom(cluster);
    }

    @Override
    public void distrust() {
      position = Position.NONE;
    }
  }
}
