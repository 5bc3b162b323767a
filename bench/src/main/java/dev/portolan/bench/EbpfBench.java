package dev.portolan.bench;

import dev.portolan.backend.ebpf.EbpfBackend;
import dev.portolan.backend.ebpf.EbpfOptions;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.LegacyIptables;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.bench.traffic.ClientCgroup;
import dev.portolan.bench.traffic.ConnectPath;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What a connection costs a client: directly, with eBPF, with our rules and with those of
 * kube-proxy, all on nodes of their own in one run, turn by turn. Then what eBPF costs the node
 * beside nftables alone.
 */
final class EbpfBench {
  private static final int SERVICES = Integer.getInteger("portolan.bench.services", 10_000);
  private static final int MANY = 10 * SERVICES;
  private static final int ENDPOINTS = 6;
  private static final int ROUNDS = Integer.getInteger("portolan.bench.rounds", 300);
  private static final int STARTS = 3;
  private static final NodeSettings SETTINGS =
      NodeSettings.DEFAULT.change().clusterCidrs(List.of(Cidr.of("10.244.0.0/16"))).build();

  private final Report report;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  private EbpfBench(Report report) {
    this.report = report;
  }

  static void run(Report report) {
    EbpfBench bench = new EbpfBench(report);
    try (ClientCgroup cgroup = new ClientCgroup()) {
      try {
        bench.paths(cgroup);
      } finally {
        bench.close();
      }
      for (int services : new int[] {SERVICES, MANY}) {
        bench.node(cgroup, services);
      }
    }
  }

  private void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private <T extends AutoCloseable> T opened(T it) {
    open.push(it);
    return it;
  }

  /** Builds a node for each way, then goes all of them in turn. */
  private void paths(ClientCgroup cgroup) {
    ConnectPath direct = opened(ConnectPath.direct("direct", opened(Lab.open())));
    Lab sockets = opened(Lab.open());
    sockets.onEntryToNode(cgroup::enter);
    serve(new EbpfBackend(ebpf(cgroup, sockets.node().path())));
    ConnectPath beside = opened(ConnectPath.direct("direct on its node", sockets));
    ConnectPath ebpf = opened(ConnectPath.throughServices("ebpf", sockets));
    Lab rules = opened(Lab.open());
    serve(new NftablesBackend(nftables(rules.node().path())));
    ConnectPath ours = opened(ConnectPath.throughServices("nftables", rules));
    List<ConnectPath> paths = new ArrayList<>(List.of(direct, ebpf, beside, ours));
    boolean compares = Peers.find("kube-proxy").isPresent();
    if (compares) {
      paths.add(kubeProxy("nftables"));
      paths.add(kubeProxy("iptables"));
    } else {
      report.progress("there is no kube-proxy to compare with; ./dev peers builds one");
    }
    measure(paths);
    paths.forEach(path -> tell(path, direct));
    compare(ebpf, beside, 1.05);
    if (compares) {
      compare(ours, paths.get(4), 1);
    }
  }

  private static NftablesOptions nftables(Path namespace) {
    return new NftablesOptions("portolan", 14, Optional.of(namespace));
  }

  private static EbpfOptions ebpf(ClientCgroup cgroup, Path namespace) {
    return EbpfOptions.DEFAULT
        .beside(nftables(namespace))
        .of(cgroup.path())
        .pinnedTo(cgroup.pins());
  }

  private static ClusterDelta cluster() {
    return new SyntheticCluster(SERVICES, ENDPOINTS, 100).all();
  }

  /** Lets a backend of ours write everything. */
  private void serve(Backend backend) {
    report.progress(
        String.format(
            Locale.ROOT, "%s writes %,d services", backend.getClass().getSimpleName(), SERVICES));
    open.push(() -> {
      backend.cleanup();
      backend.close();
    });
    Brain brain = new Brain(warning -> {});
    brain.apply(cluster());
    brain.apply(ConnectPath.objects());
    NodeView view = brain.open(Actor.NODE_NAME, SETTINGS);
    backend.sync(NodeChange.to(view.image()));
    if (backend instanceof EbpfBackend ebpf && ebpf.obstacle().isPresent()) {
      throw new IllegalStateException(ebpf.obstacle().get());
    }
  }

