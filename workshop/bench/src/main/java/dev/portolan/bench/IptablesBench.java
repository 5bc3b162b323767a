package dev.portolan.bench;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.backend.iptables.IptablesBackend;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.iptables.IptablesText;
import dev.portolan.bench.daemon.DaemonRules;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePortName;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What iptables is programmed in, beside what its own program needs for the same rules. */
final class IptablesBench {
  private static final int SERVICES = 10_000;

  /** The newer program alone needs over 10 minutes for 10,000: it compares each chain with all. */
  private static final int FEWER_SERVICES = 1_000;

  private static final int LOADS = 3;
  private static final int CHANGES = 6;
  private static final NodeSettings SETTINGS = NodeSettings.DEFAULT.with(Set.of(IpFamily.IPV4));

  private final Report report;
  private final Variant variant;
  private final String name;
  private final int services;
  private final SyntheticCluster cluster;
  private final BenchNode node;

  private IptablesBench(Report report, Variant variant, String name, int services) {
    report.progress("iptables-%s, %d services x 6 endpoints".formatted(name, services));
    this.report = report;
    this.variant = variant;
    this.name = name;
    this.services = services;
    this.cluster = new SyntheticCluster(services, 6, 100);
    this.node = new BenchNode(SyntheticCluster.name(0), SETTINGS, cluster.all());
  }

  static void run(Report report) throws IOException, InterruptedException {
    new IptablesBench(report, Variant.LEGACY, "legacy", SERVICES).besideProgram();
    new IptablesBench(report, Variant.NFT, "nft", FEWER_SERVICES).besideProgram();
    new IptablesBench(report, Variant.NFT, "nft", SERVICES).alone();
    DaemonBench.run(report, namespace -> new DaemonRules.InIptables(namespace, "legacy"));
  }

  private IptablesBackend backend(BenchNamespace namespace) {
    return new IptablesBackend(
        IptablesOptions.DEFAULT.with(variant).in(Optional.of(namespace.path())));
  }

  private void besideProgram() {
    String text = render(node.image());
    Samples alone =
        Samples.given(
            0,
            LOADS,
            i -> {
              try (BenchNamespace namespace = new BenchNamespace()) {
                return Samples.nanos(() -> restore(namespace, text));
              }
            });
    Samples ours =
        Samples.given(
            0,
            LOADS,
            i -> {
              try (BenchNamespace namespace = new BenchNamespace();
                  IptablesBackend backend = backend(namespace)) {
                long took = node.start(backend);
                if (i == LOADS - 1) {
                  changes(backend, namespace);
                }
                return took;
              }
            });
    double best = alone.millis(0) / 1e3;
    report.value("iptables-" + name + "-restore of " + services + " x 6", best, "s");
    double full = ours.millis(0) / 1e3;
    report.value("full load of " + services + " x 6, iptables-" + name, full, "s");
    report.atMost("  as part of it", full / best, 1.15, "");
  }

  /**
   * iptables-nft with as many services as iptables-legacy; the program alone is not compared there.
   */
  private void alone() {
    try (BenchNamespace namespace = new BenchNamespace();
        IptablesBackend backend = backend(namespace)) {
      String what = " of " + SERVICES + " x 6, iptables-nft";
      NodeImage loaded = node.image();
      report.value("full load" + what, node.start(backend) / 1e9, "s");
      report.value("one endpoint replaced" + what, replaced(backend).millis(0.5), "ms");
      long again = Samples.nanos(() -> backend.sync(NodeChange.to(loaded)));
      report.value("the same load once more" + what, again / 1e9, "s");
      report.value("removal" + what, Samples.nanos(backend::cleanup) / 1e9, "s");
    }
  }

  private Samples replaced(IptablesBackend backend) {
    return Samples.given(
        1,
        CHANGES,
        i -> {
          node.apply(BenchObjects.written(cluster.slice(i * 20, 1)));
          return node.sync(backend);
        });
  }

  private void changes(IptablesBackend backend, BenchNamespace namespace) {
    Samples ours = replaced(backend);
    Samples smallest =
        Samples.of(
            1,
            CHANGES,
            i ->
                smallest(
                    node.apply(BenchObjects.written(cluster.slice(i * 20, 2))),
                    cluster.service(i * 20).name()),
            text -> restore(namespace, text));
    report.value("one change by iptables-" + name + "-restore", smallest.millis(0.5), "ms");
    report.value("one endpoint replaced, iptables-" + name, ours.millis(0.5), "ms");
    report.atMost("  as part of it", ours.millis(0.5) / smallest.millis(0.5), 1.2, "");
  }

  /** The least that replaces an endpoint of a service: its own chain, and that of the endpoint. */
  private String smallest(NodeImage image, NamespacedName service) {
    NodeService changed = Objects.requireNonNull(image.service(service));
    NodeImage alone =
        NodeImage.of(
            1,
            image.facts(),
            PersistentMap.<NamespacedName, NodeService>empty().with(changed.name(), changed));
    ServicePortName port = changed.ports().getFirst().name();
    String hash = Chains.hash(port);
    String endpoint = Chains.endpoint(port, changed.ports().getFirst().cluster().getFirst());
    String rules =
        render(alone)
            .lines()
            .filter(line -> line.matches("(:|-A )(KUBE-SVC-" + hash + "|" + endpoint + ") .*"))
            .collect(Collectors.joining("\n"));
    return "*nat\n" + rules + "\nCOMMIT\n";
  }

  private String render(NodeImage image) {
    return IptablesText.render(image, IpFamily.IPV4, IptablesOptions.DEFAULT.with(variant));
  }

  private void restore(BenchNamespace namespace, String text) {
    var _ =
        BenchNamespace.run(
            namespace.inside("iptables-" + name + "-restore", "--noflush", "-w", "5"), text);
  }
}
