package dev.portolan.bench;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.nftables.Nftables;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How fast the kernel is programmed. */
final class NftablesBench {
  private static final int SERVICES = 10_000;
  private static final int ENDPOINTS = 6;
  private static final String NODE = "node-0";

  private NftablesBench() {}

  static void run(Report report) {
    try (BenchNamespace namespace = new BenchNamespace()) {
      coldStart(report, namespace);
      fullLoad(report, namespace);
      restart(report, namespace);
      double few = change(report, namespace, 1_000);
      change(report, namespace, SERVICES);
      double many = change(report, namespace, 100_000);
      report.atMost("p99 at 100,000 services, in terms of 1,000", many / few, 2, "x");
      FirstPacketTime.run(report);
    }
  }

  /** A node with a cluster, and a backend in a namespace. */
  private static final class Stage implements AutoCloseable {
    final SyntheticCluster cluster;
    final Brain brain = new Brain(warning -> {});
    final NodeView view = brain.open(NODE, NodeSettings.DEFAULT);
    final NftablesBackend backend;
    NodeImage applied = NodeImage.unsynced(NODE);

    Stage(Path namespace, int services) {
      cluster = new SyntheticCluster(services, ENDPOINTS, 100);
      brain.apply(cluster.all());
      backend = new NftablesBackend(new NftablesOptions("portolan", 14, Optional.of(namespace)));
    }

    void sync() {
      NodeImage newest = view.image();
      backend.sync(NodeChange.between(applied, newest));
      applied = newest;
    }

    @Override
    public void close() {
      backend.cleanup();
      backend.close();
    }
  }

  /** What a fresh JVM needs, in a process of its own; see {@link #main}. */
  private static void coldStart(Report report, BenchNamespace namespace) {
    report.progress("a cold JVM programs 10,000 services x 6 endpoints");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String output =
        BenchNamespace.run(
            List.of(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                NftablesBench.class.getName(),
                namespace.path().toString()),
            "");
    String[] figures = output.strip().split("\\s+", -1);
    report.atMost("full load, cold JVM", Double.parseDouble(figures[0]), 1_000, "ms");
    report.value("  heap in use then", Double.parseDouble(figures[1]), "MB");
    report.value("  resident size then", Double.parseDouble(figures[2]), "MB");
  }

  /** Programs once and prints milliseconds, megabytes of heap, megabytes resident. */
  public static void main(String[] args) {
    try (Stage stage = new Stage(Path.of(args[0]), SERVICES)) {
      long start = System.nanoTime();
      stage.sync();
      double millis = (System.nanoTime() - start) / 1e6;
      System.out.printf(Locale.ROOT, "%f %f %f%n", millis, Samples.liveHeap(), residentSize());
    }
  }

  private static void fullLoad(Report report, BenchNamespace namespace) {
    report.progress("full load of 10,000 services x 6 endpoints, warm");
    double best = Double.MAX_VALUE;
    for (int i = 0; i < 9; i++) {
      try (Stage stage = new Stage(namespace.path(), SERVICES)) {
        long start = System.nanoTime();
        stage.sync();
        best = Math.min(best, (System.nanoTime() - start) / 1e6);
      }
    }
    report.atMost("full load, warm, best of 9", best, 250, "ms");
  }

  /** The seconds that the kernel itself works for a full load: the best of a few warm ones. */
  static double kernelPart(Path namespace) {
    double best = Double.MAX_VALUE;
    for (int i = 0; i < 9; i++) {
      try (Stage stage = new Stage(namespace, SERVICES)) {
        double before = ProcessFigures.systemSecondsOfThread();
        stage.sync();
        best = Math.min(best, ProcessFigures.systemSecondsOfThread() - before);
      }
    }
    return best;
  }

  /** A new process reads what is there, and finds nothing to write. */
  private static void restart(Report report, BenchNamespace namespace) {
    report.progress("restarts beside 10,000 services x 6 endpoints");
    double best = Double.MAX_VALUE;
    try (Stage stage = new Stage(namespace.path(), SERVICES)) {
      stage.sync();
      for (int i = 0; i < 9; i++) {
        long start = System.nanoTime();
        try (NftablesBackend later =
            new NftablesBackend(
                new NftablesOptions("portolan", 14, Optional.of(namespace.path())))) {
          later.sync(NodeChange.to(stage.applied));
        }
        best = Math.min(best, (System.nanoTime() - start) / 1e6);
      }
    }
    report.value("restart, best of 9", best, "ms");
  }

  private static double change(Report report, BenchNamespace namespace, int services) {
    report.progress(
        String.format(Locale.ROOT, "one change at %,d services x 6 endpoints", services));
    String where = String.format(Locale.ROOT, " at %,d x 6", services);
    try (Stage stage = new Stage(namespace.path(), services)) {
      stage.sync();
      Samples replaced =
          Samples.of(
              2_000,
              4_000,
              i -> {
                int service = i * 7919 % services;
                stage.brain.apply(set(stage.cluster.slice(service, 1 + i / services)));
                stage.sync();
              });
      report.value("one endpoint replaced" + where + ", median", replaced.millis(0.5), "ms");
      report.atMost("one endpoint replaced" + where + ", p99", replaced.millis(0.99), 2, "ms");
      Samples counted =
          Samples.of(
              200,
              600,
              i -> {
                SyntheticCluster smaller = new SyntheticCluster(services, ENDPOINTS - i % 2, 100);
                stage.brain.apply(set(smaller.slice(i / 2 % services, 0)));
                stage.sync();
              });
      report.value("one endpoint more or fewer" + where + ", p99", counted.millis(0.99), "ms");
      noOp(report, stage, namespace, where);
      report.value("  heap in use" + where, Samples.liveHeap(), "MB");
      report.value("  resident size" + where, residentSize(), "MB");
      return replaced.millis(0.99);
    }
  }

  /** An event without effect must not reach the kernel: the number of the rule set stays. */
  private static void noOp(Report report, Stage stage, BenchNamespace namespace, String where) {
    stage.backend.tidy();
    try (Nftables kernel = new Nftables(Optional.of(namespace.path()))) {
      int generation = kernel.generation();
      ClusterImage cluster = stage.brain.cluster();
      for (int i = 0; i < 100; i++) {
        EndpointSlice slice = cluster.slices().iterator().next().getValue();
        stage.brain.apply(set(slice));
        stage.sync();
      }
      report.atMost(
          "transactions of 100 events without effect" + where,
          kernel.generation() - generation,
          0,
          "");
    }
  }

  private static ClusterDelta set(EndpointSlice slice) {
    return ClusterDelta.builder().set(slice).build();
  }

  /** Megabytes that this process has in memory. */
  static double residentSize() {
    long pid = ManagementFactory.getRuntimeMXBean().getPid();
    String pages =
        BenchNamespace.run(List.of("cat", "/proc/" + pid + "/statm"), "").split(" ", -1)[1];
    return Long.parseLong(pages) * 4096 / 1e6;
  }
}
