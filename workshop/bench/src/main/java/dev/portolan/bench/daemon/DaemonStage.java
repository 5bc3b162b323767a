package dev.portolan.bench.daemon;

import dev.portolan.bench.floor.BareClient;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.Installation;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.testkit.peers.ApiWriter;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Doorway;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
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

  /** Measures with an empty API server, into which {@code cluster} can be written. */
  public static void open(
      Report report, SyntheticCluster cluster, Mode mode, Measurement measurement) {
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
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
        String.format(
            Locale.ROOT, "writing %,d services of %d endpoints", to - from, cluster.endpoints()));
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int i = from; i < to; i++) {
      delta.set(cluster.service(i)).set(cluster.slice(i, 0));
    }
    write(delta.set(cluster.node(0)).build());
  }

  /** Replaces the first endpoint of a service. */
  public void change(int i) {
    versions[i]++;
    write(ClusterDelta.builder().set(cluster.slice(i, versions[i])).build());
  }

  /** Writes anything else. */
  public void write(ClusterDelta delta) {
    api.apply(delta);
  }

  /** Starts a program as a kube-proxy is started. */
  public Daemon start(String... program) throws IOException {
    return Daemon.start(namespace, plane, rules, program);
  }

  /** What starts our own. */
  public List<String> ours() {
    return ours.kubeProxy();
  }

  /** Starts our own. */
  public Daemon startOurs(String... options) throws IOException {
    return start(Stream.concat(ours().stream(), Stream.of(options)).toArray(String[]::new));
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
