package dev.portolan.testkit.peers;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Namespace;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.packets.FollowingNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The real kube-proxy at work on a node of a lab, fed by an {@link ObjectServer}. It starts with
 * the first change.
 */
public final class KubeProxyNode implements FollowingNode {
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(10);
  private static final long SHORTEST_PAUSE = 100;
  private static final long LONGEST_PAUSE = 2_000;
  private static final long MOVE_MILLIS = 500;
  private static final URI METRICS = URI.create("http://127.0.0.1:10249/metrics");
  private static final String SYNCED = "last_timestamp_seconds";

  private final Namespace node;
  private final String mode;
  private final NodeSettings settings;
  private final Map<String, String> environment;
  private final Path folder;
  private final ObjectServer objects;
  private @Nullable Process process;

  /** On {@code node}, in {@code mode}, set as {@code settings} says. */
  public KubeProxyNode(Namespace node, String mode, NodeSettings settings) {
    this(node, mode, settings, Map.of());
  }

  /** The same, with variables of its environment. */
  public KubeProxyNode(
      Namespace node, String mode, NodeSettings settings, Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
    this.node = node;
    this.mode = mode;
    this.settings = settings;
    try {
      folder = Files.createTempDirectory("kube-proxy");
      objects = new ObjectServer(new NetworkNamespace(node.path()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets it know of something, and does not wait. */
  public void tell(ClusterDelta change) {
    objects.apply(change);
  }

  /** Returns when it has written the change; the first one in both families. */
  @Override
  public void apply(ClusterDelta change) {
    if (process == null) {
      start(change);
      return;
    }
    List<Double> before = syncs(SYNCED);
    objects.apply(change);
    await(() -> sum(syncs(SYNCED)) > sum(before));
  }

  /**
   * Starts it in another zone, and lets it know the right one before any service: it may take note
   * of the zone before the part that needs it listens, and would then miss it for good. Of
   * ServiceCIDRs it knows by then, too; rules for a later one wait until it writes everything
   * again.
   */
  private void start(ClusterDelta change) {
    ClusterImage here = change.applyTo(objects.image());
    ClusterImage elsewhere = elsewhere(here);
    objects.apply(ClusterDelta.between(objects.image(), elsewhere));
    objects.holdServices();
    process = launch();
    await(objects::isGreeted);
    objects.apply(ClusterDelta.between(elsewhere, here));
    pause(MOVE_MILLIS);
    objects.serveAll();
    await(() -> !syncs(SYNCED).isEmpty());
  }

  private void await(BooleanSupplier followed) {
    long end = System.nanoTime() + PATIENCE;
    long pause = SHORTEST_PAUSE;
    while (!followed.getAsBoolean()) {
      if (!process().isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException("kube-proxy did not follow:\n" + log());
      }
      // Asking costs it more than a change does where processors are slow.
      pause(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private Process launch() {
    List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", node.name()));
    words.addAll(
        List.of(
            Peers.program("kube-proxy").toString(),
            "--proxy-mode=" + mode,
            "--kubeconfig=" + objects.kubeconfig(folder.resolve("kubeconfig")),
            "--hostname-override=" + Actor.NODE_NAME,
            "--detect-local-mode=" + settings.localMode(),
            "--masquerade-all=" + settings.masqueradeAll(),
            "--nodeport-addresses=" + nodePorts(),
            // These belong to the whole machine.
            "--conntrack-max-per-core=0",
            "--conntrack-tcp-timeout-established=0s",
            "--conntrack-tcp-timeout-close-wait=0s"));
    switch (settings.localMode()) {
      case CLUSTER_CIDR ->
          words.add(
              "--cluster-cidr="
                  + settings.clusterCidrs().stream()
                      .map(Object::toString)
                      .collect(Collectors.joining(",")));
      case BRIDGE_INTERFACE -> words.add("--pod-bridge-interface=" + settings.podInterface());
      case INTERFACE_NAME_PREFIX ->
          words.add("--pod-interface-name-prefix=" + settings.podInterface());
      case NODE_CIDR -> {}
    }
    try {
      ProcessBuilder builder =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("log").toFile());
      builder.environment().putAll(environment);
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String nodePorts() {
    return settings.nodePortAddresses().primary()
        ? "primary"
        : settings.nodePortAddresses().ranges().stream()
            .map(Object::toString)
            .collect(Collectors.joining(","));
  }

  /** How long it has spent writing so far, in seconds, by its own account. */
  public double syncSeconds() {
    return sum(syncs("duration_seconds_sum"));
  }

  /** How often it has written so far, each family counted. */
  public double syncCount() {
    return sum(syncs("duration_seconds_count"));
  }

  private static double sum(List<Double> figures) {
    return figures.stream().mapToDouble(Double::doubleValue).sum();
  }

  /** One of its figures for each of both families; empty before it has that of both. */
  private List<Double> syncs(String figure) {
    String metrics;
    try {
      metrics =
          node.call(() -> {
            try (InputStream stream = METRICS.toURL().openStream()) {
              return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            }
          });
    } catch (IOException e) {
      return List.of();
    }
    List<Double> values =
        metrics
            .lines()
            .filter(line -> line.startsWith("kubeproxy_sync_proxy_rules_" + figure + "{"))
            .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
            .filter(value -> value > 0)
            .toList();
    return values.size() < 2 ? List.of() : values;
  }

  /** The process, which must have been started. */
  public Process process() {
    if (process == null) {
      throw new IllegalStateException("kube-proxy is not started yet");
    }
    return process;
  }

  /** What it said so far. */
  public String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Ends it as a crash would. What it wrote stays, and goes with the lab. */
  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
      process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
    }
    objects.close();
    try {
      Files.deleteIfExists(folder.resolve("kubeconfig"));
      Files.deleteIfExists(folder.resolve("log"));
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same cluster with its nodes in another zone. */
  public static ClusterImage elsewhere(ClusterImage cluster) {
    ClusterDelta.Builder change = ClusterDelta.builder();
    cluster
        .nodes()
        .forEach((name, node) ->
            change.set(
                new Node(
                    name,
                    node.internalIps(),
                    node.externalIps(),
                    "elsewhere",
                    node.podCidrs(),
                    node.leaving())));
    return change.build().applyTo(cluster);
  }
}
