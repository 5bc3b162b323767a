package dev.portolan.bench;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.backend.iptables.IptablesBackend;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.iptables.IptablesText;
import dev.portolan.bench.daemon.DaemonRules;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePortName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What iptables is programmed in, beside what its own program needs for the same rules. */
final class IptablesBench {
  private static final int SERVICES = 10_000;

  /** The newer program alone needs over 10 minutes for 10,000: it compares each chain with all. */
  private static final int FEWER_SERVICES = 1_000;

  private static final int ENDPOINTS = 6;
  private static final int LOADS = 3;
  private static final int CHANGES = 6;
  private static final String NODE = "node-0";
  private static final NodeSettings SETTINGS = NodeSettings.DEFAULT.with(Set.of(IpFamily.IPV4));

  private IptablesBench() {}

  static void run(Report report) {
    measure(report, Variant.LEGACY, "legacy", SERVICES);
    measure(report, Variant.NFT, "nft", FEWER_SERVICES);
    measureNewer(report);
    DaemonBench.run(report, namespace -> new DaemonRules.InIptables(namespace, "legacy"));
  }

  private static void measure(Report report, Variant variant, String name, int services) {
    report.progress("iptables-" + name + ", " + services + " services x 6 endpoints");
    SyntheticCluster cluster = new SyntheticCluster(services, ENDPOINTS, 100);
    Brain brain = new Brain(warning -> {});
    NodeView view = brain.open(NODE, SETTINGS);
    brain.apply(cluster.all());
    IptablesOptions options = IptablesOptions.DEFAULT.with(variant);
    List<String> restore = List.of("iptables-" + name + "-restore", "--noflush", "-w", "5");
    String text = IptablesText.render(view.image(), IpFamily.IPV4, options);
    double alone = Double.MAX_VALUE;
    for (int i = 0; i < LOADS; i++) {
      try (BenchNamespace namespace = new BenchNamespace()) {
        alone = Math.min(alone, seconds(() -> restore(namespace, restore, text)));
      }
    }
    double ours = Double.MAX_VALUE;
    for (int i = 0; i < LOADS; i++) {
      try (BenchNamespace namespace = new BenchNamespace();
          IptablesBackend backend =
              new IptablesBackend(options.in(Optional.of(namespace.path())))) {
        NodeChange all = NodeChange.to(view.image());
        ours = Math.min(ours, seconds(() -> backend.sync(all)));
        if (i == LOADS - 1) {
          changes(report, name, cluster, brain, view, backend, namespace, restore, options);
        }
      }
    }
    report.value("iptables-" + name + "-restore of " + services + " x 6", alone, "s");
    report.value("full load of " + services + " x 6, iptables-" + name, ours, "s");
    report.atMost("  as part of it", ours / alone, 1.15, "");
  }

  /**
   * iptables-nft with as many services as iptables-legacy; the program alone is not compared there.
   */
  private static void measureNewer(Report report) {
    report.progress("iptables-nft, " + SERVICES + " services x 6 endpoints");
    SyntheticCluster cluster = new SyntheticCluster(SERVICES, ENDPOINTS, 100);
    Brain brain = new Brain(warning -> {});
    NodeView view = brain.open(NODE, SETTINGS);
    brain.apply(cluster.all());
    try (BenchNamespace namespace = new BenchNamespace()) {
      IptablesOptions options =
          IptablesOptions.DEFAULT.with(Variant.NFT).in(Optional.of(namespace.path()));
      try (IptablesBackend backend = new IptablesBackend(options)) {
        NodeChange all = NodeChange.to(view.image());
        String what = " of " + SERVICES + " x 6, iptables-nft";
        report.value("full load" + what, seconds(() -> backend.sync(all)), "s");
        Samples changes = replaced(cluster, brain, view, backend);
        report.value("one endpoint replaced" + what, changes.millis(0.5), "ms");
        report.value("the same load once more" + what, seconds(() -> backend.sync(all)), "s");
        report.value("removal" + what, seconds(backend::cleanup), "s");
      }
    }
  }

  private static Samples replaced(
      SyntheticCluster cluster, Brain brain, NodeView view, IptablesBackend backend) {
    return Samples.of(
        1,
        CHANGES,
        i -> {
          NodeImage before = view.image();
          brain.apply(ClusterDelta.builder().set(cluster.slice(i * 20, 1)).build());
          return before;
        },
        (i, before) -> {
          NodeImage now = view.image();
          backend.sync(NodeChange.between(before, now));
        });
  }

  private static void changes(
      Report report,
      String name,
      SyntheticCluster cluster,
      Brain brain,
      NodeView view,
      IptablesBackend backend,
      BenchNamespace namespace,
      List<String> restore,
      IptablesOptions options) {
    Samples ours = replaced(cluster, brain, view, backend);
    Samples smallest =
        Samples.of(
            1,
            CHANGES,
            i -> {
              brain.apply(ClusterDelta.builder().set(cluster.slice(i * 20, 2)).build());
              return smallest(view.image(), cluster.service(i * 20).name().toString(), options);
            },
            (i, text) -> restore(namespace, restore, text));
    report.value("one change by iptables-" + name + "-restore", smallest.millis(0.5), "ms");
    report.value("one endpoint replaced, iptables-" + name, ours.millis(0.5), "ms");
    report.atMost("  as part of it", ours.millis(0.5) / smallest.millis(0.5), 1.2, "");
  }

  /** The least that replaces an endpoint of a service: its own chain, and that of the endpoint. */
  private static String smallest(NodeImage image, String service, IptablesOptions options) {
    NodeService changed = null;
    for (NodeService one : image.services()) {
      if (one.name().toString().equals(service)) {
        changed = one;
      }
    }
    if (changed == null) {
      throw new IllegalStateException("there is no service " + service);
    }
    NodeImage alone =
        NodeImage.of(
            1,
            image.facts(),
            PersistentMap.<NamespacedName, NodeService>empty().with(changed.name(), changed));
    ServicePortName port = changed.ports().getFirst().name();
    String hash = Chains.hash(port);
    String endpoint = Chains.endpoint(port, changed.ports().getFirst().cluster().getFirst());
    String rules =
        IptablesText.render(alone, IpFamily.IPV4, options)
            .lines()
            .filter(line -> line.matches("(:|-A )(KUBE-SVC-" + hash + "|" + endpoint + ") .*"))
            .collect(Collectors.joining("\n"));
    return "*nat\n" + rules + "\nCOMMIT\n";
  }

  private static void restore(BenchNamespace namespace, List<String> command, String text) {
    BenchNamespace.run(namespace.inside(command.toArray(String[]::new)), text);
  }

  private static double seconds(Runnable action) {
    long start = System.nanoTime();
    action.run();
    return (System.nanoTime() - start) / 1e9;
  }
}
