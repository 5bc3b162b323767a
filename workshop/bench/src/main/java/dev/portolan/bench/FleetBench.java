package dev.portolan.bench;

import dev.portolan.apiserver.ApiServer;
import dev.portolan.bench.daemon.Daemon;
import dev.portolan.bench.daemon.DaemonRules;
import dev.portolan.bench.daemon.DaemonStage;
import dev.portolan.bench.daemon.FleetBrain;
import dev.portolan.bench.daemon.WatchFleet;
import dev.portolan.bench.floor.BareSender;
import dev.portolan.bench.kit.BenchFolder;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SteadyChanges;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.bench.traffic.RawClient;
import dev.portolan.client.Connection;
import dev.portolan.netlink.DeadPeers;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Doorway;
import dev.portolan.tls.TlsException;
import dev.portolan.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A large cluster on a real API server, twice: each node watches the server, and brains watch it
 * for all nodes. Most nodes are connections of this process, which read, and report as a node does;
 * one is a real daemon, whose processor time is counted once for each node.
 */
final class FleetBench {
  private static final int NODES = Bench.variable("BENCH_NODES", 1000);
  private static final int SERVICES = Bench.variable("BENCH_SERVICES", 2 * NODES);
  private static final int ENDPOINTS = 6;
  private static final int SINGLE = Bench.variable("BENCH_SINGLE", 500);
  private static final int CHANGES_A_SECOND = Bench.variable("BENCH_RATE", 5);
  private static final int SECONDS = 60;
  private static final int QUIET_SECONDS = 30;
  private static final int FLOOR_SECONDS = 30;
  private static final int STARTS = 10;
  private static final int AT_ONCE = Bench.variable("BENCH_AT_ONCE", 1000);
  private static final int PATIENCE_SECONDS = 600;

  /** Whether clients notice a dead connection and a silent brain, as daemons do. */
  private static final boolean BEATING =
      Boolean.parseBoolean(System.getenv().getOrDefault("BENCH_HEARTBEATS", "true"));

  private final Report report;
  private final DaemonStage stage;
  private final ControlPlane plane;
  private final Path folder;
  private final boolean quietBefore;
  private final AtomicReference<CountDownLatch> round =
      new AtomicReference<>(new CountDownLatch(0));

  private final LongAdder bytes = new LongAdder();

  /** The watches that the API server has on itself. */
  private long own;

  private FleetBench(Report report, DaemonStage stage, Path folder, boolean quietBefore) {
    this.report = report;
    this.stage = stage;
    this.plane = stage.plane();
    this.folder = folder;
    this.quietBefore = quietBefore;
  }

  /** One way to feed nodes: who serves them, and what that costs; milliseconds and megabytes. */
  private static final class Way {
    private final String name;
    private final List<FleetBrain> brains;
    private double startTime;
    private double startBytes;
    private double median;
    private double p95;
    private double servers;
    private double brain;
    private double daemon;
    private double resident;
    private double sent;

    Way(String name, List<FleetBrain> brains) {
      this.name = name;
      this.brains = brains;
    }

    /** Of everything: one real daemon stands for each node. */
    double cluster() {
      return servers + NODES * daemon;
    }
  }

