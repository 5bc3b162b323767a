package dev.portolan.bench;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.LargeService;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import dev.portolan.explain.Explainer;
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
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How the time of each command grows with the endpoints of one service, and with the services. Ten
 * times the input may take ten times as long, and a little more: sorting, caches and the kernel's
 * own tables grow too. A change among many services must not grow with them.
 */
final class GrowthBench {
  private static final int[] SIZES = {1_000, 10_000, 100_000};
  private static final int ENDPOINTS = 6;
  private static final int ROUNDS = 3;
  private static final String FIRST_WRITE = "first write";
  private static final String CHANGE = "one endpoint replaced";
  private static final String RESTART = "restart";
  private static final String HEAP = "heap of objects and decisions";

  /** How many times the straight line through the size before a command may take. */
  private static final double MOST = 2;

  /** The kernel goes through all sets of a table to find one, for each rule that names it. */
  private static final double MOST_OF_AFFINITY = 8;

  private static final LargeService ADDED =
      new LargeService(new NamespacedName("bench", "added"), "10.99.0.2", 1);

  private GrowthBench() {}

  static void run(Report report) {
    try (BenchNamespace namespace = new BenchNamespace()) {
      warmUp(namespace.path());
      Map<String, Double> endpoints = new LinkedHashMap<>();
      for (int size : SIZES) {
        Map<String, Double> figures = best(report, namespace.path(), ofEndpoints(size));
        compare(report, endpoints, figures, MOST);
        endpoints.putAll(figures);
      }
      report.atMost(
          "restart in terms of the first write",
          endpoints.getOrDefault(RESTART, 0.) / endpoints.getOrDefault(FIRST_WRITE, 1.),
          6,
          "x");
      Map<String, Double> services = new LinkedHashMap<>();
      for (int size : SIZES) {
        Map<String, Double> figures = best(report, namespace.path(), ofServices(size, ENDPOINTS));
        compare(report, services, figures, MOST / 10);
        services.putAll(figures);
      }
      // As in kubernetes/kubernetes#135639 and #139513.
      best(report, namespace.path(), ofServices(5_006, 50));
      best(report, namespace.path(), ofServices(44_125, ENDPOINTS));
    }
    affinity(report);
  }

  /** A cluster, a change of one endpoint, and the service that is changed and looked at. */
  private record Shape(String size, ClusterDelta all, ClusterDelta change, String service) {}

  private static Shape ofEndpoints(int endpoints) {
    LargeService large = large(endpoints);
    return new Shape(
        "one service of %,d endpoints".formatted(endpoints),
        large.all(0),
        large.change(1),
        large.name().toString());
  }

  private static LargeService large(int endpoints) {
    return new LargeService(new NamespacedName("bench", "large"), "10.99.0.1", endpoints);
  }

  private static Shape ofServices(int services, int endpoints) {
    SyntheticCluster cluster = new SyntheticCluster(services, endpoints, 100);
    return new Shape(
        "%,d services x %d".formatted(services, endpoints),
        cluster.all(),
        cluster.change(0),
        cluster.service(0).name().toString());
  }

  /** The best of a few rounds. */
  private static Map<String, Double> best(Report report, Path namespace, Shape shape) {
    report.progress(shape.size);
    Map<String, Double> best = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      measure(namespace, shape)
          .forEach((command, figure) -> best.merge(command, figure, Math::min));
    }
    best.forEach((command, figure) ->
        report.value(command + ", " + shape.size, figure, command.equals(HEAP) ? "MB" : "ms CPU"));
    return best;
  }

  /** What has grown since the size before, in terms of ten times that. */
  private static void compare(
      Report report, Map<String, Double> tenth, Map<String, Double> now, double mostOfChange) {
    tenth.forEach((command, figure) ->
        report.atMost(
            "  " + command + ", in terms of ten times a tenth",
            now.getOrDefault(command, 0.) / (10 * figure),
            command.equals(CHANGE) ? mostOfChange : MOST,
            "x"));
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
      BenchNode node = new BenchNode(large(endpoints).all(Service.DEFAULT_AFFINITY_SECONDS));
      try (BenchNamespace namespace = new BenchNamespace();
          NftablesBackend backend = backend(namespace.path())) {
        best = Math.min(best, time(() -> node.start(backend)));
      }
    }
    return best;
  }

  private static void warmUp(Path namespace) {
    for (int i = 0; i < 5; i++) {
      var _ = measure(namespace, ofEndpoints(SIZES[0]));
    }
  }

  /** Milliseconds of each command, once, and megabytes. */
  private static Map<String, Double> measure(Path namespace, Shape shape) {
    Map<String, Double> figures = new LinkedHashMap<>();
    double before = Samples.liveHeap();
    BenchNode node = new BenchNode(ClusterDelta.EMPTY);
    figures.put("decision", time(() -> node.apply(shape.all).services().size()));
    figures.put(HEAP, Samples.liveHeap() - before);
    try (NftablesBackend first = backend(namespace)) {
      figures.put(FIRST_WRITE, time(() -> node.start(first)));
      var _ = node.apply(shape.change);
      figures.put(CHANGE, time(() -> node.sync(first)));
      var _ = node.apply(ADDED.all(0));
      figures.put("a service added", time(() -> node.sync(first)));
    }
    try (NftablesBackend second = backend(namespace)) {
      figures.put(RESTART, time(() -> node.start(second)));
      second.cleanup();
    }
    figures.put("explain", time(() -> explain(node.view(), shape.service)));
    figures.put("show endpoints", time(() -> show(node.image())));
    figures.put("render", time(() -> render(node.image())));
    return figures;
  }

  private static NftablesBackend backend(Path namespace) {
    return new NftablesBackend(NftablesOptions.DEFAULT.in(Optional.of(namespace)));
  }

  /** Milliseconds of CPU time, that of the kernel included: other programs have no part in it. */
  private static double time(LongSupplier action) {
    double start = ProcessFigures.processorSecondsOfThread();
    Bench.require(action.getAsLong() != 0);
    return (ProcessFigures.processorSecondsOfThread() - start) * 1e3;
  }

  private static Terminal terminal() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return Terminal.plain(nowhere, nowhere);
  }

  private static long explain(NodeView view, String service) {
    List<Explanation> explanations =
        new Explainer(view.decision()).explain(Target.parse(service), Optional.empty());
    Explained explained =
        new Explained(service, "", false, explanations, object -> Optional.empty());
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
    NftablesOptions options = NftablesOptions.DEFAULT;
    TableText.print(NftablesBackend.render(image, IpFamily.IPV4, options), options.table(), text);
    return text.length();
  }
}
