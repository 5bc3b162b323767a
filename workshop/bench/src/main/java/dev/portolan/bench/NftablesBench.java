package dev.portolan.bench;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.ColdStart;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.nftables.Nftables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** How fast the kernel is programmed. */
final class NftablesBench {
  private static final int ENDPOINTS = 6;
  private static final SyntheticCluster CLUSTER = new SyntheticCluster(10_000, ENDPOINTS, 100);
  private static final int TIMES = 9;

  private NftablesBench() {}

  static void run(Report report) throws IOException {
    try (BenchNamespace namespace = new BenchNamespace()) {
      report.progress("a cold JVM programs 10,000 services x 6 endpoints");
      ColdStart cold = ColdStart.measure("nftables", namespace.path(), CLUSTER);
      report.atMost("full load, cold JVM", cold.millis(), 1_000, "ms");
      report.value("  heap in use then", cold.heap(), "MB");
      report.value("  resident size then", cold.collected(), "MB");
      report.progress("full load of 10,000 services x 6 endpoints, warm");
      report.atMost("full load, warm, best of 9", fullLoad(namespace.path())[0], 250, "ms");
      restart(report, namespace);
      double few = change(report, namespace, 1_000);
      change(report, namespace, 10_000);
      double many = change(report, namespace, 100_000);
      report.atMost("p99 at 100,000 services, in terms of 1,000", many / few, 2, "x");
      FirstPacketTime.run(report);
    }
  }

  private static NftablesBackend backend(Path namespace) {
    return new NftablesBackend(NftablesOptions.DEFAULT.in(Optional.of(namespace)));
  }

  /** A full load by a warm process: milliseconds, and seconds that the kernel itself works. */
  static double[] fullLoad(Path namespace) {
    double[] best = {Double.MAX_VALUE, Double.MAX_VALUE};
    for (int i = 0; i < TIMES; i++) {
      BenchNode node = new BenchNode(CLUSTER.all());
      try (NftablesBackend backend = backend(namespace)) {
        double before = ProcessFigures.systemSecondsOfThread();
        best[0] = Math.min(best[0], node.start(backend) / 1e6);
        best[1] = Math.min(best[1], ProcessFigures.systemSecondsOfThread() - before);
        backend.cleanup();
      }
    }
    return best;
  }

  /** A new process reads what is there, and finds nothing to write. */
  private static void restart(Report report, BenchNamespace namespace) {
    report.progress("restarts beside 10,000 services x 6 endpoints");
    BenchNode node = new BenchNode(CLUSTER.all());
    try (NftablesBackend backend = backend(namespace.path())) {
      long _ = node.start(backend);
      Samples restarts =
          Samples.of(
              0,
              TIMES,
              i -> {
                try (NftablesBackend later = backend(namespace.path())) {
                  long _ = node.start(later);
                }
              });
      report.value("restart, best of 9", restarts.millis(0), "ms");
      backend.cleanup();
    }
  }

  private static double change(Report report, BenchNamespace namespace, int services)
      throws IOException {
    report.progress("one change at %,d services x 6 endpoints".formatted(services));
    String where = " at %,d x 6".formatted(services);
    SyntheticCluster cluster = new SyntheticCluster(services, ENDPOINTS, 100);
    BenchNode node = new BenchNode(cluster.all());
    try (NftablesBackend backend = backend(namespace.path())) {
      long _ = node.start(backend);
      Samples replaced = Samples.of(2_000, 4_000, i -> node.apply(cluster.change(i), backend));
      report.value("one endpoint replaced" + where + ", median", replaced.millis(0.5), "ms");
      report.atMost("one endpoint replaced" + where + ", p99", replaced.millis(0.99), 2, "ms");
      Samples counted =
          Samples.of(
              200,
              600,
              i -> {
                SyntheticCluster smaller = new SyntheticCluster(services, ENDPOINTS - i % 2, 100);
                node.apply(BenchObjects.written(smaller.slice(i / 2 % services, 0)), backend);
              });
      report.value("one endpoint more or fewer" + where + ", p99", counted.millis(0.99), "ms");
      noOp(report, node, backend, namespace, where);
      report.value("  heap in use" + where, Samples.liveHeap(), "MB");
      report.value("  resident size" + where, ProcessFigures.self().residentSize(), "MB");
      backend.cleanup();
      return replaced.millis(0.99);
    }
  }

  /** An event without effect must not reach the kernel: the number of the rule set stays. */
  private static void noOp(
      Report report,
      BenchNode node,
      NftablesBackend backend,
      BenchNamespace namespace,
      String where) {
    backend.tidy();
    try (Nftables kernel = new Nftables(Optional.of(namespace.path()))) {
      int generation = kernel.generation();
      EndpointSlice slice = node.brain().cluster().slices().iterator().next().getValue();
      for (int i = 0; i < 100; i++) {
        node.apply(BenchObjects.written(slice), backend);
      }
      report.atMost(
          "transactions of 100 events without effect" + where,
          kernel.generation() - generation,
          0,
          "");
    }
  }
}
