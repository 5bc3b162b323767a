package dev.portolan.daemon;

import dev.portolan.apiserver.ApiException;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.config.ConfigWatch;
import dev.portolan.config.NodeAddresses;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.validation.ClusterShape;
import dev.portolan.config.validation.Retirement;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import dev.portolan.daemon.health.ProxyHealth;
import dev.portolan.daemon.host.Init;
import dev.portolan.daemon.metrics.BackendMetrics;
import dev.portolan.daemon.metrics.ProxyMetrics;
import dev.portolan.source.kube.KubeSource;
import dev.portolan.sync.Observer;
import dev.portolan.takeover.Leftovers;
import dev.portolan.takeover.Takeover;
import dev.portolan.takeover.TakeoverOptions.Own;
import dev.portolan.telemetry.http.PortUnavailableException;
import dev.portolan.telemetry.log.Log;
import dev.portolan.telemetry.log.Logs;
import dev.portolan.telemetry.metrics.BuildInfo;
import dev.portolan.telemetry.metrics.Family;
import dev.portolan.telemetry.metrics.Gauge;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.telemetry.metrics.ProcessMetrics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The daemon under one configuration: from its start until it ends or has to start again. */
final class Session {
  private static final String LOCALHOST_GATE = "KubeProxyNFTablesLocalhostNodePorts";
  private static final Duration FOR_NODE = Duration.ofSeconds(30);
  private static final Duration FOR_POD_CIDRS = Duration.ofMinutes(5);

  private final StartPlan plan;
  private final ProxyConfiguration configuration;
  private final Logs logs;
  private final Log log;
  private final String version;
  private final DaemonLock lock;
  private final String node;
  private final MetricRegistry registry = new MetricRegistry();
  private final ProxyMetrics metrics;
  private final BackendMetrics backendMetrics;
  private final ProxyHealth health;
  private final FutureTask<Ending> life = new FutureTask<>(this::live);
  private final Thread worker = Thread.ofPlatform().name("session").unstarted(life);
  private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
  private volatile @Nullable NodeAddresses addresses;

  Session(StartPlan plan, Logs logs, String version, DaemonLock lock) {
    this.plan = plan;
    this.configuration = plan.configuration();
    this.logs = logs;
    this.log = logs.of("kube-proxy");
    this.version = version;
    this.lock = lock;
    this.node = ClusterAccess.nodeName(configuration);
    String mode = configuration.mode().toString();
    this.metrics = new ProxyMetrics(registry, mode, IpFamily.ALL, InstantSource.system());
    this.backendMetrics = new BackendMetrics(registry, mode, false);
    this.health = new ProxyHealth(configuration.syncPeriod().multipliedBy(2));
  }

  /**
   * Works until the calling thread is interrupted, or something ends it. The work has a thread of
   * its own, so that a call to stop is never taken for one to start again.
   */
  Ending run() {
    worker.start();
    boolean stopped = false;
    while (true) {
      try {
        Ending why = life.get();
        return stopped ? new Ending.Stopped() : why;
      } catch (InterruptedException e) {
        stopped = true;
        end(new Ending.Stopped());
      } catch (ExecutionException e) {
        throw new IllegalStateException("the daemon failed: " + e.getCause(), e.getCause());
      }
    }
  }

  private Ending live() {
    Optional<ConfigWatch> watch = plan.source().map(file -> ConfigWatch.start(plan, new OwnFile()));
    try (ApiServer api = ClusterAccess.open(plan, version);
        EventRecorder events = new EventRecorder(api, node, logs.of("events"))) {
      work(api, events);
      return ended();
    } catch (InterruptedException e) {
      return ended();
    } catch (ConfigException | BackendException | PortUnavailableException | ApiException e) {
      return new Ending.Failed(
          unbuilt().orElse(ErrorCode.of(e).mark(String.valueOf(e.getMessage()))));
    } finally {
      watch.ifPresent(ConfigWatch::close);
    }
  }

  private Ending ended() {
    Ending why = ending.get();
    return why == null
        ? unbuilt().<Ending>map(Ending.Failed::new).orElseGet(Ending.Stopped::new)
        : why;
  }

