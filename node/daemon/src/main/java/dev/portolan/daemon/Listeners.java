package dev.portolan.daemon;

import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.file.SettingsTree;
import dev.portolan.config.flags.Flag;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.text.Json;
import dev.portolan.status.ProxyHealth;
import dev.portolan.status.ProxyHealthServer;
import dev.portolan.status.ProxyMetrics;
import dev.portolan.status.ServiceHealthServers;
import dev.portolan.status.pages.ManagementServer;
import dev.portolan.telemetry.http.PortUnavailableException;
import dev.portolan.telemetry.log.Log;
import dev.portolan.telemetry.log.Logs;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** All ports that the daemon opens: metrics, its own health, the health of services. */
final class Listeners implements AutoCloseable {
  private final ProxyConfiguration configuration;
  private final ClusterEvents events;
  private final Log log;
  private final ManagementServer management;
  private final Optional<ProxyHealthServer> health;
  private final ServiceHealthServers services;

  /** Nothing is open yet. */
  Listeners(
      StartPlan plan,
      Logs logs,
      String version,
      MetricRegistry registry,
      ProxyMetrics metrics,
      ProxyHealth state,
      Upstream upstream) {
    this.configuration = plan.configuration();
    this.events = upstream.events();
    this.log = logs.of("server");
    this.management =
        new ManagementServer(
            configuration.metricsBindAddress(), pages(plan, logs, version, registry));
    String address = configuration.healthzBindAddress();
    this.health =
        address.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ProxyHealthServer(address, state, IpFamily.ALL, metrics, upstream::addAge));
    this.services = new ServiceHealthServers(state::serves, new ServicePorts());
  }

  private static ManagementServer.Pages pages(
      StartPlan plan, Logs logs, String version, MetricRegistry registry) {
    FeatureGates gates = plan.gates();
    return new ManagementServer.Pages(
        registry,
        plan.configuration().mode().toString(),
        () -> Json.line(SettingsTree.of(plan.configuration().settings(), plan.shownAs())),
        gates.isOn("ComponentStatusz")
            ? Optional.of(
                new ManagementServer.Status(
                    Instant.now(),
                    "java" + Runtime.version().feature(),
                    version,
                    gates.emulated().toString()))
            : Optional.empty(),
        gates.isOn("ComponentFlagz") ? Optional.of(() -> flags(plan)) : Optional.empty(),
        plan.configuration().enableProfiling()
            ? Optional.of(level -> setVerbosity(logs, level))
            : Optional.empty());
  }

  private static SortedMap<String, String> flags(StartPlan plan) {
    SortedMap<String, String> values = new TreeMap<>();
    for (Flag flag : Flag.of(plan.platform()).values()) {
      values.put(flag.name(), plan.flags().text(flag.name()));
    }
    return values;
  }

  private static String setVerbosity(Logs logs, String level) {
    try {
      logs.setVerbosity(Integer.parseInt(level));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + level + "' is not a valid number; write one such as 4", e);
    }
    return "successfully set klog.logging.verbosity to " + level;
  }

  /**
   * Opens the ports.
   *
   * @throws PortUnavailableException where one cannot be opened and the configuration wants that to
   *     be fatal
   */
  void open() {
    open("FailedToStartMetricServer", problem -> management.open(mustOpen(), problem));
    health.ifPresent(server ->
        open("FailedToStartProxierHealthcheck", problem -> server.open(mustOpen(), problem)));
  }

  private boolean mustOpen() {
    return configuration.bindAddressHardFail();
  }

  private void open(String reason, Consumer<Consumer<String>> port) {
    try {
      port.accept(problem -> {
        log.error(problem, "code", ErrorCode.LISTEN);
        events.aboutNode("Warning", reason, problem);
      });
    } catch (PortUnavailableException e) {
      events.aboutNode("Warning", reason, String.valueOf(e.getMessage()));
      throw e;
    }
  }

  /** The ports of services that want their health known. */
  ServiceHealthServers services() {
    return services;
  }

  @Override
  public void close() {
    services.close();
    health.ifPresent(ProxyHealthServer::close);
    management.close();
  }

  private final class ServicePorts implements ServiceHealthServers.Listener {
    private final AtomicInteger failing = new AtomicInteger();

    @Override
    public void notOpened(NamespacedName service, int port, String cause) {
      String note = "cannot open the health check nodePort " + port + ": " + cause;
      if (failing.getAndIncrement() == 0) {
        log.error(note + "; further failures are logged at -v=2", "service", service);
      } else {
        log.v(2).warn(note, "service", service);
      }
      events.aboutService(service, "FailedToStartServiceHealthcheck", "Listen", note);
    }

    @Override
    public void opened(NamespacedName service, int port) {
      Log last = failing.decrementAndGet() == 0 ? log : log.v(2);
      last.info("The health check nodePort is open now", "service", service, "port", port);
    }
  }
}
