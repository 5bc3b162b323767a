package dev.portolan.client;

import dev.portolan.api.Methods;
import dev.portolan.api.WireException;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.SourceLost;
import dev.portolan.api.localv1.Value;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  private volatile @Nullable WatchLoop<GlobalWatchReq> loop;

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
    Reports reports = new Reports(sink);
    Content content = new Content(sink, reports, connection.heartbeatMillis());
    WatchLoop<GlobalWatchReq> following =
        new WatchLoop<>(connection, Methods.GLOBAL_WATCH, content, errorDelay, reports);
    loop = following;
    following.run();
  }

  /** That of the other brain, or else that of what it reads the cluster from. */
  @Override
  public Duration silence() {
    WatchLoop<GlobalWatchReq> following = loop;
    if (following == null) {
      return Duration.ZERO;
    }
    Duration own = following.silence();
    return own.isZero() ? following.sourceSilence() : own;
  }

  /** Says what is wrong: with the connection, or else with the other brain's own source. */
  private final class Reports implements LinkListener {
    private final Sink sink;

    /** Whether a state came; before that, the other brain is waited for. */
    private boolean known;

    private boolean away;
    private Optional<SourceLost> lost = Optional.empty();

    private Reports(Sink sink) {
      this.sink = sink;
    }

    @Override
    public void connected() {
      away = false;
      listener.connected();
      sink.recovered();
      tell();
    }

    @Override
    public void lost(String sentence) {
      away = true;
      lost = Optional.empty();
      listener.lost(sentence);
      sink.retrying(ErrorCode.BRAIN_API, sentence, "");
    }

    @Override
    public void sourceLost(Optional<SourceLost> now) {
      boolean found = now.isEmpty() && lost.isPresent();
      lost = now;
      if (found && !away) {
        sink.recovered();
      }
      tell();
    }

    void known() {
      if (!known) {
        known = true;
        tell();
      }
    }

    private void tell() {
      if (known && !away) {
        lost.ifPresent(it ->
            sink.retrying(
                ErrorCode.BRAIN_API,
                connection.address()
                    + ": the brain's own source is lost: "
                    + ErrorCode.unmarked(it.getWhy()),
                ""));
      }
    }
  }

  /** What the stream brings. */
  private static final class Content implements WatchLoop.Content<GlobalWatchReq> {
    private final Sink sink;
    private final Reports reports;
    private final int heartbeatMillis;
    private ClusterImage cluster = ClusterImage.EMPTY;
    private boolean known;
    private Position position = Position.NONE;
    private ClusterAssembly assembly = new ClusterAssembly(cluster);

    Content(Sink sink, Reports reports, int heartbeatMillis) {
      this.sink = sink;
      this.reports = reports;
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
      reports.known();
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
