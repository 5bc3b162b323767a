package dev.portolan.bench;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.netlink.nftables.Nftables;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Doorway;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The whole daemon on a real API server, beside the real kube-proxy: each in turn, with the same
 * flags, in the same network namespace.
 */
final class DaemonBench {
  private static final int MANY = 10_000;
  private static final int ENDPOINTS = 6;
  private static final int FEW = 10;
  private static final int STARTS = 5;
  private static final int CHANGES_A_SECOND = 50;
  private static final int MINUTES =
      Integer.parseInt(System.getenv().getOrDefault("BENCH_MINUTES", "1"));

  private final Report report;
  private final String mode;
  private final int services;
  private final ControlPlane plane;
  private final ApiWriter api;
  private final SyntheticCluster cluster;
  private final BenchNamespace namespace;
  private final Nftables kernel;
  private final int[] versions;

  private DaemonBench(
      Report report,
      String mode,
      int services,
      ControlPlane plane,
      SyntheticCluster cluster,
      BenchNamespace namespace,
      Nftables kernel) {
    this.report = report;
    this.mode = mode;
    this.services = services;
    this.versions = new int[services];
    this.plane = plane;
    this.api = new ApiWriter(plane);
    this.cluster = cluster;
    this.namespace = namespace;
    this.kernel = kernel;
  }

  static void run(Report report) {
    run(report, "nftables", MANY);
  }

