package dev.portolan.bench.daemon;

import dev.portolan.bench.floor.BareClient;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.Installation;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Doorway;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real API server with a cluster in it, and a network namespace in which daemons run against it,
 * one after the other, with the same flags.
 */
public final class DaemonStage {
  private final Report report;
  private final ControlPlane plane;
  private final ApiWriter api;
  private final SyntheticCluster cluster;
  private final BenchNamespace namespace;
  private final DaemonRules rules;
  private final int[] versions;
  private final Installation ours;

  private DaemonStage(
      Report report,
      ControlPlane plane,
      SyntheticCluster cluster,
      BenchNamespace namespace,
      DaemonRules rules,
      Installation ours) {
    this.report = report;
    this.plane = plane;
    this.api = new ApiWriter(plane);
    this.cluster = cluster;
    this.namespace = namespace;
    this.rules = rules;
    this.versions = new int[cluster.services()];
    this.ours = ours;
  }

  /** Finds the rules of a mode in a namespace. */
  public interface Mode {
    DaemonRules in(BenchNamespace namespace) throws IOException;
  }

  /** What is done on the stage. */
  public interface Measurement {
    void on(DaemonStage stage) throws IOException, InterruptedException;
  }

  /** A program that is started as a kube-proxy is, and the nftables table that is its own. */
  public record Program(String name, List<String> command) {
    /** Whether it is not the peer. */
    public boolean isOurs() {
      return name.equals("portolan");
    }
  }

  /** Measures with an empty API server, into which {@code cluster} can be written. */
  public static void open(
      Report report, SyntheticCluster cluster, Mode mode, Measurement measurement)
      throws IOException, InterruptedException {
    if (Peers.find("kube-apiserver").isEmpty() || Peers.find("etcd").isEmpty()) {
      report.progress("there is no API server to measure with; ./dev peers builds one");
      return;
    }
    report.progress("starting an API server");
    try (ControlPlane plane = new ControlPlane();
        BenchNamespace namespace = new BenchNamespace();
        DaemonRules rules = mode.in(namespace)) {
      namespace.ip("link", "set", "lo", "up");
      namespace.ip("address", "add", "172.16.0.1/32", "dev", "lo");
      try (Doorway _ = new Doorway(new NetworkNamespace(namespace.path()), plane.port())) {
        Installation ours = Installation.unpack();
        measurement.on(new DaemonStage(report, plane, cluster, namespace, rules, ours));
      }
    }
  }

  public ControlPlane plane() {
    return plane;
  }

  public BenchNamespace namespace() {
    return namespace;
  }

  public DaemonRules rules() {
    return rules;
  }

  /** A client that reads from the API server as a daemon does, and through the same door. */
  public BareClient client() {
    return BareClient.of(plane, new NetworkNamespace(namespace.path()));
  }

  /** Writes the node that is looked from, and services from one number up to another. */
  public void load(int from, int to) {
    report.progress(
        "writing %,d services of %d endpoints".formatted(to - from, cluster.endpoints()));
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int i = from; i < to; i++) {
      delta.set(cluster.service(i)).set(cluster.slice(i, 0));
    }
    write(delta.set(cluster.node(0)).build());
  }

  /** Replaces the first endpoint of a service. */
  public void change(int i) {
    versions[i]++;
    write(BenchObjects.written(cluster.slice(i, versions[i])));
  }

  /** Writes anything else. */
  public void write(ClusterDelta delta) {
    api.apply(delta);
  }

  /** What starts our own. */
  public Program ours(String... options) {
    List<String> command = Stream.concat(ours.kubeProxy().stream(), Stream.of(options)).toList();
    return new Program("portolan", command);
  }

  /** The other to compare with, if there is one. */
  public Optional<Program> peer() {
    Optional<Path> peer = Peers.find("kube-proxy");
    if (peer.isEmpty()) {
      report.progress("there is no kube-proxy to compare with; ./dev peers builds one");
    }
    return peer.map(path -> new Program("kube-proxy", List.of(path.toString())));
  }

  /** Starts a program as a kube-proxy is started; returns when so many services have rules. */
  public Daemon start(Program program, int services) throws IOException {
    List<String> command =
        new ArrayList<>(namespace.inside(program.command.toArray(String[]::new)));
    command.addAll(
        List.of(
            "--kubeconfig=" + plane.kubeconfig(),
            "--proxy-mode=" + rules.mode(),
            "--hostname-override=node-0",
            "--cluster-cidr=10.128.0.0/9",
            "--conntrack-max-per-core=0",
            "--conntrack-tcp-timeout-established=0s",
            "--conntrack-tcp-timeout-close-wait=0s",
            "--oom-score-adj=0"));
    return new Daemon(command, program.name, services, rules);
  }

  /** Replaces the first endpoint of a service; returns the nanoseconds until rules are others. */
  public long change(Daemon daemon, int i) {
    int generation = rules.generation();
    return Samples.nanos(() -> {
      change(i);
      daemon.await(() -> rules.generation() != generation);
    });
  }

  /** Whether the rules stay as they are for a while. */
  public boolean isQuiet() {
    int generation = rules.generation();
    try {
      TimeUnit.MILLISECONDS.sleep(1100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return rules.generation() == generation;
  }
}
