package dev.portolan.bench;

import dev.portolan.backend.ebpf.EbpfBackend;
import dev.portolan.backend.ebpf.EbpfOptions;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.bench.traffic.ClientCgroup;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What eBPF costs the node beside nftables alone; {@link ConnectBench} has the connections. */
final class EbpfBench {
  private static final int SERVICES = Integer.getInteger("portolan.bench.services", 10_000);
  private static final int MANY = 10 * SERVICES;
  private static final int ENDPOINTS = 6;
  private static final int STARTS = 3;
  private static final NodeSettings SETTINGS =
      NodeSettings.DEFAULT.change().clusterCidrs(List.of(Cidr.of("10.244.0.0/16"))).build();

  private final Report report;

  private EbpfBench(Report report) {
    this.report = report;
  }

  static void run(Report report) {
    EbpfBench bench = new EbpfBench(report);
    try (ClientCgroup cgroup = new ClientCgroup()) {
      for (int services : new int[] {SERVICES, MANY}) {
        bench.node(cgroup, services);
      }
    }
  }

  private static NftablesOptions nftables(Path namespace) {
    return NftablesOptions.DEFAULT.in(Optional.of(namespace));
  }

  /** For the clients in {@code cgroup}, on the node of {@code namespace}. */
  static EbpfOptions options(ClientCgroup cgroup, Path namespace) {
    return EbpfOptions.DEFAULT
        .beside(nftables(namespace))
        .of(cgroup.path())
        .pinnedTo(cgroup.pins());
  }

  /** What a start and a change take, in milliseconds, and what the maps have, in megabytes. */
  private record Figures(double start, double change, double maps) {
    static Figures best(List<Figures> all) {
      return new Figures(
          all.stream().mapToDouble(Figures::start).min().orElseThrow(),
          all.stream().mapToDouble(Figures::change).min().orElseThrow(),
          all.getLast().maps);
    }
  }

  /** Measures a node: with nftables alone, and with eBPF on top. */
  private void node(ClientCgroup cgroup, int services) {
    report.progress(String.format(Locale.ROOT, "start and changes with %,d services", services));
    List<Figures> rules = new ArrayList<>();
    List<Figures> both = new ArrayList<>();
    try (BenchNamespace namespace = new BenchNamespace()) {
      for (int round = 0; round < STARTS; round++) {
        rules.add(work(services, new NftablesBackend(nftables(namespace.path()))));
        both.add(work(services, new EbpfBackend(options(cgroup, namespace.path()))));
      }
    }
    Figures alone = Figures.best(rules);
    Figures all = Figures.best(both);
    String where = String.format(Locale.ROOT, " with %,d services", services);
    report.value("nftables: start" + where, alone.start, "ms");
    report.value("ebpf: start" + where, all.start, "ms", all.start / alone.start);
    report.value("nftables: one change" + where, alone.change, "ms");
    report.value("ebpf: one change" + where, all.change, "ms", all.change / alone.change);
    report.value("ebpf: memory of maps" + where, all.maps, "MB");
  }

  /** Starts, changes and removes everything. */
  private static Figures work(int services, Backend backend) {
    SyntheticCluster cluster = new SyntheticCluster(services, ENDPOINTS, 100);
    Brain brain = new Brain(warning -> {});
    brain.apply(cluster.all());
    NodeView view = brain.open(SyntheticCluster.name(0), SETTINGS);
    NodeImage[] applied = {view.image()};
    long start = System.nanoTime();
    backend.sync(NodeChange.to(applied[0]));
    double first = (System.nanoTime() - start) / 1e6;
    Samples changes =
        Samples.of(
            500,
            1_000,
            i -> {
              int service = i * 7919 % services;
              brain.apply(
                  ClusterDelta.builder().set(cluster.slice(service, 1 + i / services)).build());
              return view.image();
            },
            (i, image) -> {
              backend.sync(NodeChange.between(applied[0], image));
              applied[0] = image;
            });
    Figures figures = new Figures(first, changes.millis(0.5), mapSize());
    backend.cleanup();
    backend.close();
    return figures;
  }

  /** Megabytes of all maps that this process has open, as the kernel counts them. */
  private static double mapSize() {
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
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
