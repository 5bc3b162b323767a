package dev.portolan.bench;

import dev.portolan.bench.daemon.Daemon;
import dev.portolan.bench.daemon.DaemonRules;
import dev.portolan.bench.daemon.DaemonStage;
import dev.portolan.bench.daemon.FleetBrain;
import dev.portolan.bench.kit.BenchFolder;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.ResidentKinds;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.concurrent.TimeUnit;

/** What is resident of a process, by kind, and what a service and an endpoint cost the model. */
final class MemoryBench {
  private static final int SERVICES = 10_000;
  private static final int MANY = 11;

  private static final int ENDPOINTS = 6;
  private static final int FEW = 10;

  private final Report report;
  private final DaemonStage stage;

  private MemoryBench(Report report, DaemonStage stage) {
    this.report = report;
    this.stage = stage;
  }

  static void run(Report report) throws IOException, InterruptedException {
    model(report);
    DaemonStage.open(
        report,
        new SyntheticCluster(SERVICES, ENDPOINTS, 100),
        DaemonRules.InNftables::new,
        stage -> new MemoryBench(report, stage).measure());
  }

  private void measure() throws IOException, InterruptedException {
    stage.load(0, FEW);
    resident("idle with " + FEW + " services", FEW, 60);
    stage.load(FEW, SERVICES);
    TimeUnit.SECONDS.sleep(15);
    try (BenchFolder folder = BenchFolder.create()) {
      String socket = "unix://" + folder.file("brain.sock");
      try (FleetBrain _ =
          FleetBrain.start(stage.plane().kubeconfig(), folder.path(), "--listen=" + socket)) {
        resident("a node fed by a brain", SERVICES, 50, "--api=" + socket);
      }
    }
    DaemonStage.Program peer = stage.peer().orElseThrow();
    report.progress("the peer: " + peer.name());
    double its;
    try (Daemon daemon = stage.start(peer, SERVICES)) {
      daemon.await(stage::isQuiet);
      its = daemon.figures().residentSize();
      report.value("peer: kube-proxy", its, "MB");
      tell(daemon.figures());
    }
    resident("after the start", SERVICES, 0.4 * its);
  }

  private void resident(String when, int services, double target, String... options)
      throws IOException, InterruptedException {
    report.progress("portolan, " + when);
    try (Daemon daemon = stage.start(stage.ours(options), services)) {
      TimeUnit.SECONDS.sleep(10);
      report.atMost("portolan, " + when, daemon.figures().residentSize(), target, "MB");
      tell(daemon.figures());
    }
  }

  /** The rows of a process. */
  private void tell(ProcessFigures process) throws IOException {
    ResidentKinds kinds = ResidentKinds.of(process);
    report.value("    of it its own", kinds.own(), "MB");
    if (kinds.heap() > 0) {
      report.value("      heap", kinds.heap(), "MB");
      report.value("      class cache, where it was written to", kinds.classes(), "MB");
      report.value("      compiled code", kinds.code(), "MB");
      report.value("      threads, buffers, malloc", kinds.rest(), "MB");
    }
    report.value("    shared with other processes of the program", kinds.shared(), "MB");
  }

  /** Objects of a cluster, what the brain makes of them, and the view of one node. */
  private static void model(Report report) {
    report.progress("the model: bytes of a service and of an endpoint");
    double few = used(1);
    double many = used(MANY);
    double endpoint = (many - few) / (MANY - 1) / SERVICES;
    report.value("model: an endpoint", endpoint, "bytes");
    report.value("model: a service without its endpoints", few / SERVICES - endpoint, "bytes");
  }

  private static double used(int endpoints) {
    double before = Samples.liveHeap();
    BenchNode node = new BenchNode(new SyntheticCluster(SERVICES, endpoints, 100).all());
    try {
      return (Samples.liveHeap() - before) * 1e6;
    } finally {
      Reference.reachabilityFence(node);
    }
  }
}