  /** Lets a kube-proxy write everything; its rules stay when it ends. */
  private ConnectPath kubeProxy(String mode) {
    report.progress(String.format(Locale.ROOT, "kube-proxy, mode %s, writes the same", mode));
    Lab lab = opened(Lab.open());
    try (LegacyIptables programs = new LegacyIptables();
        KubeProxyNode node =
            new KubeProxyNode(lab.node(), mode, SETTINGS, programs.environment())) {
      node.tell(cluster());
      node.apply(ConnectPath.objects());
    }
    return opened(ConnectPath.throughServices("kube-proxy " + mode, lab));
  }

  private void measure(List<ConnectPath> paths) {
    turns("connects, to warm up", paths, ROUNDS / 4, path -> path.connect(100));
    paths.forEach(ConnectPath::forget);
    turns("connects", paths, ROUNDS, path -> path.connect(100));
    turns("connects from two threads", paths, ROUNDS / 2, path -> path.crowd(200));
    turns("bulk", paths, Math.max(3, ROUNDS / 10), path -> path.send(200));
  }

  /** Goes all ways in each round, every time another one first. */
  private void turns(
      String what, List<ConnectPath> paths, int rounds, Consumer<ConnectPath> action) {
    report.progress(what + ", in " + rounds + " rounds");
    List<ConnectPath> order = new ArrayList<>(paths);
    for (int round = 0; round < rounds; round++) {
      order.forEach(action);
      Collections.rotate(order, 1);
    }
  }

  private void tell(ConnectPath path, ConnectPath direct) {
    row(path, direct, "connect, p50", it -> it.micros(0.5), "us");
    row(path, direct, "connect, p99", it -> it.micros(0.99), "us");
    row(path, direct, "connects", ConnectPath::rate, "/s");
    row(path, direct, "bulk", ConnectPath::throughput, "Gbit/s");
  }

  private void row(
      ConnectPath path,
      ConnectPath direct,
      String what,
      ToDoubleFunction<ConnectPath> figure,
      String unit) {
    double value = figure.applyAsDouble(path);
    double ratio = value / figure.applyAsDouble(direct);
    report.value(path.name() + ": " + what, value, by(unit, ratio));
  }

  /** A unit, and how often the figure is that of another. */
  private static String by(String unit, double ratio) {
    return String.format(Locale.ROOT, "%s, %.2f x", unit, ratio);
  }

  /** How one way compares with one that it should not be worse than. */
  private void compare(ConnectPath path, ConnectPath other, double most) {
    String what = path.name() + " by " + other.name() + ": ";
    report.atMost(what + "p50", path.micros(0.5) / other.micros(0.5), most, "x");
    report.atMost(what + "p99", path.micros(0.99) / other.micros(0.99), most, "x");
    report.atLeast(what + "connects", path.rate() / other.rate(), 1 / most, "x");
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

  /** A node with so many services: with nftables alone, and with eBPF on top. */
  private void node(ClientCgroup cgroup, int services) {
    report.progress(String.format(Locale.ROOT, "start and changes with %,d services", services));
    List<Figures> rules = new ArrayList<>();
    List<Figures> both = new ArrayList<>();
    try (BenchNamespace namespace = new BenchNamespace()) {
      for (int round = 0; round < STARTS; round++) {
        rules.add(work(services, new NftablesBackend(nftables(namespace.path()))));
        both.add(work(services, new EbpfBackend(ebpf(cgroup, namespace.path()))));
      }
    }
    Figures alone = Figures.best(rules);
    Figures all = Figures.best(both);
    String where = String.format(Locale.ROOT, " with %,d services", services);
    report.value("nftables: start" + where, alone.start, "ms");
    report.value("ebpf: start" + where, all.start, by("ms", all.start / alone.start));
    report.value("nftables: one change" + where, alone.change, "ms");
    report.value("ebpf: one change" + where, all.change, by("ms", all.change / alone.change));
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
