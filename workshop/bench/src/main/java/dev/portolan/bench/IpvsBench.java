package dev.portolan.bench;

import dev.portolan.backend.ipvs.IpvsBackend;
import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.packets.PacketTable;
import dev.portolan.testkit.peers.KubeProxyNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How fast virtual servers are written, beside kube-proxy in mode ipvs. {@code ./dev bench ipvs}
 * runs it in the virtual machine, where only ratios say something: everything is slow there.
 */
final class IpvsBench {
  private static final int SERVICES = Integer.getInteger("portolan.bench.services", 1_000);
  private static final int ENDPOINTS = 6;
  private static final int CHANGES = 5;
  private static final String NODE = "node-0";

  private IpvsBench() {}

  static void run(Report report) {
    Optional<Ipvs> ipvs = Ipvs.load(Optional.empty());
    if (ipvs.isEmpty()) {
      report.progress("not measured: this kernel has no IPVS, ./dev bench ipvs has one");
      return;
    }
    ipvs.get().close();
    try (Lab lab = Lab.open()) {
      double[] ours = cold(report, lab.node().path());
      double change = change(report, lab.node().path());
      beside(report, lab, ours, change);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A node with a cluster, and a backend in a namespace. */
  private static final class Stage implements AutoCloseable {
    final SyntheticCluster cluster = new SyntheticCluster(SERVICES, ENDPOINTS, 100);
    final Brain brain = new Brain(warning -> {});
    final NodeView view = brain.open(NODE, NodeSettings.DEFAULT);
    final IpvsBackend backend;
    NodeImage applied = NodeImage.unsynced(NODE);

    Stage(Path namespace) {
      brain.apply(cluster.all());
      backend = new IpvsBackend(IpvsOptions.DEFAULT.in(Optional.of(namespace)));
    }

    double sync() {
      NodeImage newest = view.image();
      long start = System.nanoTime();
      backend.sync(NodeChange.between(applied, newest));
      applied = newest;
      return (System.nanoTime() - start) / 1e6;
    }

    @Override
    public void close() {
      backend.cleanup();
      backend.close();
    }
  }

  /**
   * What a fresh JVM needs, in a process of its own: milliseconds, processor seconds, megabytes.
   */
  private static double[] cold(Report report, Path namespace) {
    report.progress(String.format(Locale.ROOT, "a cold JVM writes %,d services", SERVICES));
    String output =
        BenchNamespace.run(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dportolan.bench.services=" + SERVICES,
                "-cp",
                System.getProperty("java.class.path"),
                IpvsBench.class.getName(),
                namespace.toString()),
            "");
    String[] words = output.strip().split("\\s+", -1);
    double[] figures = new double[words.length];
    for (int i = 0; i < words.length; i++) {
      figures[i] = Double.parseDouble(words[i]);
    }
    report.value("first sync, cold JVM", figures[0], "ms");
    report.value("  processor time then", figures[1], "s");
    report.value("  resident size then", figures[2], "MB");
    return figures;
  }

  /** Writes once and prints its figures. */
  public static void main(String[] args) throws IOException {
    ProcessFigures self = new ProcessFigures(ProcessHandle.current().pid());
    try (Stage stage = new Stage(Path.of(args[0]))) {
      double millis = stage.sync();
      System.out.printf(
          Locale.ROOT, "%f %f %f%n", millis, self.processorSeconds(), self.residentSize());
    }
  }

  private static double change(Report report, Path namespace) {
    report.progress("one endpoint replaced, again and again");
    try (Stage stage = new Stage(namespace)) {
      double _ = stage.sync();
      Samples samples =
          Samples.of(
              30,
              100,
              i -> {
                stage.brain.apply(replaced(stage.cluster, i));
                double _ = stage.sync();
              });
      report.value("one endpoint replaced, median", samples.millis(0.5), "ms");
      return samples.millis(0.5);
    }
  }

  private static ClusterDelta replaced(SyntheticCluster cluster, int i) {
    int service = i * 37 % SERVICES;
    return ClusterDelta.builder().set(cluster.slice(service, 1 + i / SERVICES)).build();
  }

  private static void beside(Report report, Lab lab, double[] ours, double change)
      throws IOException {
    report.progress("kube-proxy writes the same services");
    SyntheticCluster cluster = new SyntheticCluster(SERVICES, ENDPOINTS, 100);
    try (KubeProxyNode theirs = new KubeProxyNode(lab.node(), "ipvs", NodeSettings.DEFAULT)) {
      theirs.tell(nodes());
      theirs.apply(cluster.all());
      ProcessFigures figures = new ProcessFigures(theirs.process().pid());
      double first = theirs.syncSeconds();
      double syncs = theirs.syncCount();
      double processor = figures.processorSeconds();
      report.value("kube-proxy: first sync", first * 1e3, "ms");
      report.value("  processor time then", processor, "s");
      report.value("  resident size then", figures.residentSize(), "MB");
      for (int i = 0; i < CHANGES; i++) {
        report.progress("change " + (i + 1) + " of " + CHANGES);
        theirs.apply(replaced(cluster, i));
      }
      double one = (theirs.syncSeconds() - first) / (theirs.syncCount() - syncs);
      report.value("kube-proxy: one endpoint replaced, mean", one * 1e3, "ms");
      report.atLeast("first sync, kube-proxy's in terms of ours", first * 1e3 / ours[0], 1, "x");
      report.atLeast("processor time, kube-proxy's in terms of ours", processor / ours[1], 1, "x");
      report.atLeast("one change, kube-proxy's in terms of ours", one * 1e3 / change, 1, "x");
      report.atLeast(
          "resident size, kube-proxy's in terms of ours", figures.residentSize() / ours[2], 1, "x");
    }
  }

  /** The node that kube-proxy is on. */
  private static ClusterDelta nodes() {
    ClusterDelta.Builder nodes = ClusterDelta.builder();
    PacketTable.cluster().nodes().forEach((name, node) -> nodes.set(node));
    return nodes.build();
  }
}