  static void run(Report report) throws IOException, InterruptedException {
    boolean quiet = Report.load() <= 1;
    try (BenchFolder folder = BenchFolder.create()) {
      DaemonStage.open(
          report,
          new SyntheticCluster(SERVICES, ENDPOINTS, NODES),
          DaemonRules.InNftables::new,
          stage -> {
            try {
              new FleetBench(report, stage, folder.path(), quiet).measure();
            } catch (TlsException e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }

  private void measure() throws IOException, InterruptedException, TlsException {
    report.progress(
        "%,d nodes, %,d services of %d endpoints".formatted(NODES, SERVICES, ENDPOINTS));
    stage.write(new SyntheticCluster(SERVICES, ENDPOINTS, NODES).all());
    @Nullable Way watching = null;
    @Nullable Way fed = null;
    for (String brains : System.getenv().getOrDefault("BENCH_BRAINS", "0,1").split(",", -1)) {
      if (brains.equals("0")) {
        watching = watching();
      } else {
        fed = fed(Integer.parseInt(brains));
      }
    }
    if (fed != null) {
      floor(fed);
    }
    if (watching != null && fed != null) {
      compare(watching, fed);
    }
  }

  /** Gives the API server a fresh start, and says what it has without any watch of ours. */
  private void restart(String way) throws IOException, InterruptedException {
    report.progress(way);
    plane.startServer();
    TimeUnit.SECONDS.sleep(15);
    report.value(way + ": API server resident before", server().residentSize(), "MB");
    own = watches();
  }

  private Way watching() throws IOException, InterruptedException {
    Way way = new Way("each node watches", List.of());
    restart(way.name);
    try (WatchFleet few = new WatchFleet(plane, () -> {})) {
      double before = server().processorSeconds();
      few.start(STARTS);
      way.startTime = (server().processorSeconds() - before) / STARTS * 1e3;
      way.startBytes = few.bytes() / 1e6 / STARTS;
      report.value("  one node starts: API server's processor time", way.startTime, "ms");
      report.value("  one node starts: sent by the API server", way.startBytes, "MB");
    }
    try (WatchFleet fleet = new WatchFleet(plane, () -> round.get().countDown())) {
      fleet.follow(NODES, AT_ONCE);
      require(!BEATING || DeadPeers.endAfter(ApiServer.DEAD_AFTER, plane.port()));
      try (Daemon daemon = stage.start(stage.ours(), SERVICES)) {
        measure(way, daemon, fleet::bytes);
      }
      report.value("  watches that the API server ended", fleet.ended(), "");
    }
    return way;
  }

  private Way fed(int count) throws IOException, InterruptedException, TlsException {
    Way way = new Way(count == 1 ? "1 brain" : count + " brains", new ArrayList<>());
    restart(way.name);
    TlsFiles files = FleetBrain.certificate(folder, "fleet");
    List<Connection> connections = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        way.brains.add(FleetBrain.start(plane.kubeconfig(), folder));
      }
      TimeUnit.SECONDS.sleep(5);
      report.value("  brain resident without nodes", brain(way).residentSize(), "MB");
      double before = processorSeconds(way);
      bytes.reset();
      long start = System.nanoTime();
      connect(way, files, connections);
      report.value("  all nodes connected and complete", (System.nanoTime() - start) / 1e9, "s");
      way.startTime = (processorSeconds(way) - before) / NODES * 1e3;
      way.startBytes = bytes.sum() / 1e6 / NODES;
      report.value("  one node starts: brain's processor time", way.startTime, "ms");
      report.value("  one node starts: sent by the brain", way.startBytes, "MB");
      int port = way.brains.getFirst().port();
      try (Doorway _ = new Doorway(new NetworkNamespace(stage.namespace().path()), port);
          Daemon daemon = stage.start(thin(port, files), SERVICES)) {
        measure(way, daemon, bytes::sum);
      }
    } finally {
      connections.forEach(Connection::close);
      way.brains.forEach(FleetBrain::close);
    }
    return way;
  }

  /** A daemon that a brain feeds. */
  private DaemonStage.Program thin(int port, TlsFiles files) {
    return stage.ours(
        "--api=tcp://127.0.0.1:" + port,
        "--tls-key=" + files.key(),
        "--tls-crt=" + files.certificate(),
        "--tls-ca=" + files.ca());
  }

  /** Many at the same moment, as after a restart of a brain. */
  private void connect(Way way, TlsFiles files, List<Connection> connections)
      throws IOException, InterruptedException, TlsException {
    CountDownLatch all = new CountDownLatch(NODES);
    Semaphore places = new Semaphore(AT_ONCE);
    for (int i = 0; i < NODES; i++) {
      require(places.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS));
      FleetBrain brain = way.brains.get(i % way.brains.size());
      Connection connection = Connection.open(brain.address(), Optional.of(files));
      connections.add(connection);
      boolean[] first = {true};
      RawClient.follow(
          connection,
          SyntheticCluster.name(i),
          BEATING ? Connection.Options.DEFAULT.heartbeat() : Duration.ZERO,
          bytes,
          time -> {
            if (first[0]) {
              first[0] = false;
              places.release();
              all.countDown();
            } else {
              round.get().countDown();
            }
          });
    }
    require(all.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  /** How many watches the API server says it has. */
  private long watches() {
    return plane
        .request("GET", "/metrics", "")
        .lines()
        .filter(line -> line.startsWith("apiserver_longrunning_requests{"))
        .filter(line -> line.contains("verb=\"WATCH\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  /** What can be counted. */
  private interface Sent {
    long bytes();
  }

  /** Measures nodes that are connected, {@code daemon} among them. */
  private void measure(Way way, Daemon daemon, Sent sent) throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(5);
    report.value("  watches on the API server", (double) (watches() - own), "");
    report.value("  API server resident with all nodes", server().residentSize(), "MB");
    if (!way.brains.isEmpty()) {
      report.value("  brain resident with all nodes", brain(way).residentSize(), "MB");
    }
    way.resident = daemon.figures().residentSize();
    report.value("  a real daemon resident", way.resident, "MB");
    quiet(way);
    single(way, daemon);
    churn(way, daemon, sent);
  }

  /** What it costs that nodes ask whether the other side is there, while nothing changes. */
  private void quiet(Way way) throws IOException, InterruptedException {
    double ofServer = server().processorSeconds();
    double ofBrains = processorSeconds(way);
    TimeUnit.SECONDS.sleep(QUIET_SECONDS);
    report.value(
        "  nothing changes: API server's processor time per second",
        (server().processorSeconds() - ofServer) / QUIET_SECONDS * 1e3,
        "ms");
    if (!way.brains.isEmpty()) {
      report.value(
          "  nothing changes: processor time of all brains per second",
          (processorSeconds(way) - ofBrains) / QUIET_SECONDS * 1e3,
          "ms");
    }
  }

  /**
   * Single changes of services that matter to every node, each until the last node has it and the
   * real one has it in its rules.
   */
  private void single(Way way, Daemon daemon) throws IOException, InterruptedException {
    report.progress(SINGLE + " single changes");
    Samples samples =
        Samples.given(
            20,
            SINGLE,
            i -> {
              CountDownLatch everybody = new CountDownLatch(NODES);
              round.set(everybody);
              int rules = stage.rules().generation();
              long start = System.nanoTime();
              stage.change(i * 20 % SERVICES);
              require(everybody.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
              daemon.await(() -> stage.rules().generation() != rules);
              return System.nanoTime() - start;
            });
    way.median = samples.millis(0.5);
    way.p95 = samples.millis(0.95);
    report.value("  API write until the last node has it, median", way.median, "ms");
    report.value("  API write until the last node has it, p95", way.p95, "ms");
  }

  /** Changes at a steady rate, for a time. */
  private void churn(Way way, Daemon daemon, Sent sent) throws IOException, InterruptedException {
    report.progress(CHANGES_A_SECOND + " changes per second, for " + SECONDS + " s");
    int changes = CHANGES_A_SECOND * SECONDS;
    ProcessFigures harness = new ProcessFigures(ProcessHandle.current().pid());
    double ofServer = server().processorSeconds();
    double ofBrains = processorSeconds(way);
    double ofDaemon = daemon.figures().processorSeconds();
    double ofHarness = harness.processorSeconds();
    long before = sent.bytes();
    SteadyChanges.make(changes, CHANGES_A_SECOND, i -> stage.change(i * 7 % SERVICES));
    TimeUnit.SECONDS.sleep(2);
    double server = (server().processorSeconds() - ofServer) / changes * 1e3;
    way.brain = (processorSeconds(way) - ofBrains) / changes * 1e3;
    way.servers = server + way.brain;
    way.daemon = (daemon.figures().processorSeconds() - ofDaemon) / changes * 1e3;
    way.sent = (sent.bytes() - before) / 1e6 / changes;
    String rate = "  %d changes per second: ".formatted(CHANGES_A_SECOND);
    report.value(rate + "API server's processor time per change", server, "ms");
    if (!way.brains.isEmpty()) {
      report.value(rate + "processor time of all brains per change", way.brain, "ms");
    }
    report.value(rate + "a real daemon's processor time per change", way.daemon, "ms");
    report.value(rate + "that of the whole cluster per change", way.cluster(), "ms");
    report.value(
        rate + "that of this benchmark",
        (harness.processorSeconds() - ofHarness) / changes * 1e3,
        "ms");
    report.value("  sent to all nodes per change", way.sent, "MB");
    report.value("  API server resident then", server().residentSize(), "MB");
    report.value("  API server resident at most", server().peakSize(), "MB");
    if (!way.brains.isEmpty()) {
      report.value("  brain resident then", brain(way).residentSize(), "MB");
      report.value("  brain resident at most", brain(way).peakSize(), "MB");
    }
    way.resident = Math.max(way.resident, daemon.figures().residentSize());
    report.value("  a real daemon resident then", daemon.figures().residentSize(), "MB");
  }

  /** What sending the same bytes takes a process that does nothing else. */
  private void floor(Way fed) throws IOException, InterruptedException {
    report.progress("the floor");
    int each = (int) (fed.sent * 1e6 / NODES);
    double encrypted =
        BareSender.perMessage(
            Optional.of(FleetBrain.certificate(folder, "fleet")),
            NODES,
            each,
            CHANGES_A_SECOND,
            FLOOR_SECONDS);
    report.value("floor: the same bytes by a bare sender, per change", encrypted, "ms");
    report.value(
        "floor: the same without TLS",
        BareSender.perMessage(Optional.empty(), NODES, each, CHANGES_A_SECOND, FLOOR_SECONDS),
        "ms");
    target("brain's processor time per change, of its floor", fed.brain / encrypted, 1.5);
  }

  /** How often what a brain costs is what it replaces. */
  private void compare(Way watching, Way fed) {
    target("whole cluster's processor time per change", fed.cluster() / watching.cluster(), 1);
    target("that of API server and brains", fed.servers / watching.servers, 1);
    target("API write until the last node has it, median", fed.median / watching.median, 1);
    target("API write until the last node has it, p95", fed.p95 / watching.p95, 1.1);
    target("sent per change", fed.sent / watching.sent, 0.3);
    target("one node starts: sent", fed.startBytes / watching.startBytes, 0.7);
    target("one node starts: processor time", fed.startTime / watching.startTime, 0.2);
    target("a real daemon's processor time per change", fed.daemon / watching.daemon, 1);
    target("a real daemon resident at most", fed.resident / watching.resident, 0.8);
  }

  /** A ratio; whether it is reached cannot be said of a machine that had other things to do. */
  private void target(String what, double ratio, double most) {
    if (quietBefore) {
      report.atMost("ratio: " + what, ratio, most, "x");
    } else {
      report.value("ratio: " + what, ratio, "x");
    }
  }

  /** One brain stands for all of them. */
  private static ProcessFigures brain(Way way) {
    return way.brains.getFirst().figures();
  }

  private ProcessFigures server() {
    return new ProcessFigures(plane.serverPid());
  }

  private static double processorSeconds(Way way) throws IOException {
    double seconds = 0;
    for (FleetBrain brain : way.brains) {
      seconds += brain.figures().processorSeconds();
    }
    return seconds;
  }

  private static void require(boolean done) {
    if (!done) {
      throw new IllegalStateException("a change did not reach every node in time");
    }
  }
}
