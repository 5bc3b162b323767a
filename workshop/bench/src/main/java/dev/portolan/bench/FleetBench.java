package dev.portolan.bench;

import dev.portolan.apiserver.ApiServer;
import dev.portolan.bench.daemon.FleetBrain;
import dev.portolan.bench.daemon.WatchFleet;
import dev.portolan.bench.kit.BenchFolder;
import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SteadyChanges;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.bench.traffic.RawClient;
import dev.portolan.client.Connection;
import dev.portolan.netlink.DeadPeers;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Peers;
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

/**
 * A large cluster on a real API server, twice: each node watches the server, and brains watch it
 * for all nodes. Processor time and memory of each process are the figures; the clients of both
 * ways are many connections of this one process.
 */
final class FleetBench {
  private static final int NODES = Bench.variable("BENCH_NODES", 1000);
  private static final int SERVICES = Bench.variable("BENCH_SERVICES", 2 * NODES);
  private static final int ENDPOINTS = 6;
  private static final int SINGLE = 40;
  private static final int CHANGES_A_SECOND = 5;
  private static final int SECONDS = 60;
  private static final int STARTS = 10;
  private static final int AT_ONCE = Bench.variable("BENCH_AT_ONCE", 1000);
  private static final int PATIENCE_SECONDS = 600;

  /** Whether clients notice a dead connection and a silent brain, as daemons do. */
  private static final boolean BEATING =
      Boolean.parseBoolean(System.getenv().getOrDefault("BENCH_HEARTBEATS", "true"));

  private final Report report;
  private final ControlPlane plane;
  private final Path folder;
  private final ApiWriter api;
  private final SyntheticCluster cluster = new SyntheticCluster(SERVICES, ENDPOINTS, NODES);
  private final int[] versions = new int[SERVICES];
  private final AtomicReference<CountDownLatch> round =
      new AtomicReference<>(new CountDownLatch(0));

  private final LongAdder bytes = new LongAdder();

  /** The watches that the API server has on itself. */
  private long own;

  private FleetBench(Report report, ControlPlane plane, Path folder) {
    this.report = report;
    this.plane = plane;
    this.folder = folder;
    this.api = new ApiWriter(plane);
  }

  static void run(Report report) throws IOException, InterruptedException, TlsException {
    if (Peers.find("kube-apiserver").isEmpty() || Peers.find("etcd").isEmpty()) {
      report.progress("there is no API server to measure with; ./dev peers builds one");
      return;
    }
    try (ControlPlane plane = new ControlPlane();
        BenchFolder folder = BenchFolder.create()) {
      new FleetBench(report, plane, folder.path()).measure();
    }
  }

  private void measure() throws IOException, InterruptedException, TlsException {
    report.progress(
        "%,d nodes, %,d services of %d endpoints".formatted(NODES, SERVICES, ENDPOINTS));
    api.apply(cluster.all());
    for (String brains : System.getenv().getOrDefault("BENCH_BRAINS", "0,1,3").split(",", -1)) {
      if (brains.equals("0")) {
        daemons();
      } else {
        brains(Integer.parseInt(brains));
      }
    }
  }

  /** Gives the API server a fresh start, and says what it has without any watch of ours. */
  private void restart(String way) throws IOException, InterruptedException {
    report.progress(way);
    plane.startServer();
    TimeUnit.SECONDS.sleep(15);
    report.value(way + ": load of this machine before", Report.load(), "");
    report.value("  API server resident before", server().residentSize(), "MB");
    own = watches();
  }

  private void daemons() throws IOException, InterruptedException {
    restart("each node watches");
    try (WatchFleet few = new WatchFleet(plane, () -> {})) {
      double before = server().processorSeconds();
      few.start(STARTS);
      double spent = server().processorSeconds() - before;
      report.value("  one node starts: API server's processor time", spent / STARTS * 1e3, "ms");
      report.value("  one node starts: sent by the API server", few.bytes() / 1e6 / STARTS, "MB");
    }
    try (WatchFleet fleet = new WatchFleet(plane, () -> round.get().countDown())) {
      fleet.follow(NODES);
      require(!BEATING || DeadPeers.endAfter(ApiServer.DEAD_AFTER, plane.port()));
      connected();
      quiet(List.of());
      changes(List.of());
      long bytes = fleet.bytes();
      churn(List.of());
      report.value(
          "  sent by the API server per change", (fleet.bytes() - bytes) / 1e6 / churned(), "MB");
      report.value("  watches that the API server ended", fleet.ended(), "");
    }
  }

