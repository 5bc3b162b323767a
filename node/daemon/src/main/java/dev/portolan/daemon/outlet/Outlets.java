package dev.portolan.daemon.outlet;

import dev.portolan.config.StartPlan;
import dev.portolan.core.node.Dataplane;
import dev.portolan.status.traffic.PortTraffic;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.log.Logs;
import dev.portolan.tls.TlsFiles;
import dev.portolan.wiring.ChartSubject;
import dev.portolan.wiring.ClusterRecorder;
import dev.portolan.wiring.ExplainedMode;
import dev.portolan.wiring.NodeDaemon;
import dev.portolan.wiring.WatchedSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Where a daemon's decisions go beside the kernel: to clients of its API, into a recording, onto a
 * chart. A daemon loads only those that its plan asks for.
 */
public final class Outlets implements AutoCloseable {
  private final StartPlan plan;
  private final String version;
  private final Logs logs;
  private final Optional<NodeRecording.Wish> wish;
  private final Optional<NodeChart> chart;
  private Optional<NodeApi> api = Optional.empty();
  private Optional<NodeRecording> recording = Optional.empty();

  /**
   * What goes out.
   *
   * @param source where the cluster is read from, in words
   * @param reading how that goes
   * @param wanted how it is decided
   * @param dataplane what programs the node
   * @param traffic what was counted of the traffic of services, if it is counted
   */
  public record Goods(
      String source,
      WatchedSource reading,
      NodeDaemon.Plan wanted,
      Dataplane dataplane,
      Optional<Supplier<List<PortTraffic>>> traffic) {}

  /**
   * Finds what {@code plan} asks for, and what is wrong with that; nothing is open yet.
   *
   * @param tls for a chart that other machines can reach
   */
  public Outlets(
      StartPlan plan, String version, Logs logs, ChartMaker charts, Optional<TlsFiles> tls) {
    this.plan = plan;
    this.version = version;
    this.logs = logs;
    this.wish = NodeRecording.Wish.of(plan);
    boolean charted =
        Stream.of("chart-listen", "chart-token-file")
            .anyMatch(flag -> !plan.flags().text(flag).isEmpty());
    this.chart = charted ? NodeChart.of(plan, charts, tls, logs.of("chart")) : Optional.empty();
  }

  /** Gets them ready; returns the observer of syncs. */
  public List<Observer> prepare(Goods goods) {
    api =
        plan.apiListen()
            .map(socket ->
                new NodeApi(
                    new NodeApi.Offer(
                        socket,
                        goods.dataplane,
                        goods.source,
                        version,
                        plan.serviceMetadata(),
                        goods.traffic),
                    logs.of("api")));
    recording =
        wish.map(wanted ->
            new NodeRecording(
                wanted,
                plan,
                goods.wanted.node(),
                version,
                goods.source,
                goods.wanted.settings().families(),
                logs.of("record")));
    return Stream.<Optional<? extends Observer>>of(api, recording, chart)
        .<Observer>flatMap(Optional::stream)
        .toList();
  }

  /** What records the cluster. */
  public ClusterRecorder recorder() {
    return recording.<ClusterRecorder>map(one -> one).orElse(ClusterRecorder.NONE);
  }

  /** Opens what is served of {@code daemon}. */
  public void open(NodeDaemon daemon, Goods goods) {
    api.ifPresent(served -> served.open(daemon.brain(), daemon.view()));
    if (chart.isPresent()) {
      chart.get().open(subject(daemon, goods), daemon.view());
    }
  }

  private ChartSubject subject(NodeDaemon daemon, Goods goods) {
    ChartSubject subject =
        ChartSubject.of(
            daemon.brain(),
            List.of(new ExplainedMode(goods.wanted.settings(), goods.dataplane)),
            goods.source,
            goods.reading,
            version);
    ChartSubject counted =
        goods
            .traffic
            .map(counts -> subject.counting(() -> Optional.of(NodeChart.reading(counts.get()))))
            .orElse(subject);
    return wish.map(wanted -> counted.recordedIn(wanted.folder())).orElse(counted);
  }

  @Override
  public void close() {
    if (chart.isPresent()) {
      chart.get().close();
    }
    api.ifPresent(NodeApi::close);
    recording.ifPresent(NodeRecording::close);
  }
}