  /**
   * Why this mode cannot run, where it cannot; the cluster hears of its deprecation all the same.
   */
  private Optional<String> unbuilt() {
    return ModeBackend.unbuilt(configuration.mode());
  }

  /** Ends the session, from whatever thread. */
  private void end(Ending why) {
    if (ending.compareAndSet(null, why)) {
      worker.interrupt();
    }
  }

  private void work(ApiServer api, EventRecorder events) throws InterruptedException {
    KubeSource.Options options =
        KubeSource.Options.DEFAULT.withContentType(configuration.clientConnection().contentType());
    KubeSource source = new KubeSource(api, Optional.of(node), options);
    describe(source);
    Family<Gauge> deprecations =
        registry.gauges("portolan_deprecation", "1 for each deprecated feature in use.", "reason");
    for (Retirement.Notice notice : plan.notices()) {
      events.aboutNode("Warning", notice.reason(), notice.text());
      deprecations.with(notice.reason()).set(1);
    }
    if (unbuilt().isPresent()) {
      return;
    }
    log.info("Starting", "version", version, "node", node, "server", api.address());
    if (plan.gates().isOn(LOCALHOST_GATE)) {
      log.warn(
          "This feature is not implemented: nodePorts are not served on localhost",
          "gate",
          LOCALHOST_GATE);
    }
    lock.hold(configuration.mode().toString(), plan.flags().truth("wait-lock"), log::info);
    try (Intake intake = new Intake(source, node, new OwnNode());
        Listeners listeners =
            new Listeners(plan, logs, version, registry, metrics, health, source, events)) {
      listeners.open();
      prepareHost();
      NodeAddresses decided = decide(intake);
      addresses = decided;
      log.info("The node is known", "addresses", decided.byFamily().values());
      ModeBackend mode = ModeBackend.open(configuration, KubeProxy.table(plan));
      mode.counting().accept(backendMetrics);
      // A daemon without it never loads gRPC.
      Optional<NodeApi> served =
          plan.apiListen()
              .map(socket ->
                  new NodeApi(
                      socket,
                      configuration.mode().toString(),
                      api.address().toString(),
                      version,
                      logs.of("api")));
      Telemetry telemetry =
          new Telemetry(
              logs.of("sync"),
              metrics,
              backendMetrics,
              health,
              listeners.services(),
              note -> events.aboutNode("Warning", "RulesContested", "SyncProxyRules", note));
      NodeDaemon.Plan wanted =
          NodePlan.of(node, plan, decided, mode.backend(), () -> afterFirstSync(mode));
      try (NodeDaemon daemon =
          new NodeDaemon(intake, wanted, telemetry, served.stream().toArray(Observer[]::new))) {
        health.updated(0);
        events.aboutNode("Normal", "Starting", "");
        served.ifPresent(server -> server.open(daemon.brain(), daemon.view()));
        daemon.run();
      } finally {
        served.ifPresent(NodeApi::close);
      }
    }
  }

  /** Registers metrics that are read on request. */
  private void describe(KubeSource source) {
    ProcessMetrics.register(registry);
    FeatureGates gates = plan.gates();
    ProcessMetrics.build(
        registry,
        BuildInfo.of(
            Integer.toString(gates.emulated().major()),
            Integer.toString(gates.emulated().minor()),
            version));
    Family<Gauge> features = ProcessMetrics.features(registry);
    gates.samples().forEach(gate -> features.with(gate.name(), gate.stage()).set(gate.value()));
    backendMetrics.watches(source::state);
  }

  private void prepareHost() {
    Init.Report report = new Init().run(configuration.linux());
    report.set().forEach(log::info);
    report.refused().forEach(log.v(2)::warn);
    if (!report.isUsable()) {
      throw ConfigException.of("linux.conntrack", String.join("; ", report.fatal()));
    }
  }