  /** Measures the daemon in {@code mode}. */
  static void run(Report report, String mode, int services) {
    if (Peers.find("kube-apiserver").isEmpty() || Peers.find("etcd").isEmpty()) {
      report.progress("there is no API server to measure with; ./dev peers builds one");
      return;
    }
    report.progress("starting an API server");
    try (ControlPlane plane = new ControlPlane();
        BenchNamespace namespace = new BenchNamespace();
        Nftables kernel = new Nftables(Optional.of(namespace.path()))) {
      namespace.ip("link", "set", "lo", "up");
      namespace.ip("address", "add", "172.16.0.1/32", "dev", "lo");
      SyntheticCluster objects = new SyntheticCluster(services, ENDPOINTS, 100);
      try (Doorway _ = new Doorway(new NetworkNamespace(namespace.path()), plane.port())) {
        new DaemonBench(report, mode, services, plane, objects, namespace, kernel).measure();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void measure() throws IOException, InterruptedException {
    load(0, FEW);
    Path portolan = Path.of(System.getProperty("portolan.root", ".")).resolve("portolan");
    try (Daemon daemon = Daemon.start(namespace, plane, mode, portolan.toString(), "kube-proxy")) {
      daemon.await(() -> programmed("portolan") >= FEW);
      TimeUnit.SECONDS.sleep(10);
      report.atMost("resident, idle with " + FEW + " services", daemon.residentSize(), 80, "MB");
    }
    report.progress("writing " + services + " services of " + ENDPOINTS + " endpoints");
    load(FEW, services);
    TimeUnit.SECONDS.sleep(15);
    double cpu = portolan(portolan);
    Optional<Path> peer = Peers.find("kube-proxy");
    if (peer.isEmpty()) {
      report.progress("there is no kube-proxy to compare with; ./dev peers builds one");
      return;
    }
    double its = kubeProxy(peer.get());
    speed("processor, as part of kube-proxy's", cpu / its, 0.2, "");
  }

  /** Writes the node that is looked from, and services from one number up to another. */
  private void load(int from, int to) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int i = from; i < to; i++) {
      delta.set(cluster.service(i)).set(cluster.slice(i, 0));
    }
    api.apply(delta.set(cluster.node(0)).build());
  }

  /** Replaces the first endpoint of a service. */
  private void change(int i) {
    versions[i]++;
    api.apply(ClusterDelta.builder().set(cluster.slice(i, versions[i])).build());
  }

  private double portolan(Path program) throws IOException, InterruptedException {
    report.progress("portolan");
    double[] starts = new double[STARTS];
    for (int i = 1; i < STARTS; i++) {
      try (Daemon daemon = Daemon.start(namespace, plane, mode, program.toString(), "kube-proxy")) {
        daemon.await(() -> programmed("portolan") >= services);
        starts[i] = daemon.age();
      } finally {
        namespace.nft("", "flush", "ruleset");
      }
    }
    try (Daemon daemon = Daemon.start(namespace, plane, mode, program.toString(), "kube-proxy")) {
      daemon.await(() -> programmed("portolan") >= services);
      starts[0] = daemon.age();
      Arrays.sort(starts);
      speed("start to fully programmed, median of " + STARTS, starts[STARTS / 2], 2, "s");
      report.value("start to fully programmed, slowest", starts[STARTS - 1], "s");
      TimeUnit.SECONDS.sleep(5);
      report.atMost("  resident then", daemon.residentSize(), 150, "MB");
      Samples changes = changes(daemon, 60);
      speed("API write to changed rules, median", changes.millis(0.5), 10, "ms");
      speed("API write to changed rules, p99", changes.millis(0.99), 40, "ms");
      double cpu = churn(daemon);
      report.atMost("  resident then", daemon.residentSize(), 180, "MB");
      report.value("  peak", daemon.peakSize(), "MB");
      return cpu;
    } finally {
      namespace.nft("", "flush", "ruleset");
    }
  }

  private double kubeProxy(Path program) throws IOException, InterruptedException {
    report.progress("the peer: " + program.getFileName());
    try (Daemon daemon = Daemon.start(namespace, plane, mode, program.toString())) {
      daemon.await(() -> programmed("kube-proxy") >= services);
      report.value("peer: kube-proxy, start to fully programmed", daemon.age(), "s");
      daemon.await(this::isQuiet);
      report.value("  resident then", daemon.residentSize(), "MB");
      Samples changes = changes(daemon, 10);
      report.value(
          "peer: kube-proxy, API write to changed rules, median", changes.millis(0.5), "ms");
      double cpu = churn(daemon);
      report.value("  resident then", daemon.residentSize(), "MB");
      report.value("  peak", daemon.peakSize(), "MB");
      return cpu;
    } finally {
      namespace.nft("", "flush", "ruleset");
    }
  }

  /** Single changes, each after a rest that is longer than the shortest time between two syncs. */
  private Samples changes(Daemon daemon, int count) {
    return Samples.of(
        2,
        count,
        i -> {
          daemon.await(this::isQuiet);
          return kernel.generation();
        },
        (i, generation) -> {
          change(20 * i % services);
          daemon.await(() -> kernel.generation() != generation);
        });
  }

  /** Changes at a steady rate; returns the seconds of processor time that they cost. */
  private double churn(Daemon daemon) throws IOException, InterruptedException {
    report.progress(CHANGES_A_SECOND + " changes a second, for " + MINUTES + " min");
    double before = daemon.processorSeconds();
    long start = System.nanoTime();
    int changes = MINUTES * 60 * CHANGES_A_SECOND;
    for (int i = 0; i < changes; i++) {
      change(i * 7 % services);
      long next = start + TimeUnit.SECONDS.toNanos(1) * (i + 1) / CHANGES_A_SECOND;
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    }
    double seconds = daemon.processorSeconds() - before;
    report.value("processor time, " + changes + " changes in " + MINUTES + " min", seconds, "s");
    return seconds;
  }

  /** A figure with a target, which is that of mode nftables. */
  private void speed(String what, double value, double target, String unit) {
    if (mode.equals("nftables")) {
      report.atMost(what, value, target, unit);
    } else {
      report.value(what, value, unit);
    }
  }

  /**
   * How many services are programmed, by the program whose nftables table has this name. In mode
   * iptables one in twenty has no chain, since its policy is Local and this node has no endpoint.
   */
  private int programmed(String table) {
    if (mode.equals("iptables")) {
      return kernel.tables(false).contains("nat")
          ? (int)
                  kernel.chains(false, "nat").stream()
                      .filter(chain -> chain.name().startsWith("KUBE-SVC-"))
                      .count()
              * 20
              / 19
          : 0;
    }
    return kernel.tables(false).contains(table)
        ? kernel.elements(false, table, "service-ips").size()
        : 0;
  }

  private boolean isQuiet() {
    int generation = kernel.generation();
    try {
      TimeUnit.MILLISECONDS.sleep(1100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return kernel.generation() == generation;
  }
}
