package dev.portolan.bench;

import dev.portolan.bench.daemon.Daemon;
import dev.portolan.bench.daemon.DaemonRules;
import dev.portolan.bench.daemon.DaemonStage;
import dev.portolan.bench.daemon.TimedChanges;
import dev.portolan.bench.floor.StartFloor;
import dev.portolan.bench.kit.BenchFolder;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SteadyChanges;
import dev.portolan.bench.kit.SyntheticCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The whole daemon on a real API server, beside the real kube-proxy: each in turn, with the same
 * flags, in the same network namespace.
 */
final class DaemonBench {
  private static final int SERVICES = 10_000;
  private static final SyntheticCluster CLUSTER = new SyntheticCluster(SERVICES, 6, 100);
  private static final int STARTS = 5;
  private static final int ROUNDS = 2;
  private static final int CHANGES_A_SECOND = 50;
  private static final int SINGLE = 200;
  private static final int MINUTES = Bench.variable("BENCH_MINUTES", 1);

  private final Report report;
  private final DaemonStage stage;
  private final DaemonRules rules;

  private DaemonBench(Report report, DaemonStage stage) {
    this.report = report;
    this.stage = stage;
    this.rules = stage.rules();
  }

  /** Measures the daemon in {@code mode}. */
  static void run(Report report, DaemonStage.Mode mode) throws IOException, InterruptedException {
    DaemonStage.open(report, CLUSTER, mode, stage -> new DaemonBench(report, stage).measure());
  }

  /** Measures what {@code --record} costs. */
  static void recording(Report report) throws IOException, InterruptedException {
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
    Optional<DaemonStage.Program> peer = stage.peer();
    if (peer.isPresent()) {
      Figures its = kubeProxy(peer.get());
      speed("start, as part of kube-proxy's", ours.start / its.start, 1.0 / 15, "");
      speed("resident after the start, the same", ours.resident / its.resident, 0.4, "");
      speed("resident after the changes, the same", ours.churned / its.churned, 0.4, "");
      speed("processor time of the changes, the same", ours.processor / its.processor, 0.2, "");
    }
  }

  /** What both have, to be compared: seconds, megabytes, megabytes, seconds. */
  private record Figures(double start, double resident, double churned, double processor) {}

  /** Both in turn, more than once: what lies between two equal ones is noise. */
  private void measureRecording() throws IOException, InterruptedException {
    stage.load(0, SERVICES);
    double cost = 0;
    try (BenchFolder folder = BenchFolder.create()) {
      for (int i = 0; i < ROUNDS; i++) {
        cost -= warmChurn() / ROUNDS;
        cost += warmChurn("--record=" + Files.createDirectory(folder.file("" + i))) / ROUNDS;
      }
    }
    report.atMost("processor time of --record, of one core", 100 * cost / (60 * MINUTES), 2, "%");
  }

  /** The processor time of changes, once the daemon is warm. */
  private double warmChurn(String... options) throws IOException, InterruptedException {
    try (Daemon daemon = stage.start(stage.ours(options), SERVICES)) {
      double _ = churn(daemon);
      report.progress("kube-proxy " + String.join(" ", options));
      return churn(daemon);
    }
  }

  /** What the machine allows for a start, in seconds. */
  private double floor() throws IOException, InterruptedException {
    report.progress("the floor: what the machine allows");
    double writing = NftablesBench.fullLoad(stage.namespace().path())[1];
    StartFloor start = StartFloor.measure(stage.client(), stage.ours().command(), "node-0");
    report.value("floor: an empty JVM, with the daemon's options and cache", start.jvm(), "s");
    report.value(
        "floor: reading the lists (%.1f MB, packed)".formatted(start.megabytes()),
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
      try (Daemon daemon = stage.start(stage.ours(), SERVICES)) {
        starts[i] = daemon.startSeconds();
      }
    }
    try (Daemon daemon = stage.start(stage.ours(), SERVICES)) {
      starts[0] = daemon.startSeconds();
      Arrays.sort(starts);
      double start = starts[STARTS / 2];
      speed("start to fully programmed, median of " + STARTS, start, 1.5 * floor, "s");
      report.value("start to fully programmed, slowest", starts[STARTS - 1], "s");
      TimeUnit.SECONDS.sleep(10);
      double resident = daemon.figures().residentSize();
      report.value("  resident then", resident, "MB");
      if (rules.isWatchable()) {
        report.value("  start in terms of its floor", start / floor, "x");
        changes(daemon, "API write to changed rules", SINGLE, 400);
        changes(
            daemon,
            "API write to changed rules, 50 a second",
            10 * CHANGES_A_SECOND,
            1_000 / CHANGES_A_SECOND);
        report.progress("changes while a service of 5,000 endpoints is rewritten");
        BusyChanges.measure(stage, daemon, SINGLE)
            .tell(report, "the same while a large service is rewritten");
      }
      return churned(daemon, start, resident);
    }
  }

  private Figures kubeProxy(DaemonStage.Program program) throws IOException, InterruptedException {
    report.progress("the peer: " + program.name());
    try (Daemon daemon = stage.start(program, SERVICES)) {
      double start = daemon.startSeconds();
      report.value("peer: kube-proxy, start to fully programmed", start, "s");
      daemon.await(stage::isQuiet);
      double resident = daemon.figures().residentSize();
      report.value("  resident then", resident, "MB");
      if (rules.isWatchable()) {
        // Each after a rest that is longer than the shortest time between two syncs.
        Samples changes =
            Samples.given(
                2,
                10,
                i -> {
                  daemon.await(stage::isQuiet);
                  return stage.change(daemon, 20 * i % SERVICES);
                });
        report.value(
            "peer: kube-proxy, API write to changed rules, median", changes.millis(0.5), "ms");
      }
      return churned(daemon, start, resident);
    }
  }

  private void changes(Daemon daemon, String what, int count, int every)
      throws IOException, InterruptedException {
    report.progress("%,d changes, one every %d ms".formatted(count, every));
    TimedChanges.measure(
            stage,
            daemon,
            "",
            count,
            every,
            i -> stage.change(20 * i % SERVICES),
            rules::generation)
        .tell(report, what);
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
    report.progress("%d changes a second, for %d min".formatted(CHANGES_A_SECOND, MINUTES));
    double before = daemon.figures().processorSeconds();
    int changes = MINUTES * 60 * CHANGES_A_SECOND;
    SteadyChanges.make(changes, CHANGES_A_SECOND, i -> stage.change(i * 7 % SERVICES));
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
