package dev.portolan.bench;

import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.ResidentKinds;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import java.io.IOException;
import java.lang.ref.Reference;

/** What is resident of a process, by kind, and what a service and an endpoint cost the model. */
final class MemoryBench {
  private static final int SERVICES = 10_000;
  private static final int MANY = 11;

  private MemoryBench() {}

  /** The rows of a process. */
  static void tell(Report report, ProcessFigures process) throws IOException {
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
  static void model(Report report) {
    report.progress("the model: bytes of a service and of an endpoint");
    double few = used(1);
    double many = used(MANY);
    double endpoint = (many - few) / (MANY - 1) / SERVICES;
    report.value("model: an endpoint", endpoint, "bytes");
    report.value("model: a service without its endpoints", few / SERVICES - endpoint, "bytes");
  }

  private static double used(int endpoints) {
    double before = Samples.liveHeap();
    Brain brain = new Brain(warning -> {});
    brain.apply(new SyntheticCluster(SERVICES, endpoints, 100).all());
    NodeView view = brain.open(SyntheticCluster.name(0), NodeSettings.DEFAULT);
    try {
      return (Samples.liveHeap() - before) * 1e6;
    } finally {
      Reference.reachabilityFence(view);
    }
  }
}
