package dev.portolan.bench;

import dev.portolan.bench.daemon.Daemon;
import dev.portolan.bench.daemon.DaemonRules;
import dev.portolan.bench.daemon.DaemonStage;
import dev.portolan.bench.floor.BareClient;
import dev.portolan.bench.floor.StartFloor;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The whole daemon on a real API server, beside the real kube-proxy: each in turn, with the same
 * flags, in the same network namespace.
 */
final class DaemonBench {
  private static final int SERVICES = 10_000;
  private static final int ENDPOINTS = 6;
  private static final SyntheticCluster CLUSTER = new SyntheticCluster(SERVICES, ENDPOINTS, 100);
  private static final int STARTS = 5;
  private static final int ROUNDS = 2;
  private static final int CHANGES_A_SECOND = 50;
  private static final int SINGLE = 200;
  private static final int WARM_UP = 20;
  private static final int MINUTES =
      Integer.parseInt(System.getenv().getOrDefault("BENCH_MINUTES", "1"));

  private final Report report;
  private final DaemonStage stage;
  private final DaemonRules rules;

  private DaemonBench(Report report, DaemonStage stage) {
    this.report = report;
    this.stage = stage;
    this.rules = stage.rules();
  }

  static void run(Report report) {
    run(report, DaemonRules.InNftables::new);
  }

  /** Measures the daemon in {@code mode}. */
  static void run(Report report, DaemonStage.Mode mode) {
    DaemonStage.open(report, CLUSTER, mode, stage -> new DaemonBench(report, stage).measure());
  }

  /** Measures what {@code --record} costs. */
  static void recording(Report report) {
    DaemonStage.open(
        report,
        CLUSTER,
        DaemonRules.InNftables::new,
        stage -> new DaemonBench(report, stage).measureRecording());
  }

  private void measure() throws IOException, InterruptedException {
    stage.load(0, SERVICES);
    TimeUnit.SECONDS.sleep(15);
    Figures ours = portolan();
    Optional<Path> peer = Peers.find("kube-proxy");
    if (peer.isEmpty()) {
      report.progress("there is no kube-proxy to compare with; ./dev peers builds one");
      return;
    }
    Figures its = kubeProxy(peer.get());
    speed("start, as part of kube-proxy's", ours.start / its.start, 1.0 / 15, "");
    speed("resident after the start, the same", ours.resident / its.resident, 0.4, "");
    speed("resident after the changes, the same", ours.churned / its.churned, 0.4, "");
    speed("processor time of the changes, the same", ours.processor / its.processor, 0.2, "");
  }

  /** What both have, to be compared: seconds, megabytes, megabytes, seconds. */
  private record Figures(double start, double resident, double churned, double processor) {}

