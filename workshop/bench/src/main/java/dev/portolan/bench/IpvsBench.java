package dev.portolan.bench;

import dev.portolan.backend.ipvs.IpvsBackend;
import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.ColdStart;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.packets.PacketTable;
import dev.portolan.testkit.peers.KubeProxyNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How fast virtual servers are written, beside kube-proxy in mode ipvs. {@code ./dev bench ipvs}
 * runs it in the virtual machine, where only ratios say something: everything is slow there.
 */
final class IpvsBench {
  private static final SyntheticCluster CLUSTER =
      new SyntheticCluster(Integer.getInteger("portolan.bench.services", 1_000), 6, 100);
  private static final int CHANGES = 5;

  private IpvsBench() {}

  static void run(Report report) throws IOException {
    Optional<Ipvs> ipvs = Ipvs.load(Optional.empty());
    if (ipvs.isEmpty()) {
      report.progress("not measured: this kernel has no IPVS, ./dev bench ipvs has one");
      return;
    }
    ipvs.get().close();
    try (Lab lab = Lab.open()) {
      report.progress("a cold JVM writes %,d services".formatted(CLUSTER.services()));
      ColdStart ours =
          ColdStart.measure("ipvs", lab.node().path(), CLUSTER, "-XX:TieredStopAtLevel=1");
      report.value("first sync, cold JVM", ours.millis(), "ms");
      report.value("  processor time then", ours.processorSeconds(), "s");
      report.value("  resident size then", ours.resident(), "MB");
      double change = change(report, lab.node().path());
      beside(report, lab, ours, change);
    }
  }

  private static double change(Report report, Path namespace) {
    report.progress("one endpoint replaced, again and again");
    BenchNode node = new BenchNode(CLUSTER.all());
    try (IpvsBackend backend = new IpvsBackend(IpvsOptions.DEFAULT.in(Optional.of(namespace)))) {
      long _ = node.start(backend);
      Samples samples = Samples.of(30, 100, i -> node.apply(CLUSTER.change(i), backend));
      report.value("one endpoint replaced, median", samples.millis(0.5), "ms");
      backend.cleanup();
      return samples.millis(0.5);
    }
  }

  private static void beside(Report report, Lab lab, ColdStart ours, double change)
      throws IOException {
    report.progress("kube-proxy writes the same services");
    try (KubeProxyNode theirs = new KubeProxyNode(lab.node(), "ipvs", NodeSettings.DEFAULT)) {
      ClusterDelta.Builder nodes = ClusterDelta.builder();
      PacketTable.cluster().nodes().forEach((_, node) -> nodes.set(node));
      theirs.tell(nodes.build());
      theirs.apply(CLUSTER.all());
      ProcessFigures figures = new ProcessFigures(theirs.process().pid());
      double first = theirs.syncSeconds();
      double syncs = theirs.syncCount();
      double processor = figures.processorSeconds();
      report.value("kube-proxy: first sync", first * 1e3, "ms");
      report.value("  processor time then", processor, "s");
      report.value("  resident size then", figures.residentSize(), "MB");
      for (int i = 0; i < CHANGES; i++) {
        report.progress("change %d of %d".formatted(i + 1, CHANGES));
        theirs.apply(CLUSTER.change(i));
      }
      double one = (theirs.syncSeconds() - first) / (theirs.syncCount() - syncs) * 1e3;
      report.value("kube-proxy: one endpoint replaced, mean", one, "ms");
      ratio(report, "first sync", first * 1e3 / ours.millis());
      ratio(report, "processor time", processor / ours.processorSeconds());
      ratio(report, "one change", one / change);
      ratio(report, "resident size", figures.residentSize() / ours.resident());
    }
  }

  private static void ratio(Report report, String what, double ratio) {
    report.atLeast(what + ", kube-proxy's in terms of ours", ratio, 1, "x");
  }
}
