package dev.portolan.bench;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.explain.Explainer;
import dev.portolan.explain.Explanation;
import dev.portolan.explain.Target;
import dev.portolan.nftables.table.TableText;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.view.Excerpt;
import dev.portolan.terminal.view.Explained;
import dev.portolan.terminal.view.ExplanationText;
import dev.portolan.terminal.view.ListingStyle;
import dev.portolan.terminal.view.NodeListing;
import dev.portolan.terminal.view.ServiceFilter;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How the time of each command grows with the endpoints of one service. Ten times the endpoints may
 * take ten times as long, and a little more: sorting, caches and the kernel's own tables grow too.
 */
final class GrowthBench {
  private static final int[] SIZES = {1_000, 10_000, 100_000};
  private static final int ROUNDS = 3;
  private static final int IN_A_SLICE = 1_000;
  private static final String NODE = "node-0";
  private static final String FIRST_WRITE = "first write";
  private static final String RESTART = "restart";

  /** How many times the straight line through the size before a command may take. */
  private static final double MOST = 2;

  /** The kernel goes through all sets of a table to find one, for each rule that names it. */
  private static final double MOST_OF_AFFINITY = 8;

  private GrowthBench() {}

  static void run(Report report) {
    Map<String, Double> smaller = new LinkedHashMap<>();
    try (BenchNamespace namespace = new BenchNamespace()) {
      warmUp(namespace.path());
      for (int size : SIZES) {
        report.progress(String.format(Locale.ROOT, "one service of %,d endpoints", size));
        Map<String, Double> best = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
          measure(namespace.path(), size)
              .forEach((command, millis) -> best.merge(command, millis, Math::min));
        }
        best.forEach((command, millis) -> {
          report.value(
              String.format(Locale.ROOT, "%s, %,d endpoints", command, size), millis, "ms CPU");
          Double tenth = smaller.put(command, millis);
          if (tenth != null) {
            report.atMost("  in terms of ten times a tenth", millis / (10 * tenth), MOST, "x");
          }
        });
      }
    }
    affinity(report);
    report.atMost(
        "restart in terms of the first write",
        smaller.getOrDefault(RESTART, 0.) / smaller.getOrDefault(FIRST_WRITE, 1.),
        6,
        "x");
  }

  /** With session affinity each endpoint has a set and a chain of its own. */
  private static void affinity(Report report) {
    report.progress("session affinity with 500 and 5,000 endpoints");
    double few = affinity(500);
    double many = affinity(5_000);
    report.value("first write with session affinity, 500 endpoints", few, "ms CPU");
    report.value("first write with session affinity, 5,000 endpoints", many, "ms CPU");
    report.atMost("  in terms of ten times a tenth", many / (10 * few), MOST_OF_AFFINITY, "x");
  }

  private static double affinity(int endpoints) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      Brain brain = new Brain(warning -> {});
      NodeView view = brain.open(NODE, NodeSettings.DEFAULT);
      brain.apply(cluster(endpoints, Service.DEFAULT_AFFINITY_SECONDS));
      try (BenchNamespace namespace = new BenchNamespace();
          NftablesBackend backend = backend(namespace.path())) {
        best = Math.min(best, sync(backend, NodeChange.to(view.image())));
      }
    }
    return best;
  }

  private static void warmUp(Path namespace) {
    for (int i = 0; i < 5; i++) {
      Map<String, Double> unused = measure(namespace, SIZES[0]);
      assert !unused.isEmpty();
    }
  }

  /** Milliseconds of each command, once. */
  private static Map<String, Double> measure(Path namespace, int endpoints) {
    Map<String, Double> millis = new LinkedHashMap<>();
    Brain brain = new Brain(warning -> {});
    NodeView view = brain.open(NODE, NodeSettings.DEFAULT);
    millis.put("decision", time(() -> brain.apply(cluster(endpoints, 0)).slices().size()));
    NodeImage image = view.image();
    try (NftablesBackend first = backend(namespace)) {
      millis.put(FIRST_WRITE, sync(first, NodeChange.to(image)));
      brain.apply(ClusterDelta.builder().set(slice(0, endpoints, 1)).build());
      millis.put("one endpoint replaced", sync(first, NodeChange.between(image, view.image())));
    }
    try (NftablesBackend second = backend(namespace)) {
      millis.put(RESTART, sync(second, NodeChange.to(view.image())));
      second.cleanup();
    }
    millis.put("explain", time(() -> explain(view)));
    millis.put("show endpoints", time(() -> show(view.image())));
    millis.put("render", time(() -> render(view.image())));
    return millis;
  }

  private static NftablesBackend backend(Path namespace) {
    return new NftablesBackend(options(namespace));
  }

  private static NftablesOptions options(Path namespace) {
    return new NftablesOptions("portolan", 14, Optional.of(namespace));
  }

  private static double sync(NftablesBackend backend, NodeChange change) {
    return time(() -> {
      backend.sync(change);
      return 1;
    });
  }

  /** Milliseconds of CPU time, that of the kernel included: other programs have no part in it. */
  private static double time(LongSupplier action) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    if (action.getAsLong() == 0) {
      throw new IllegalStateException("nothing was done");
    }
    return (threads.getCurrentThreadCpuTime() - start) / 1e6;
  }

  private static Terminal terminal() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return Terminal.plain(nowhere, nowhere);
  }

  private static long explain(NodeView view) {
    List<Explanation> explanations =
        new Explainer(view.decision()).explain(Target.parse("bench/large"), Optional.empty());
    Explained explained =
        new Explained("large", "", false, explanations, object -> Optional.empty());
    return new ExplanationText(explained, terminal()).lines().size();
  }

  private static long show(NodeImage image) {
    Excerpt excerpt = Excerpt.of(image, ServiceFilter.ALL);
    return NodeListing.ENDPOINTS
        .lines(excerpt, new ListingStyle(false, true, Optional.empty()), terminal())
        .size();
  }

  private static long render(NodeImage image) {
    StringBuilder text = new StringBuilder();
    NftablesOptions options = new NftablesOptions("portolan", 14, Optional.empty());
    TableText.print(NftablesBackend.render(image, IpFamily.IPV4, options), options.table(), text);
    return text.length();
  }

  private static ClusterDelta cluster(int endpoints, int affinitySeconds) {
    Service.Builder service =
        Service.named("bench", "large")
            .clusterIps(List.of("10.99.0.1"))
            .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)));
    if (affinitySeconds > 0) {
      service.affinitySeconds(affinitySeconds);
    }
    ClusterDelta.Builder delta = ClusterDelta.builder();
    delta.set(service.build());
    for (int i = 0; i * IN_A_SLICE < endpoints; i++) {
      delta.set(slice(i, endpoints, 0));
    }
    return delta.build();
  }

  /** One slice of the service; another version has another address for its first endpoint. */
  private static EndpointSlice slice(int number, int endpoints, int version) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    int start = number * IN_A_SLICE;
    for (int i = start; i < Math.min(endpoints, start + IN_A_SLICE); i++) {
      int pod = i == start && version > 0 ? endpoints + number : i;
      members.add(
          new EndpointSlice.Member(
              List.of(Ip.v4(0x0a80_0000 + pod).toString()),
              Conditions.READY,
              SyntheticCluster.name(i % 5_000),
              "",
              List.of(),
              List.of(),
              ""));
    }
    return new EndpointSlice(
        new NamespacedName("bench", "large-" + number),
        "large",
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        members,
        false,
        null);
  }
}