  /** Both in turn, more than once: what lies between two equal ones is noise. */
  private void measureRecording() throws IOException, InterruptedException {
    stage.load(0, SERVICES);
    double[] plain = new double[ROUNDS];
    double[] recording = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      plain[i] = warmChurn();
      recording[i] = warmChurn("--record=" + Files.createTempDirectory("record"));
    }
    double cost = (Arrays.stream(recording).sum() - Arrays.stream(plain).sum()) / ROUNDS;
    report.atMost("processor time of --record, of one core", 100 * cost / (60 * MINUTES), 2, "%");
  }

  /** The processor time of changes, once the daemon is warm. */
  private double warmChurn(String... options) throws IOException, InterruptedException {
    try (Daemon daemon = stage.startOurs(options)) {
      daemon.await(() -> rules.services("portolan") >= SERVICES);
      double _ = churn(daemon);
      report.progress("kube-proxy " + String.join(" ", options));
      return churn(daemon);
    } finally {
      rules.flush();
    }
  }

  /** What the machine allows for a start, in seconds. */
  private double floor() throws IOException, InterruptedException {
    report.progress("the floor: what the machine allows");
    double writing = NftablesBench.kernelPart(stage.namespace().path());
    StartFloor start = StartFloor.measure(stage.client(), stage.ours(), "node-0");
    report.value("floor: an empty JVM, with the daemon's options and cache", start.jvm(), "s");
    report.value(
        String.format(Locale.ROOT, "floor: reading the lists (%.1f MB, packed)", start.megabytes()),
        start.reading(),
        "s");
    report.value("  without TLS, from memory", start.plainReading(), "s");
    report.value("floor: unpacking and decoding them, warm, on two threads", start.decoding(), "s");
    report.value("floor: the kernel's part of writing the elements", writing, "s");
    return start.seconds(writing);
  }

  private Figures portolan() throws IOException, InterruptedException {
    // Elements are those of nftables.
    double floor = rules.isWatchable() ? floor() : Double.NaN;
    report.progress("portolan");
    double[] starts = new double[STARTS];
    for (int i = 1; i < STARTS; i++) {
      try (Daemon daemon = stage.startOurs()) {
        daemon.await(() -> rules.services("portolan") >= SERVICES);
        starts[i] = daemon.age();
      } finally {
        rules.flush();
      }
    }
    try (Daemon daemon = stage.startOurs()) {
      daemon.await(() -> rules.services("portolan") >= SERVICES);
      starts[0] = daemon.age();
      Arrays.sort(starts);
      speed("start to fully programmed, median of " + STARTS, starts[STARTS / 2], 1.5 * floor, "s");
      report.value("start to fully programmed, slowest", starts[STARTS - 1], "s");
      TimeUnit.SECONDS.sleep(10);
      double resident = daemon.figures().residentSize();
      report.value("  resident then", resident, "MB");
      if (rules.isWatchable()) {
        report.value("  start in terms of its floor", starts[STARTS / 2] / floor, "x");
        changes(daemon, "API write to changed rules", SINGLE, 400);
        changes(
            daemon,
            "API write to changed rules, 50 a second",
            10 * CHANGES_A_SECOND,
            1_000 / CHANGES_A_SECOND);
        report.progress("changes while a service of 5,000 endpoints is rewritten");
        double[] millis = new double[SINGLE];
        double[] floors = new double[SINGLE];
        BusyChanges.measure(stage, daemon, millis, floors);
        tell("the same while a large service is rewritten", millis, floors);
      }
      return churned(daemon, starts[STARTS / 2], resident);
    } finally {
      rules.flush();
    }
  }

  private Figures kubeProxy(Path program) throws IOException, InterruptedException {
    report.progress("the peer: " + program.getFileName());
    try (Daemon daemon = stage.start(program.toString())) {
      daemon.await(() -> rules.services("kube-proxy") >= SERVICES);
      double start = daemon.age();
      report.value("peer: kube-proxy, start to fully programmed", start, "s");
      daemon.await(stage::isQuiet);
      double resident = daemon.figures().residentSize();
      report.value("  resident then", resident, "MB");
      if (rules.isWatchable()) {
        report.value(
            "peer: kube-proxy, API write to changed rules, median",
            changes(daemon).millis(0.5),
            "ms");
      }
      return churned(daemon, start, resident);
    } finally {
      rules.flush();
    }
  }

  /** Single changes, each after a rest that is longer than the shortest time between two syncs. */
  private Samples changes(Daemon daemon) {
    return Samples.of(
        2,
        10,
        i -> {
          daemon.await(stage::isQuiet);
          return rules.generation();
        },
        (i, generation) -> {
          stage.change(20 * i % SERVICES);
          daemon.await(() -> rules.generation() != generation);
        });
  }

  /**
   * Changes at a fixed interval, and beside each its floor: when a bare client that watches has the
   * same event.
   */
  private void changes(Daemon daemon, String what, int count, int every)
      throws IOException, InterruptedException {
    report.progress(String.format(Locale.ROOT, "%,d changes, one every %d ms", count, every));
    double[] millis = new double[count];
    double[] floors = new double[count];
    try (BareClient.Watch watch =
        stage
            .client()
            .watch("/apis/discovery.k8s.io/v1/endpointslices?watch=true&resourceVersion=0")) {
      for (int i = -WARM_UP; i < count; i++) {
        int service = 20 * (i + WARM_UP) % SERVICES;
        int generation = rules.generation();
        long start = System.nanoTime();
        double event = watch.await(() -> stage.change(service)) / 1e6;
        daemon.await(() -> rules.generation() != generation);
        long end = System.nanoTime();
        if (i >= 0) {
          floors[i] = event;
          millis[i] = (end - start) / 1e6;
        }
        TimeUnit.NANOSECONDS.sleep(start + TimeUnit.MILLISECONDS.toNanos(every) - end);
      }
    }
    tell(what, millis, floors);
  }

  private void tell(String what, double[] millis, double[] floors) {
    double median = Samples.quantile(floors, 0.5);
    report.value("floor: its event at a bare client, median", median, "ms");
    report.atMost(what + ", median", Samples.quantile(millis, 0.5), 1.5 * median, "ms");
    double slow = Samples.quantile(floors, 0.99);
    report.value("floor: its event at a bare client, p99", slow, "ms");
    report.atMost(what + ", p99", Samples.quantile(millis, 0.99), 3 * slow, "ms");
  }

  private Figures churned(Daemon daemon, double start, double resident)
      throws IOException, InterruptedException {
    double processor = churn(daemon);
    double after = daemon.figures().residentSize();
    report.value("  resident then", after, "MB");
    report.value("  peak", daemon.figures().peakSize(), "MB");
    return new Figures(start, resident, after, processor);
  }

  /** Changes at a steady rate; returns the seconds of processor time that they cost. */
  private double churn(Daemon daemon) throws IOException, InterruptedException {
    report.progress(CHANGES_A_SECOND + " changes a second, for " + MINUTES + " min");
    double before = daemon.figures().processorSeconds();
    long start = System.nanoTime();
    int changes = MINUTES * 60 * CHANGES_A_SECOND;
    for (int i = 0; i < changes; i++) {
      stage.change(i * 7 % SERVICES);
      long next = start + TimeUnit.SECONDS.toNanos(1) * (i + 1) / CHANGES_A_SECOND;
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    }
    double seconds = daemon.figures().processorSeconds() - before;
    report.value("processor time, " + changes + " changes in " + MINUTES + " min", seconds, "s");
    return seconds;
  }

  /** A figure with a target, which is that of mode nftables. */
  private void speed(String what, double value, double target, String unit) {
    if (rules.mode().equals("nftables")) {
      report.atMost(what, value, target, unit);
    } else {
      report.value(what, value, unit);
    }
  }
}
