package dev.portolan.bench;

import dev.portolan.backend.ebpf.EbpfBackend;
import dev.portolan.backend.ebpf.EbpfOptions;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.bench.traffic.ClientCgroup;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.net.Cidr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What eBPF costs the node beside nftables alone; {@link ConnectBench} has the connections. */
final class EbpfBench {
  private static final int SERVICES = Integer.getInteger("portolan.bench.services", 10_000);
  private static final int STARTS = 3;

  /** Of nodes whose sockets are translated. */
  static final NodeSettings SETTINGS =
      NodeSettings.DEFAULT.change().clusterCidrs(List.of(Cidr.of("10.244.0.0/16"))).build();

  private EbpfBench() {}

  static void run(Report report) throws IOException {
    try (ClientCgroup cgroup = new ClientCgroup()) {
      for (int services : new int[] {SERVICES, 10 * SERVICES}) {
        node(report, cgroup, new SyntheticCluster(services, 6, 100));
      }
    }
  }

  /** For the clients in {@code cgroup}, on the node of {@code namespace}. */
  static EbpfBackend backend(ClientCgroup cgroup, Path namespace) {
    return new EbpfBackend(
        EbpfOptions.DEFAULT.in(Optional.of(namespace)).of(cgroup.path()).pinnedTo(cgroup.pins()));
  }

  /** What a start and a change take, in milliseconds, and what the maps have, in megabytes. */
  private record Figures(double start, double change, double maps) {
    Figures best(Figures other) {
      return new Figures(Math.min(start, other.start), Math.min(change, other.change), other.maps);
    }
  }

  /** Measures a node: with nftables alone, and with eBPF on top. */
  private static void node(Report report, ClientCgroup cgroup, SyntheticCluster cluster)
      throws IOException {
    String where = " with %,d services".formatted(cluster.services());
    report.progress("start and changes" + where);
    Figures alone = new Figures(Double.MAX_VALUE, Double.MAX_VALUE, 0);
    Figures all = alone;
    try (BenchNamespace namespace = new BenchNamespace()) {
      NftablesOptions rules = NftablesOptions.DEFAULT.in(Optional.of(namespace.path()));
      for (int round = 0; round < STARTS; round++) {
        alone = alone.best(work(cluster, new NftablesBackend(rules)));
        all = all.best(work(cluster, backend(cgroup, namespace.path())));
      }
    }
    report.value("nftables: start" + where, alone.start, "ms");
    report.value("ebpf: start" + where, all.start, "ms", all.start / alone.start);
    report.value("nftables: one change" + where, alone.change, "ms");
    report.value("ebpf: one change" + where, all.change, "ms", all.change / alone.change);
    report.value("ebpf: memory of maps" + where, all.maps, "MB");
  }

  /** Starts, changes and removes everything. */
  private static Figures work(SyntheticCluster cluster, Backend backend) throws IOException {
    BenchNode node = new BenchNode(SyntheticCluster.name(0), SETTINGS, cluster.all());
    try (backend) {
      double start = node.start(backend) / 1e6;
      Samples changes = Samples.of(500, 1_000, i -> node.change(cluster.change(i)), backend::sync);
      Figures figures = new Figures(start, changes.millis(0.5), mapSize());
      backend.cleanup();
      return figures;
    }
  }

  /** Megabytes of all maps that this process has open, as the kernel counts them. */
  private static double mapSize() throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fdinfo"))) {
      for (Path file : files.toList()) {
        if (Files.exists(file)) {
          String text = Files.readString(file);
          if (text.contains("map_id:")) {
            sizes.put(field(text, "map_id:"), Long.valueOf(field(text, "memlock:")));
          }
        }
      }
    }
    return sizes.values().stream().mapToLong(it -> it).sum() / 1e6;
  }

  private static String field(String text, String key) {
    return text.lines()
        .filter(line -> line.startsWith(key))
        .findFirst()
        .orElseThrow()
        .substring(key.length())
        .strip();
  }
}
