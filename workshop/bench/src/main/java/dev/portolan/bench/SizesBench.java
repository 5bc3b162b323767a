package dev.portolan.bench;

import dev.portolan.bench.daemon.Daemon;
import dev.portolan.bench.daemon.DaemonRules;
import dev.portolan.bench.daemon.DaemonStage;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The whole daemon on a real API server with clusters of several sizes, one of them from a report
 * of kube-proxy's users. Nothing may grow faster than the cluster, and a change not at all.
 */
final class SizesBench {
  private static final int NODES = 100;
  private static final int ENDPOINTS = 6;

  /** Of more, the API server needs hours to take them in: {@link GrowthBench} has those. */
  private static final int[] SERVICES = {1_000, 10_000};

  /** That of kubernetes/kubernetes#135639, rounded up to whole services. */
  private static final SyntheticCluster CROWDED = new SyntheticCluster(5_006, 50, NODES);

  private static final int WARM_UP = 20;
  private static final int CHANGES = 100;

  /** How many times the straight line through the smaller size a figure may be. */
  private static final double MOST = 2;

  private final Report report;
  private final DaemonStage stage;

  private SizesBench(Report report, DaemonStage stage) {
    this.report = report;
    this.stage = stage;
  }

  static void run(Report report) throws IOException, InterruptedException {
    DaemonStage.open(
        report,
        new SyntheticCluster(SERVICES[SERVICES.length - 1], ENDPOINTS, NODES),
        DaemonRules.InNftables::new,
        stage -> new SizesBench(report, stage).grow());
    DaemonStage.open(
        report,
        CROWDED,
        DaemonRules.InNftables::new,
        stage -> {
          stage.load(0, CROWDED.services());
          Figures _ =
              new SizesBench(report, stage).measure(CROWDED.services(), CROWDED.endpoints());
        });
  }

  /** Seconds, milliseconds, megabytes. */
  private record Figures(double start, double change, double resident) {}

  private void grow() throws IOException, InterruptedException {
    Figures before = null;
    for (int i = 0; i < SERVICES.length; i++) {
      stage.load(i == 0 ? 0 : SERVICES[i - 1], SERVICES[i]);
      Figures now = measure(SERVICES[i], ENDPOINTS);
      if (before != null) {
        double growth = (double) SERVICES[i] / SERVICES[i - 1];
        String than = ", in terms of %,d services".formatted(SERVICES[i - 1]);
        report.atMost("  start" + than, now.start / before.start, MOST * growth, "x");
        report.atMost("  one change" + than, now.change / before.change, MOST, "x");
        report.atMost("  resident" + than, now.resident / before.resident, growth, "x");
      }
      before = now;
    }
  }

  private Figures measure(int services, int endpoints) throws IOException, InterruptedException {
    String where = ", %,d services x %d".formatted(services, endpoints);
    TimeUnit.SECONDS.sleep(15);
    report.progress("portolan" + where);
    try (Daemon daemon = stage.start(stage.ours(), services)) {
      double start = daemon.startSeconds();
      report.value("start to fully programmed" + where, start, "s");
      TimeUnit.SECONDS.sleep(10);
      double resident = daemon.figures().residentSize();
      report.value("resident" + where, resident, "MB");
      Samples changes =
          Samples.given(
              WARM_UP,
              CHANGES,
              i -> {
                TimeUnit.MILLISECONDS.sleep(200);
                return stage.change(daemon, 20 * i % services);
              });
      double change = changes.millis(0.5);
      report.value("API write to changed rules" + where + ", median", change, "ms");
      return new Figures(start, change, resident);
    }
  }
}
