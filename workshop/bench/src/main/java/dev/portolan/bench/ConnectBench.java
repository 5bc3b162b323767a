package dev.portolan.bench;

import dev.portolan.backend.ebpf.EbpfBackend;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.bench.traffic.ClientCgroup;
import dev.portolan.bench.traffic.ConnectPath;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.testkit.peers.IptablesFolder;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What a new connection costs: directly, with eBPF, with our rules and with those of kube-proxy,
 * all on nodes of their own in one run, turn by turn. First among few services, then among many;
 * those of {@link ConnectPath} come on top.
 */
final class ConnectBench implements AutoCloseable {
  private static final int FEW = 10;
  private static final int MANY = Integer.getInteger("portolan.bench.services", 10_000);
  private static final int ENDPOINTS = 6;
  private static final int NODES = 100;
  private static final int ROUNDS = Integer.getInteger("portolan.bench.rounds", 300);

  private final Report report;
  private final int services;
  private final ClusterDelta cluster;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  private ConnectBench(Report report, int services) {
    this.report = report;
    this.services = services;
    this.cluster = new SyntheticCluster(services, ENDPOINTS, NODES).all();
  }

  static void run(Report report) throws IOException {
    for (int services : new int[] {FEW, MANY}) {
      try (ClientCgroup cgroup = new ClientCgroup();
          ConnectBench bench = new ConnectBench(report, services)) {
        bench.paths(cgroup);
      }
    }
  }

  @Override
  public void close() {
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
  private void paths(ClientCgroup cgroup) throws IOException {
    ConnectPath direct = opened(ConnectPath.direct("direct", opened(Lab.open())));
    Lab sockets = opened(Lab.open());
    sockets.onEntryToNode(cgroup::enter);
    serve(EbpfBench.backend(cgroup, sockets.node().path()));
    ConnectPath besideEbpf = opened(ConnectPath.direct("direct beside ebpf", sockets));
    ConnectPath ebpf = opened(ConnectPath.throughServices("ebpf", sockets));
    Lab rules = opened(Lab.open());
    serve(new NftablesBackend(NftablesOptions.DEFAULT.in(Optional.of(rules.node().path()))));
    ConnectPath beside = opened(ConnectPath.direct("direct beside nftables", rules));
    ConnectPath ours = opened(ConnectPath.throughServices("nftables", rules));
    List<ConnectPath> paths = new ArrayList<>(List.of(direct, besideEbpf, ebpf, beside, ours));
    List<ConnectPath> theirs = new ArrayList<>();
    if (Peers.find("kube-proxy").isPresent()) {
      theirs.add(kubeProxy("nftables"));
      theirs.add(kubeProxy("iptables"));
    } else {
      report.progress("there is no kube-proxy to compare with; ./dev peers builds one");
    }
    paths.addAll(theirs);
    measure(paths);
    paths.forEach(path -> tell(path, direct));
    compare(ebpf, besideEbpf, 1.05);
    theirs.forEach(path -> compare(ours, path, 1));
    report.atMost(among("nftables by " + beside.name() + ": p50"), p50(ours, beside), 1.2, "x");
    report.value(among("nftables by " + direct.name() + ": p50"), p50(ours, direct), "x");
  }

  /** Says among how many services. */
  private String among(String what) {
    return "%,d services, %s".formatted(services, what);
  }

  /** Lets a backend of ours write everything. */
  private void serve(Backend backend) {
    report.progress(among(backend.getClass().getSimpleName() + " writes them"));
    open.push(() -> {
      backend.cleanup();
      backend.close();
    });
    long _ =
        new BenchNode(Actor.NODE_NAME, EbpfBench.SETTINGS, cluster, ConnectPath.objects())
            .start(backend);
    if (backend instanceof EbpfBackend ebpf && ebpf.obstacle().isPresent()) {
      throw new IllegalStateException(ebpf.obstacle().get());
    }
  }

  /** Lets a kube-proxy write everything; its rules stay when it ends. */
  private ConnectPath kubeProxy(String mode) throws IOException {
    report.progress(among("kube-proxy, mode " + mode + ", writes the same"));
    Lab lab = opened(Lab.open());
    try (IptablesFolder programs = new IptablesFolder("legacy");
        KubeProxyNode node =
            new KubeProxyNode(lab.node(), mode, EbpfBench.SETTINGS, programs.environment())) {
      node.tell(cluster);
      node.apply(ConnectPath.objects());
    }
    return opened(ConnectPath.throughServices("kube-proxy " + mode, lab));
  }

  private void measure(List<ConnectPath> paths) throws IOException {
    turns("connects, to warm up", paths, ROUNDS / 4, path -> path.connect(100));
    paths.forEach(ConnectPath::forget);
    turns("connects", paths, ROUNDS, path -> path.connect(100));
    turns("connects from two threads", paths, ROUNDS / 5, path -> path.crowd(1_000));
    turns("bulk", paths, Math.max(3, ROUNDS / 10), path -> path.send(200));
  }

  private void turns(String what, List<ConnectPath> paths, int rounds, ConnectPath.Passage passage)
      throws IOException {
    report.progress("%s, in %d rounds".formatted(what, rounds));
    ConnectPath.inTurns(paths, rounds, passage);
  }

  private void tell(ConnectPath path, ConnectPath direct) {
    row(path, direct, "connect, p50", it -> it.micros(0.5), "us");
    row(path, direct, "connect, p99", it -> it.micros(0.99), "us");
    row(path, direct, "processor time of a connection", ConnectPath::processorMicros, "us");
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
    report.value(among(path.name() + ": " + what), value, unit, ratio);
  }

  /** How one way compares with one that it should not be worse than. */
  private void compare(ConnectPath path, ConnectPath other, double most) {
    String what = among(path.name() + " by " + other.name() + ": ");
    report.atMost(what + "p50", p50(path, other), most, "x");
    report.atMost(what + "p99", path.micros(0.99) / other.micros(0.99), most, "x");
    report.atLeast(what + "connects", path.rate() / other.rate(), 1 / most, "x");
    report.atMost(
        what + "processor time", path.processorMicros() / other.processorMicros(), most, "x");
  }

  private static double p50(ConnectPath path, ConnectPath other) {
    return path.micros(0.5) / other.micros(0.5);
  }
}
