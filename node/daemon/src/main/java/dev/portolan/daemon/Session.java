package dev.portolan.daemon;

import dev.portolan.apiserver.ApiException;
import dev.portolan.config.NodeIps;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.validation.ClusterShape;
import dev.portolan.config.validation.Retirement;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Threads;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.daemon.host.Init;
import dev.portolan.daemon.metrics.ClientMetrics;
import dev.portolan.daemon.metrics.FlowMetrics;
import dev.portolan.daemon.metrics.LocalhostMetrics;
import dev.portolan.daemon.outlet.ChartMaker;
import dev.portolan.daemon.outlet.Outlets;
import dev.portolan.localhost.LocalhostFamilies;
import dev.portolan.localhost.LocalhostNodePorts;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeListener;
import dev.portolan.mode.ModeMetric;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.OpenBackend;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.source.union.HeldSource;
import dev.portolan.status.ProxyHealth;
import dev.portolan.status.ProxyMetrics;
import dev.portolan.status.traffic.PortTraffic;
import dev.portolan.status.traffic.TrafficMetrics;
import dev.portolan.status.traffic.TrafficTotals;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.http.PortUnavailableException;
import dev.portolan.telemetry.log.Log;
import dev.portolan.telemetry.log.Logs;
import dev.portolan.telemetry.metrics.BuildInfo;
import dev.portolan.telemetry.metrics.Family;
import dev.portolan.telemetry.metrics.Gauge;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.telemetry.metrics.ProcessMetrics;
import dev.portolan.wiring.NodeDaemon;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The daemon under one configuration: from its start until it ends or has to start again. */
final class Session {
  private static final Duration FOR_NODE = Duration.ofSeconds(30);
  private static final Duration FOR_POD_CIDRS = Duration.ofMinutes(5);

  /** How often the first sync of a session on trial may fail. */
  private static final int FIRST_SYNCS = 4;

  private final StartPlan plan;
  private final ProxyConfiguration configuration;
  private final Logs logs;
  private final Log log;
  private final String version;
  private final DaemonLock lock;
  private final ChartMaker charts;
  private final String node;
  private final MetricRegistry registry = new MetricRegistry();
  private final ProxyMetrics metrics;
  private final ProxyHealth health;
  private final Optional<LocalhostFamilies> localhost;
  private final ModeRules rules;
  private final FutureTask<Ending> life = new FutureTask<>(this::live);
  private final Thread worker = Threads.platform("session").unstarted(life::run);
  private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
  private final Trial trial;
  private final Succession succession;
  private Optional<Supplier<List<PortTraffic>>> traffic = Optional.empty();
  private volatile @Nullable NodeIps addresses;
  private volatile @Nullable Node known;
  private volatile boolean serving;

  /**
   * What was before a session.
   *
   * @param mayGoBack whether another configuration served before, and is to serve again where this
   *     one fails at its start
   * @param refused the text in the file, where that failed and is not the plan's
   */
  record Trial(boolean mayGoBack, Optional<String> refused) {}

  Session(
      StartPlan plan, Trial trial, Logs logs, String version, DaemonLock lock, ChartMaker charts) {
    this.plan = plan;
    this.trial = trial;
    this.configuration = plan.configuration();
    this.logs = logs;
    this.log = logs.of("kube-proxy");
    this.version = version;
    this.lock = lock;
    this.charts = charts;
    this.node = ClusterAccess.nodeName(configuration);
    this.metrics = new ProxyMetrics(registry, IpFamily.ALL, InstantSource.system());
    this.localhost = ModeConfiguration.localhost(plan);
    this.rules =
        KernelModes.rules(configuration.mode(), ModeConfiguration.of(plan).telling(listener()));
    this.health = new ProxyHealth(configuration.syncPeriod().multipliedBy(2));
    this.succession = new Succession(plan, log);
  }

  /**
   * Works until the calling thread is interrupted, or something ends it. The work has a thread of
   * its own, so that a request to stop is never mistaken for one to start again.
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

  /** Routes what a backend says, and its access log, to ours. */
  private ModeListener listener() {
    Log connections = logs.of("access");
    return new ModeListener() {
      @Override
      public void connection(String line) {
        connections.info(line);
      }

      @Override
      public void say(String sentence) {
        log.info(sentence);
      }
    };
  }

  /** Whether the rules were in place once. */
  boolean isServing() {
    return serving;
  }

  private Ending live() {
    try (Upstream upstream = open()) {
      Optional<ConfigWatch> watch = watchFile(upstream.events());
      try {
        work(upstream);
      } finally {
        watch.ifPresent(ConfigWatch::close);
      }
      return ended();
    } catch (InterruptedException e) {
      return ended();
    } catch (ConfigException | BackendException | PortUnavailableException | ApiException e) {
      return new Ending.Failed(ErrorCode.of(e).mark(String.valueOf(e.getMessage())));
    }
  }