  private void brains(int count) throws IOException, InterruptedException, TlsException {
    restart(count == 1 ? "1 brain" : count + " brains");
    TlsFiles files = FleetBrain.certificate(folder, "fleet");
    List<FleetBrain> brains = new ArrayList<>();
    List<Connection> connections = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        brains.add(FleetBrain.start(plane.kubeconfig(), folder));
      }
      TimeUnit.SECONDS.sleep(5);
      report.value("  brain resident without nodes", figures(brains).residentSize(), "MB");
      double before = processorSeconds(brains);
      bytes.reset();
      long start = System.nanoTime();
      connect(brains, files, connections);
      report.value("  all nodes connected and complete", (System.nanoTime() - start) / 1e9, "s");
      report.value(
          "  one node starts: brain's processor time",
          (processorSeconds(brains) - before) / NODES * 1e3,
          "ms");
      report.value("  one node starts: sent by the brain", bytes.sum() / 1e6 / NODES, "MB");
      report.value("  brain resident at most, so far", figures(brains).peakSize(), "MB");
      connected();
      quiet(brains);
      changes(brains);
      bytes.reset();
      churn(brains);
      report.value("  sent by the brains per change", bytes.sum() / 1e6 / churned(), "MB");
    } finally {
      connections.forEach(Connection::close);
      brains.forEach(FleetBrain::close);
    }
  }

  /** Many at the same moment, as after a restart of a brain. */
  private void connect(List<FleetBrain> brains, TlsFiles files, List<Connection> connections)
      throws IOException, InterruptedException, TlsException {
    CountDownLatch all = new CountDownLatch(NODES);
    Semaphore places = new Semaphore(AT_ONCE);
    for (int i = 0; i < NODES; i++) {
      require(places.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS));
      Connection connection =
          Connection.open(brains.get(i % brains.size()).address(), Optional.of(files));
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

  private void connected() throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(5);
    report.value("  watches on the API server", (double) (watches() - own), "");
    report.value("  API server resident with them", server().residentSize(), "MB");
  }

  /** What it costs that nodes ask whether the other side is there, while nothing changes. */
  private void quiet(List<FleetBrain> brains) throws IOException, InterruptedException {
    double ofServer = server().processorSeconds();
    double ofBrains = processorSeconds(brains);
    TimeUnit.SECONDS.sleep(SECONDS);
    report.value(
        "  nothing changes: API server's processor time per second",
        (server().processorSeconds() - ofServer) / SECONDS * 1e3,
        "ms");
    if (!brains.isEmpty()) {
      report.value(
          "  nothing changes: processor time of all brains per second",
          (processorSeconds(brains) - ofBrains) / SECONDS * 1e3,
          "ms");
    }
  }

  /** Single changes of services that matter to every node, each until the last node has it. */
  private void changes(List<FleetBrain> brains) throws IOException, InterruptedException {
    Samples samples =
        Samples.given(
            5,
            SINGLE,
            i -> {
              CountDownLatch everybody = new CountDownLatch(NODES);
              round.set(everybody);
              long start = System.nanoTime();
              change(i * 20 % SERVICES);
              require(everybody.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
              return System.nanoTime() - start;
            });
    report.value("  API write until the last node has it, median", samples.millis(0.5), "ms");
    report.value("  API write until the last node has it, p99", samples.millis(0.99), "ms");
    if (!brains.isEmpty()) {
      report.value("  brain resident", figures(brains).residentSize(), "MB");
    }
  }

  /** Changes at a steady rate, for a time. */
  private void churn(List<FleetBrain> brains) throws IOException, InterruptedException {
    report.progress(CHANGES_A_SECOND + " changes per second, for " + SECONDS + " s");
    double ofServer = server().processorSeconds();
    double ofBrains = processorSeconds(brains);
    long start = System.nanoTime();
    SteadyChanges.make(churned(), CHANGES_A_SECOND, i -> change(i * 7 % SERVICES));
    TimeUnit.SECONDS.sleep(5);
    double seconds = (System.nanoTime() - start) / 1e9;
    String rate = "  %d changes in %.0f s: ".formatted(churned(), seconds);
    report.value(
        rate + "API server's processor time per change",
        (server().processorSeconds() - ofServer) / churned() * 1e3,
        "ms");
    report.value("  API server resident then", server().residentSize(), "MB");
    report.value("  API server resident at most", server().peakSize(), "MB");
    if (!brains.isEmpty()) {
      report.value(
          rate + "processor time of all brains per change",
          (processorSeconds(brains) - ofBrains) / churned() * 1e3,
          "ms");
      report.value("  brain resident then", figures(brains).residentSize(), "MB");
      report.value("  brain resident at most", figures(brains).peakSize(), "MB");
    }
  }

  private static int churned() {
    return CHANGES_A_SECOND * SECONDS;
  }

  private void change(int i) {
    versions[i]++;
    api.apply(BenchObjects.written(cluster.slice(i, versions[i])));
  }

  /** One brain stands for all of them. */
  private static ProcessFigures figures(List<FleetBrain> brains) {
    return brains.getFirst().figures();
  }

  private ProcessFigures server() {
    return new ProcessFigures(plane.serverPid());
  }

  private static double processorSeconds(List<FleetBrain> brains) throws IOException {
    double seconds = 0;
    for (FleetBrain brain : brains) {
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