  /** Waits for the Node and decides what its addresses and families are. */
  private NodeAddresses decide(Intake intake) throws InterruptedException {
    boolean needsPodCidrs = configuration.detectLocalMode().equals("NodeCIDR");
    Optional<Node> found = intake.awaitNode(one -> !NodePlan.addresses(one).isEmpty(), FOR_NODE);
    if (needsPodCidrs && found.filter(one -> !one.podCidrs().isEmpty()).isEmpty()) {
      log.info("Waiting for the node's pod CIDRs", "atMost", FOR_POD_CIDRS);
      found = intake.awaitNode(one -> !one.podCidrs().isEmpty(), FOR_POD_CIDRS);
      if (found.filter(one -> !one.podCidrs().isEmpty()).isEmpty()) {
        throw ConfigException.of(
            "detectLocalMode",
            "NodeCIDR, but the Node "
                + node
                + " has no pod CIDR after "
                + FOR_POD_CIDRS.toMinutes()
                + " minutes; allocate one, or use another detectLocalMode");
      }
    }
    List<String> podCidrs = found.map(Node::podCidrs).orElse(List.of());
    if (found.map(NodePlan::addresses).orElse(List.of()).isEmpty()) {
      log.warn("The Node has no address; set --node-ip-override if this persists", "node", node);
    }
    NodeAddresses decided =
        NodeAddresses.decide(configuration, found.map(NodePlan::addresses).orElse(List.of()));
    check(new ClusterShape(decided.primary(), decided.byFamily().size() > 1, podCidrs));
    return decided;
  }

  /** Says what is questionable now that the node is known; some of it ends the start. */
  private void check(ClusterShape shape) {
    List<Finding> found = plan.questionableIn(shape);
    List<Finding> errors =
        found.stream().filter(finding -> finding.severity() == FindingSeverity.ERROR).toList();
    if (!errors.isEmpty()) {
      throw new ConfigException(errors);
    }
    found.forEach(finding -> log.warn(finding.toString()));
  }

  /** Most of the heap is by now what the start left; it is given back once. */
  private void afterFirstSync(ModeBackend mode) {
    for (String what : mode.replaced().get()) {
      log.warn("Replaced rules that another program wrote", "what", what);
    }
    takeOver(mode.own());
    Thread.ofVirtual().name("tidy").start(System::gc);
  }

  /** Our rules are in place; what a kube-proxy left may go. */
  private void takeOver(Own own) {
    if (plan.flags().truth("keep-leftovers")) {
      return;
    }
    Leftovers leftovers = Takeover.find(KubeProxy.leftovers(plan, own));
    if (leftovers.isEmpty()) {
      leftovers.unknown().forEach(log.v(2)::warn);
      return;
    }
    Leftovers.Removal removal = leftovers.remove();
    removal.removed().forEach(what -> log.info("Removed what kube-proxy left", "what", what));
    removal
        .stayed()
        .forEach(what ->
            log.error(
                "Could not remove what kube-proxy left", "code", ErrorCode.TAKEOVER, "what", what));
  }

  /** Starts again when the file is another one; a bad one changes nothing. */
  private final class OwnFile implements ConfigWatch.Listener {
    @Override
    public void changed(StartPlan next) {
      end(
          plan.exitOnConfigChange()
              ? new Ending.Failed("the configuration file changed, so this process exits")
              : new Ending.Restart(next, "the configuration file changed"));
    }

    @Override
    public void refused(List<Finding> errors) {
      errors.forEach(error ->
          log.error(
              "The changed configuration file is not valid and is not used",
              "code",
              ErrorCode.CONFIGURATION,
              "error",
              error));
    }
  }

  /** Follows the Node object; what the brain cannot follow by itself starts the session again. */
  private final class OwnNode implements Intake.Listener {
    @Override
    public void nodeChanged(Node now) {
      NodeAddresses before = addresses;
      if (before == null) {
        return;
      }
      try {
        NodeAddresses decided = NodeAddresses.decide(configuration, NodePlan.addresses(now));
        if (!decided.byFamily().keySet().equals(before.byFamily().keySet())) {
          end(new Ending.Restart(plan, "the node has addresses of other families"));
        }
      } catch (ConfigException e) {
        log.error(
            "The node's new addresses are not usable",
            "code",
            ErrorCode.CONFIGURATION,
            "cause",
            e.getMessage());
      }
    }

    @Override
    public void nodeDeleted() {
      log.warn("The Node object is gone; traffic is still served", "node", node);
    }

    @Override
    public void problem(String sentence) {
      log.warn(sentence);
    }
  }
}
