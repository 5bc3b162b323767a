package dev.portolan.daemon.outlet;

import dev.portolan.brain.NodeView;
import dev.portolan.config.StartPlan;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.status.traffic.PortTraffic;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.log.Log;
import dev.portolan.tls.TlsFiles;
import dev.portolan.wiring.ChartOpener;
import dev.portolan.wiring.ChartSubject;
import dev.portolan.wiring.FleetProgress;
import dev.portolan.wiring.NodeProgress;
import dev.portolan.wiring.TrafficReading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Serves a chart of what is decided for this node, with how far the node is.
 *
 * <p>Only a daemon with {@code --chart-listen} loads this class. Like the API it is opened in the
 * background, and retried if that fails; nothing else waits for it.
 */
final class NodeChart implements Observer, AutoCloseable {
  private final ChartOpener opener;
  private final Log log;
  private @Nullable Opening opening;
  private ChartOpener.@Nullable OpenChart chart;
  private boolean closed;
  private long applied;
  private @Nullable Instant behindSince;
  private String failure = "";
  private String unrepaired = "";
  private String audit = "";
  private long repairs;

  private NodeChart(ChartOpener opener, Log log) {
    this.opener = opener;
    this.log = log;
  }

  /** The chart that {@code plan} asks for, if it does; nothing is open yet. */
  static Optional<NodeChart> of(StartPlan plan, ChartMaker maker, Optional<TlsFiles> tls, Log log) {
    String address = plan.flags().text("chart-listen");
    String token = plan.flags().text("chart-token-file");
    if (address.isEmpty()) {
      if (!token.isEmpty()) {
        throw ConfigException.of("--chart-token-file", "only used with --chart-listen; add it");
      }
      return Optional.empty();
    }
    try {
      return Optional.of(new NodeChart(maker.at(address, tls, token, line -> log.warn(line)), log));
    } catch (IllegalArgumentException e) {
      throw ConfigException.of("--chart-listen", String.valueOf(e.getMessage()));
    }
  }

  /** Starts to serve {@code subject}, as {@code view} sees it. */
  synchronized void open(ChartSubject subject, NodeView view) {
    view.onChange(this::changed);
    ChartSubject shown =
        subject.on(view.node()).following(() -> List.of(progress(view.node(), view)));
    opening =
        Opening.start(
            "chart", "The chart is not served yet", log, () -> opened(opener.open(shown)));
  }

  private synchronized void opened(ChartOpener.OpenChart started) {
    if (closed) {
      started.close();
      return;
    }
    chart = started;
    log.info("Serving the chart", "url", started.url());
  }

  private synchronized void changed() {
    if (behindSince == null) {
      behindSince = Instant.now();
    }
  }

  private synchronized NodeProgress progress(String node, NodeView view) {
    long revision = view.image().revision();
    Instant since = applied < revision ? behindSince : null;
    return new NodeProgress(
        node,
        revision,
        applied,
        since == null ? Duration.ZERO : Duration.between(since, Instant.now()),
        true,
        failure.isEmpty() ? unrepaired : failure,
        audit,
        Optional.of(repairs));
  }

  @Override
  public synchronized void applied(NodeChange change, Duration took) {
    applied = change.after().revision();
    behindSince = null;
    failure = "";
  }

  @Override
  public synchronized void failed(BackendException cause, Duration took, Duration pause) {
    failure = String.valueOf(cause.getMessage());
  }

  @Override
  public synchronized void audited(int differences) {
    audit = FleetProgress.audit(Instant.now(), differences);
  }

  @Override
  public synchronized void repaired(int objects, String cause) {
    repairs++;
  }

  @Override
  public synchronized void notRepaired(BackendException cause) {
    unrepaired = String.valueOf(cause.getMessage());
  }

  @Override
  public synchronized void recovered() {
    unrepaired = "";
  }

  /** What was counted, by service. */
  static TrafficReading reading(List<PortTraffic> counted) {
    Map<NamespacedName, List<TrafficReading.OfPort>> services = new TreeMap<>();
    for (PortTraffic traffic : counted) {
      ServicePortName name = traffic.port();
      services
          .computeIfAbsent(name.service(), service -> new ArrayList<>())
          .add(
              new TrafficReading.OfPort(
                  (name.port().isEmpty() ? "" : name.port() + "/") + name.protocol(),
                  traffic.totals().getOrDefault(Kind.CONNECTIONS, 0L),
                  traffic.totals().getOrDefault(Kind.REFUSED, 0L),
                  traffic.totals().getOrDefault(Kind.DROPPED, 0L)));
    }
    return new TrafficReading(
        Instant.now(),
        services.entrySet().stream()
            .map(entry -> new TrafficReading.OfService(entry.getKey(), entry.getValue()))
            .toList());
  }

  /** Serves no longer. */
  @Override
  public synchronized void close() {
    closed = true;
    if (opening != null) {
      opening.close();
    }
    if (chart != null) {
      chart.close();
    }
  }
}
