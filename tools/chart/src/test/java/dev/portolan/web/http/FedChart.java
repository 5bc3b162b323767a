package dev.portolan.web.http;

import dev.portolan.brain.Brain;
import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.FreePort;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.ManyServices;
import dev.portolan.web.answer.Answers;
import dev.portolan.wiring.ChartSubject;
import dev.portolan.wiring.ExplainedMode;
import dev.portolan.wiring.WatchedSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A chart that is served on a port of this machine, of a cluster that a test changes. */
public final class FedChart implements AutoCloseable {
  private final List<ExplainedMode> modes;
  private final Answers.Maker maker;
  private final UnaryOperator<ChartSubject> change;
  private final Fed source = new Fed();
  private final WatchedSource watched = new WatchedSource(source, InstantSource.system());
  private Brain brain = new Brain(BrainSettings.DEFAULT, warning -> {});
  private ChartServer server;

  /** A source that a test feeds by hand. */
  private static final class Fed implements Source {
    private Sink sink;
    private Kind kind = Kind.FILES;
    private Optional<Instant> recordedAt = Optional.empty();

    @Override
    public void run(Sink taker) {
      sink = taker;
    }

    @Override
    public Kind kind() {
      return kind;
    }

    @Override
    public Optional<Instant> recordedAt() {
      return recordedAt;
    }
  }

  /** Lets the newest brain decide. */
  private final class Deciding implements Source.Sink {
    @Override
    public void apply(ClusterImage newest) {
      brain.apply(newest);
    }

    @Override
    public void report(String problem) {}
  }

  /**
   * A chart of {@code cluster}, which nodes apply in these modes.
   *
   * @param maker what answers in place of commands
   * @param change changes the subject
   */
  public FedChart(
      ClusterImage cluster,
      List<ExplainedMode> modes,
      Answers.Maker maker,
      UnaryOperator<ChartSubject> change) {
    this.modes = modes;
    this.maker = maker;
    this.change = change;
    try {
      watched.run(new Deciding());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    source.sink.apply(cluster);
    this.server = serve("127.0.0.1:" + FreePort.next());
  }

  /** A chart of {@code examples/shop}. */
  static FedChart shop() {
    return shop(subject -> subject);
  }

  /** The same, of a subject that the test changes. */
  static FedChart shop(UnaryOperator<ChartSubject> change) {
    return of(Manifests.read(RepositoryRoot.resolve("examples/shop")).image(), change);
  }

  /** A chart of {@code cluster}. */
  static FedChart of(ClusterImage cluster) {
    return of(cluster, subject -> subject);
  }

  /** Where a command would answer, {@link Echo} does. */
  private static FedChart of(ClusterImage cluster, UnaryOperator<ChartSubject> change) {
    return new FedChart(
        cluster,
        List.of(new ExplainedMode(NodeSettings.DEFAULT, () -> "nftables")),
        (_, _) -> new Echo(),
        change);
  }

  /** A chart of a made-up cluster. */
  static FedChart large(int services, int nodes) {
    return of(ManyServices.of(services, nodes));
  }

  private ChartServer serve(String address) {
    return serve(ChartListener.parse(address, Optional.empty(), Optional.empty()));
  }

  /** Serves the same chart somewhere else, too; the caller closes it. */
  public ChartServer serve(ChartListener listener) {
    ChartSubject subject =
        ChartSubject.of(brain, modes, "file:examples/shop", watched, "1.2.3-test");
    return ChartServer.start(listener, change.apply(subject), maker, line -> {});
  }

  /** What decides. */
  public Brain brain() {
    return brain;
  }

  /** Where the chart is, with a slash at the end. */
  public String url() {
    return server.url();
  }

  /** Changes the cluster. */
  public void change(UnaryOperator<ClusterImage> edit) {
    source.sink.apply(edit.apply(brain.cluster()));
  }

  /** What the source says to, where something happens to it. */
  public Source.Sink source() {
    return source.sink;
  }

  /** The cluster comes from another kind of place, which counts from the next state on. */
  public FedChart from(Source.Kind kind, Optional<Instant> recordedAt) {
    source.kind = kind;
    source.recordedAt = recordedAt;
    source.sink.apply(brain.cluster());
    return this;
  }

  /** Ends the server and its brain; nothing listens then. */
  public void stop() {
    server.close();
  }

  /** Starts again on the same port with a brain that counts its revisions from the start. */
  public void start() {
    int port = server.port();
    ClusterImage cluster = brain.cluster();
    brain = new Brain(BrainSettings.DEFAULT, warning -> {});
    source.sink.apply(cluster);
    server = serve("127.0.0.1:" + port);
  }

  @Override
  public void close() {
    server.close();
  }
}