  private Optional<ConfigWatch> watchFile(ClusterEvents events) {
    return plan.watched()
        .map(source -> {
          OwnFile file = new OwnFile(events, registry, log, this::takeUp);
          trial.refused.ifPresent(text -> file.notUsed("the changed configuration did not start"));
          return ConfigWatch.start(plan, trial.refused.orElse(source.text()), file);
        });
  }

  /** Starts again with another configuration, if it can run here. */
  private void takeUp(StartPlan next) {
    try {
      List<Finding> errors = StartCheck.errors(plan, next, known, version);
      if (!errors.isEmpty()) {
        throw new ConfigException(errors);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    end(
        plan.exitOnConfigChange()
            ? new Ending.Failed("the configuration file changed, so this process exits")
            : new Ending.Restart(next, "the configuration file changed"));
  }

  private Ending ended() {
    Ending why = ending.get();
    return why == null ? new Ending.Stopped() : why;
  }

  /** Ends the session, from whatever thread. */
  private void end(Ending why) {
    if (ending.compareAndSet(null, why)) {
      worker.interrupt();
    }
  }

  /** A daemon that is not fed by a brain never loads gRPC's client. */
  private Upstream open() throws ApiException {
    Optional<BrainAccess> brain = BrainAccess.of(plan);
    return brain.isPresent()
        ? new BrainUpstream(
            brain.get(), node, "kube-proxy " + configuration.mode(), registry, logs.of("brain"))
        : new ApiServerUpstream(
            plan, node, version, logs, new ClientMetrics(registry), new OwnNode());
  }

  private void work(Upstream upstream) throws InterruptedException {
    describe();
    ClusterEvents events = upstream.events();
    Family<Gauge> deprecations = registry.gauges("portolan_deprecation");
    for (Retirement.Notice notice : plan.notices()) {
      events.aboutNode("Warning", notice.reason(), notice.text());
      deprecations.with(notice.reason()).set(1);
    }
    log.info("Starting", "version", version, "node", node, "server", upstream.address());
    lock.hold(
        KernelModes.of(configuration.mode()).map(Mode::lock).orElse(""),
        plan.flags().truth("wait-lock"),
        log::info);
    OtherProxy beside =
        new OtherProxy(ProxySearch.of(configuration.metricsBindAddress()), events, registry, log);
    boolean _ = beside.isThere();
    try (beside;
        Listeners listeners =
            new Listeners(plan, logs, version, registry, metrics, health, upstream);
        LocalhostNodePorts ports =
            new LocalhostNodePorts(
                localhost.orElse(LocalhostFamilies.NONE), new LocalhostMetrics(registry, log))) {
      Telemetry telemetry =
          new Telemetry(
              logs.of("sync"),
              metrics,
              health,
              listeners.services(),
              ports,
              note -> upstream.events().aboutNode("Warning", "RulesContested", note));
      switch (upstream) {
        case ApiServerUpstream server -> decideAndProgram(server, listeners, telemetry, beside);
        case BrainUpstream brain -> program(brain, listeners, telemetry, beside);
      }
    }
  }

  private void decideAndProgram(
      ApiServerUpstream server, Listeners listeners, Telemetry telemetry, OtherProxy beside)
      throws InterruptedException {
    HeldSource cluster = server.cluster();
    try (Outlets outlets =
        new Outlets(plan, version, logs, charts, BrainAccess.certificates(plan))) {
      listeners.open();
      prepareHost();
      NodeIps decided = decide(cluster);
      addresses = decided;
      log.info("The node is known", "addresses", decided.byFamily().values());
      OpenBackend mode = open(server.events());
      NodeDaemon.Plan wanted =
          NodePlan.of(
              node, plan, decided, mode.backend(), succession.from(mode, beside, server::open));
      Outlets.Goods goods =
          new Outlets.Goods(server.address(), server.source(), wanted, rules.dataplane(), traffic);
      List<Observer> observers = observers(mode.backend());
      observers.addAll(outlets.prepare(goods));
      try (NodeDaemon daemon =
          new NodeDaemon(
              cluster, wanted, telemetry, outlets.recorder(), observers.toArray(Observer[]::new))) {
        begin(server);
        outlets.open(daemon, goods);
        daemon.run();
      }
    }
  }

  /** Programs what a remote brain has decided; everything else is done as with one of our own. */
  private void program(
      BrainUpstream brain, Listeners listeners, Telemetry telemetry, OtherProxy beside)
      throws InterruptedException {
    List<String> ignored = BrainAccess.ignored(plan);
    if (!ignored.isEmpty()) {
      log.warn("With --api these have no effect; set them for the brain", "fields", ignored);
    }
    listeners.open();
    prepareHost();
    NodeFacts facts = brain.awaitNode(FOR_NODE);
    if (!facts.isMissing()) {
      log.info("The node is known", "addresses", facts.addresses());
    } else {
      log.warn(
          "The brain's cluster has no such Node; set --hostname-override if this persists",
          "node",
          node);
    }
    OpenBackend mode = open(brain.events());
    begin(brain);
    brain.keep(
        mode.backend(),
        NodePlan.keeping(plan, succession.from(mode, beside, () -> {})),
        telemetry,
        observers(mode.backend()));
  }

  private OpenBackend open(ClusterEvents events) {
    OpenBackend opened = rules.open(new SocketObstacle(log, events));
    if (plan.flags().truth("traffic-counters")) {
      count(opened.backend());
    }
    return opened;
  }

  /** Notices the first sync, and measures what not every backend has. */
  private List<Observer> observers(Backend backend) {
    List<Observer> observers = new ArrayList<>(List.of(new FirstSync()));
    if (backend.usesConntrack()) {
      observers.add(new FlowMetrics(registry));
      registry.read(
          "portolan_ipvs_takeover_connections", samples -> samples.add(succession.connections()));
    }
    for (ModeMetric metric : rules.measured()) {
      observers.add(metric.counting().register(registry, backend));
    }
    return observers;
  }

  /** Counts the traffic of services, for metrics and for the API. */
  private void count(Backend backend) {
    int series = (int) Math.min(Integer.MAX_VALUE, plan.flags().number("traffic-series"));
    TrafficTotals totals = new TrafficTotals(series, InstantSource.system());
    TrafficMetrics counted = new TrafficMetrics(registry, totals, backend::traffic);
    traffic =
        Optional.of(() -> {
          counted.refresh();
          return totals.ports();
        });
  }

  /** The syncs begin. */
  private void begin(Upstream upstream) {
    health.updated(0);
    upstream.events().aboutNode("Normal", "Starting", "");
  }

  /** Registers metrics that are read on request. */
  private void describe() {
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
  private NodeIps decide(HeldSource cluster) throws InterruptedException {
    boolean needsPodCidrs = configuration.detectLocalMode().equals("NodeCIDR");
    Optional<Node> found = cluster.awaitNode(one -> !NodePlan.addresses(one).isEmpty(), FOR_NODE);
    if (needsPodCidrs && found.filter(one -> !one.podCidrs().isEmpty()).isEmpty()) {
      log.info("Waiting for the node's pod CIDRs", "atMost", FOR_POD_CIDRS);
      found = cluster.awaitNode(one -> !one.podCidrs().isEmpty(), FOR_POD_CIDRS);
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
    known = found.orElse(null);
    List<String> podCidrs = found.map(Node::podCidrs).orElse(List.of());
    if (found.map(NodePlan::addresses).orElse(List.of()).isEmpty()) {
      log.warn("The Node has no address; set --node-ip-override if this persists", "node", node);
    }
    NodeIps decided =
        NodeIps.decide(configuration, found.map(NodePlan::addresses).orElse(List.of()));
    check(new ClusterShape(decided.primary(), decided.byFamily().size() > 1, podCidrs));
    return decided;
  }

  /** Says what is questionable now that the node is known; some of it ends the start. */
  private void check(ClusterShape shape) {
    List<Finding> found = plan.questionableIn(shape);
    List<Finding> errors = Finding.errors(found);
    if (!errors.isEmpty()) {
      throw new ConfigException(errors.stream().map(plan::locate).toList());
    }
    found.forEach(finding -> log.warn(finding.toString()));
  }

  /** Notices the first sync; a session on trial ends where the kernel refuses it. */
  private final class FirstSync implements Observer {
    private int failures;

    @Override
    public void applied(NodeChange change, Duration took) {
      serving = true;
    }

    @Override
    public void failed(BackendException failure, Duration took, Duration pause) {
      failures++;
      if (trial.mayGoBack && !serving && failures == FIRST_SYNCS) {
        end(new Ending.Failed(failure.code().mark(String.valueOf(failure.getMessage()))));
      }
    }
  }

  /** Follows the Node object; what the brain cannot follow by itself starts the session again. */
  private final class OwnNode implements HeldSource.Listener {
    @Override
    public void nodeChanged(Node now) {
      known = now;
      NodeIps before = addresses;
      if (before == null) {
        return;
      }
      try {
        NodeIps decided = NodeIps.decide(configuration, NodePlan.addresses(now));
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
