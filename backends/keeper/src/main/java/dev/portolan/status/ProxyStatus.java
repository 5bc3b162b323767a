package dev.portolan.status;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.http.MetricsPage;
import dev.portolan.telemetry.http.PageServer;
import dev.portolan.telemetry.http.PortUnavailableException;
import dev.portolan.telemetry.http.StandingPort;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.telemetry.metrics.ProcessMetrics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Serves over HTTP what kube-proxy serves beside its rules, for a backend that a keeper runs: hand
 * it to the {@link dev.portolan.sync.Keeper} as an observer.
 *
 * <pre>{@code
 * var options = ProxyStatus.Options.NOTHING.healthz("0.0.0.0:10256").healthCheckNodePorts(true);
 * try (ProxyStatus status = ProxyStatus.open(node, options);
 *     Keeper keeper = new Keeper(node, backend, Keeper.Options.DEFAULT, status)) {
 *   keeper.run();
 * }
 * }</pre>
 */
public final class ProxyStatus implements Observer, AutoCloseable {
  private final NodeFeed feed;
  private final MetricRegistry registry = new MetricRegistry();
  private final ProxyMetrics metrics =
      new ProxyMetrics(registry, IpFamily.ALL, InstantSource.system());
  private final ProxyHealth health;
  private final Optional<ProxyHealthServer> healthz;
  private final Optional<ServiceHealthServers> services;
  private final PageServer pages;

  private final StatusObserver observer;

  /**
   * What is served.
   *
   * @param healthz where {@code /healthz} and {@code /livez} are served, such as {@code
   *     0.0.0.0:10256}; nowhere if empty
   * @param metrics where {@code /metrics} is served, such as {@code 127.0.0.1:10249}; nowhere if
   *     empty
   * @param healthCheckNodePorts whether the health-check nodePorts of services are served
   * @param patience how long a decision may wait for the backend before {@code /healthz} fails
   * @param log receives a line for each port that cannot be opened
   */
  public record Options(
      String healthz,
      String metrics,
      boolean healthCheckNodePorts,
      Duration patience,
      Consumer<String> log) {
    /** Nothing is served; a decision may wait for a minute, as kube-proxy has it by default. */
    public static final Options NOTHING =
        new Options("", "", false, Duration.ofMinutes(1), problem -> {});

    /** The same with {@code /healthz} and {@code /livez}. */
    public Options healthz(String address) {
      return new Options(address, metrics, healthCheckNodePorts, patience, log);
    }

    /** The same with {@code /metrics}. */
    public Options metrics(String address) {
      return new Options(healthz, address, healthCheckNodePorts, patience, log);
    }

    /** The same with the health-check nodePorts of services, or without. */
    public Options healthCheckNodePorts(boolean wanted) {
      return new Options(healthz, metrics, wanted, patience, log);
    }

    /** The same with an observer of ports that cannot be opened. */
    public Options log(Consumer<String> told) {
      return new Options(healthz, metrics, healthCheckNodePorts, patience, told);
    }
  }

  private ProxyStatus(NodeFeed feed, Options options) {
    this.feed = feed;
    this.health = new ProxyHealth(options.patience);
    this.healthz =
        options.healthz.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ProxyHealthServer(
                    "--healthz-bind-address",
                    options.healthz,
                    health,
                    IpFamily.ALL,
                    metrics,
                    answer -> {},
                    StandingPort.PAUSE));
    this.services =
        options.healthCheckNodePorts
            ? Optional.of(new ServiceHealthServers(health::serves, new Ports(options.log)))
            : Optional.empty();
    this.observer =
        new StatusObserver(
            metrics, health, change -> services.ifPresent(servers -> servers.update(change)));
    ProcessMetrics.register(registry);
    this.pages =
        PageServer.open(
            options.metrics,
            "--metrics-bind-address",
            Map.of("/metrics", request -> MetricsPage.of(request, registry)));
  }

  /**
   * Opens the pages. Health-check nodePorts are opened as services ask for them.
   *
   * @param feed what the keeper follows
   * @throws PortUnavailableException where a page's port cannot be opened
   * @throws IllegalArgumentException where an address is not valid
   */
  public static ProxyStatus open(NodeFeed feed, Options options) {
    ProxyStatus status = new ProxyStatus(feed, options);
    try {
      status.healthz.ifPresent(server -> server.open(true, problem -> {}));
    } catch (PortUnavailableException e) {
      status.close();
      throw e;
    }
    status.health.updated(0);
    feed.onChange(status::decided);
    status.decided();
    return status;
  }

  private void decided() {
    observer.decided(feed.image());
  }

  @Override
  public void applied(NodeChange change, Duration took) {
    observer.applied(change, took);
  }

  @Override
  public void failed(BackendException failure, Duration took, Duration pause) {
    observer.failed(failure, took, pause);
  }

  @Override
  public void audited(int differences) {
    observer.audited(differences);
  }

  @Override
  public void repaired(int objects, String cause) {
    observer.repaired(objects, cause);
  }

  @Override
  public void contested(int repairs, String cause, Duration pause) {
    observer.contested(repairs, cause, pause);
  }

  @Override
  public void uncontested() {
    observer.uncontested();
  }

  @Override
  public void rulesMissing(String why) {
    observer.rulesMissing(why);
  }

  @Override
  public void rulesInPlace() {
    observer.rulesInPlace();
  }

  /** Where the pages are, in this order: health, metrics; 0 where one is not served. */
  int[] ports() {
    return new int[] {healthz.map(ProxyHealthServer::port).orElse(0), pages.port()};
  }

  /** Closes every port. */
  @Override
  public void close() {
    services.ifPresent(ServiceHealthServers::close);
    healthz.ifPresent(ProxyHealthServer::close);
    pages.close();
  }

  /** Says which health-check nodePort cannot be opened, and when it is. */
  private record Ports(Consumer<String> log) implements ServiceHealthServers.Listener {
    @Override
    public void notOpened(NamespacedName service, int port, String cause) {
      log.accept(
          service
              + ": cannot open the health-check nodePort "
              + port
              + ": "
              + cause
              + "; retrying");
    }

    @Override
    public void opened(NamespacedName service, int port) {
      log.accept(service + ": the health-check nodePort " + port + " is open now");
    }
  }
}
