package dev.portolan.bench;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.MaglevTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What consistent hashing gives and costs: how many slots move where one of n endpoints goes, how
 * even the shares are, and what a change takes in the kernel beside one of a plain service.
 */
final class BalancingBench {
  private static final int CLUSTERS = 50;
  private static final int[] COUNTS = {3, 5, 10, 20, 40, 100};
  private static final int CHANGES = 300;
  private static final Balancing MAGLEV = Balancing.of(Balancing.Kind.MAGLEV);

  /** How much more than the ideal share of all slots may move. */
  private static final double MOST_EXTRA = 0.08;

  private BalancingBench() {}

  static void run(Report report) {
    report.progress("tables of " + COUNTS.length + " sizes");
    for (int count : COUNTS) {
      disruption(report, count);
    }
    weights(report);
    report.progress(CHANGES + " changes in the kernel, plain and hashed");
    try (BenchNamespace namespace = new BenchNamespace()) {
      changes(namespace.path(), "random");
      double plain = changes(namespace.path(), "random");
      double hashed = changes(namespace.path(), "maglev");
      report.value("an endpoint goes, random, 10 endpoints", plain, "ms");
      report.value("an endpoint goes, maglev, 10 endpoints", hashed, "ms");
      report.atMost("  in terms of random", hashed / plain, 10, "x");
    }
  }

  private static void disruption(Report report, int count) {
    double moved = 0;
    double heaviest = 0;
    int size = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      List<Endpoint> endpoints = endpoints(count, seed);
      List<Endpoint> before = MaglevTable.of(endpoints, MAGLEV);
      size = before.size();
      heaviest = Math.max(heaviest, most(before, endpoints));
      List<Endpoint> rest = new ArrayList<>(endpoints);
      rest.remove(new Random(seed).nextInt(count));
      List<Endpoint> after = MaglevTable.of(rest, MAGLEV);
      for (int i = 0; i < size; i++) {
        moved += before.get(i).equals(after.get(i)) ? 0 : 1;
      }
    }
    double share = moved / CLUSTERS / size;
    String name = "1 of %d goes, %,d slots: ".formatted(count, size);
    report.value(name + "ideal", 100.0 / count, "%");
    report.value("  slots that move", 100 * share, "%");
    report.atMost("  beyond the ideal", share - 1.0 / count, MOST_EXTRA, "of all");
    report.atMost("  heaviest endpoint by the mean", heaviest * count / size, 1.1, "x");
  }

  private static int most(List<Endpoint> table, List<Endpoint> endpoints) {
    return endpoints.stream().mapToInt(e -> Collections.frequency(table, e)).max().orElse(0);
  }

  /** How far a share is from its weight at most. */
  private static void weights(Report report) {
    double worst = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      List<Endpoint> endpoints = endpoints(10, seed);
      Random random = new Random(seed);
      Map<Endpoint, Integer> weights = new HashMap<>();
      endpoints.forEach(endpoint -> weights.put(endpoint, 1 + random.nextInt(5)));
      Balancing balancing = Balancing.of(Balancing.Kind.MAGLEV, weights);
      List<Endpoint> table = MaglevTable.of(endpoints, balancing);
      double sum = weights.values().stream().mapToInt(Integer::intValue).sum();
      for (Endpoint endpoint : endpoints) {
        double share = (double) Collections.frequency(table, endpoint) / table.size();
        worst = Math.max(worst, Math.abs(share * sum / balancing.weight(endpoint) - 1));
      }
    }
    report.atMost("weights 1 to 5, 10 endpoints: worst share off by", 100 * worst, 25, "%");
  }

  private static List<Endpoint> endpoints(int count, long seed) {
    Random random = new Random(seed);
    TreeSet<Endpoint> endpoints = new TreeSet<>();
    while (endpoints.size() < count) {
      endpoints.add(new Endpoint(Ip.v4(0x0af40000 + random.nextInt(1 << 16)), 8080, ""));
    }
    return List.copyOf(endpoints);
  }

  /** The median time of a sync that removes or adds one of ten endpoints, in milliseconds. */
  private static double changes(Path namespace, String balancing) {
    BenchNode node =
        new BenchNode(ClusterDelta.builder().set(service(balancing)).set(slice(10)).build());
    try (NftablesBackend backend =
        new NftablesBackend(NftablesOptions.DEFAULT.in(Optional.of(namespace)))) {
      long _ = node.start(backend);
      return Samples.of(
              0,
              CHANGES,
              i -> node.change(BenchObjects.written(slice(10 - (i + 1) % 2))),
              backend::sync)
          .millis(0.5);
    }
  }

  private static Service service(String balancing) {
    return BenchObjects.service(new NamespacedName("bench", "web"), "10.96.0.10", Protocol.TCP)
        .metadata(
            ServiceMetadata.of(Map.of(), Map.of(ServiceAnnotation.BALANCING.key(), balancing)))
        .build();
  }

  private static EndpointSlice slice(int count) {
    return BenchObjects.slice(
        new NamespacedName("bench", "web-1"),
        "web",
        Protocol.TCP,
        8080,
        IntStream.rangeClosed(1, count)
            .mapToObj(i -> BenchObjects.member("10.244.0." + i, ""))
            .toList());
  }
}
