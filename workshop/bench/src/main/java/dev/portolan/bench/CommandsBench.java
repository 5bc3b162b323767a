package dev.portolan.bench;

import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.Checkout;
import dev.portolan.bench.kit.LargeService;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.testkit.peers.ApiObjects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How long a person waits for a command: each once, in a large cluster and beside a huge service.
 */
final class CommandsBench {
  private static final int SECONDS = 5;
  private static final int LIMIT_MINUTES = 5;
  private static final SyntheticCluster WIDE = new SyntheticCluster(10_000, 6, 300);
  private static final LargeService HUGE =
      new LargeService(new NamespacedName("ns-0", "huge"), "10.96.200.1", 100_000);

  private static final String SOCKET = "api.sock";
  private static final Pattern PAGE = Pattern.compile("http://\\S+");

  private static final String CONFIGURATION =
      """
      apiVersion: kubeproxy.config.k8s.io/v1alpha1
      kind: KubeProxyConfiguration
      mode: iptables
      """;

  private final Report report;
  private final Path folder;
  private final BenchNamespace namespace;

  private CommandsBench(Report report, Path folder, BenchNamespace namespace) {
    this.report = report;
    this.folder = folder;
    this.namespace = namespace;
  }

  /** A cluster, a service in it that is asked about, and the number of its endpoints. */
  private record Subject(
      String name, ClusterDelta before, ClusterDelta change, String service, int endpoints) {}

  static void run(Report report) {
    try (BenchNamespace namespace = new BenchNamespace()) {
      Path folder = Files.createTempDirectory("portolan-bench-commands");
      namespace.ip("link", "set", "lo", "up");
      namespace.ip("address", "add", "172.16.0.1/32", "dev", "lo");
      CommandsBench bench = new CommandsBench(report, folder, namespace);
      bench.measure(
          new Subject(
              "10,000 services x 6",
              WIDE.all(),
              ClusterDelta.builder().set(WIDE.slice(0, 1)).build(),
              "ns-0/service-0",
              WIDE.endpoints()));
      ClusterDelta.Builder beside = ClusterDelta.builder();
      HUGE.all(0).services().forEach((name, service) -> beside.set(service.orElseThrow()));
      HUGE.all(0).slices().forEach((name, slice) -> beside.set(slice.orElseThrow()));
      for (int i = 0; i < 300; i++) {
        beside.set(WIDE.node(i));
      }
      bench.measure(
          new Subject(
              "100,000 endpoints",
              beside.build(),
              ClusterDelta.builder().set(HUGE.slice(0, 1)).build(),
              HUGE.name().toString(),
              HUGE.endpoints()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void measure(Subject subject) throws IOException, InterruptedException {
    ClusterImage before = subject.before.applyTo(ClusterImage.EMPTY);
    Path file = Files.writeString(folder.resolve("before.json"), ApiObjects.list(before));
    Path changed =
        Files.writeString(
            folder.resolve("after.json"), ApiObjects.list(subject.change.applyTo(before)));
    Path recording = folder.resolve("cluster.rec");
    Files.deleteIfExists(recording);
    String from = "file:" + file;
    String other = "record:" + recording;
    String node = SyntheticCluster.name(0);
    String service = subject.service;
    String half = service + "=" + subject.endpoints / 2;
    String twice = service + "=" + subject.endpoints * 2;
    String netns = namespace.path().getFileName().toString();
    command(subject, "show", "--from", from, "--node", node);
    command(subject, "show", "--from", from, "--node", node, "-o", "json");
    command(subject, "explain", "--from", from, "--node", node, service);
    Service target = Objects.requireNonNull(before.services().get(name(service)));
    String address = target.clusterIps().getFirst() + ":80";
    EndpointSlice slice = subject.change.slices().values().iterator().next().orElseThrow();
    String endpoint = slice.members().getLast().addresses().getFirst();
    command(subject, "explain", "--from", from, "--node", node, address);
    command(subject, "explain", "--from", from, "--all-nodes", service);
    command(subject, "analyze", "--from", from);
    command(subject, "diff", from, "file:" + changed);
    Path part =
        Files.writeString(
            folder.resolve("part.json"),
            ApiObjects.list(subject.change.applyTo(ClusterImage.EMPTY)));
    command(subject, "diff", "--from", from, "-f", part.toString());
    command(subject, "diff", "--rules", "--node", node, from, "file:" + changed);
    command(subject, "whatif", "--from", from, "--scale", half);
    command(subject, "whatif", "--from", from, "--scale", twice);
    command(subject, "whatif", "--from", from, "--drain", node);
    command(subject, "whatif", "--from", from, "--lose", "zone-a");
    command(subject, "whatif", "--from", from, "--delete", "service/" + service);
    command(subject, "whatif", "--from", from, "--not-ready", endpoint);
    for (String mode : List.of("nftables", "ebpf", "iptables", "ipvs", "userspace")) {
      command(subject, "render", "--from", from, "--node", node, "--backend", mode);
    }
    Path configuration = Files.writeString(folder.resolve("config.yaml"), CONFIGURATION);
    command(
        subject,
        "migrate",
        "--config",
        configuration.toString(),
        "--from",
        from,
        "--to",
        "nftables");
    command(subject, "record", "--from", from, "--for", "1s", "-o", recording.toString());
    command(subject, "record", "info", recording.toString());
    command(subject, "show", "--from", other, "--node", node);
    command(subject, "history", recording.toString(), "--service", service);
    command(subject, "replay", recording.toString(), "--node", node);
    server(subject, "chart", List.of("--from", from), () -> {});
    Files.deleteIfExists(folder.resolve(SOCKET));
    String socket = "unix://" + folder.resolve(SOCKET);
    server(
        subject,
        "brain",
        List.of("--from", from, "--listen", socket),
        () -> {
          command(subject, "nodes", "--api", socket);
          server(
              subject,
              "run",
              List.of("--api", socket, "--node", node, "--netns", netns),
              () ->
                  command(
                      subject,
                      "wait",
                      "--api",
                      socket,
                      "--nodes",
                      node,
                      "--timeout",
                      "5m",
                      "--service",
                      service,
                      "--endpoints",
                      "1+"));
        });
    command(
        subject,
        "run",
        "--once",
        "--traffic-counters",
        "--from",
        from,
        "--node",
        node,
        "--netns",
        netns);
    command(subject, "top", "--once", "--every", "1s", "--netns", netns);
    command(subject, "run", "--once", "--from", from, "--node", node, "--netns", netns);
    command(subject, "doctor", "--netns", netns);
    Path bundle = folder.resolve("bundle.zip");
    Files.deleteIfExists(bundle);
    command(subject, "bundle", "-o", bundle.toString(), "--netns", netns);
    command(subject, "run", "--dry-run", "--from", from, "--node", node, "--netns", netns);
    command(subject, "audit", "--from", from, "--node", node, "--netns", netns);
    command(subject, "trace", "--from", from, "--node", node, "--netns", netns, address);
    command(subject, "cleanup", "--dry-run", "--netns", netns);
    command(subject, "cleanup", "--netns", netns);
  }

  private static NamespacedName name(String service) {
    String[] parts = service.split("/", 2);
    return new NamespacedName(parts[0], parts[1]);
  }

  /** What is done while a server runs. */
  private interface Visit {
    void run() throws IOException, InterruptedException;
  }

  /** Runs a command to its end; what it found is not a failure, what it could not do is one. */
  private void command(Subject subject, String... words) throws IOException, InterruptedException {
    String what = subject.name + ", " + shown(words);
    Started started = start(what, List.of(words), "output");
    try {
      started.await(() -> !started.process.isAlive());
      if (started.process.exitValue() > 1) {
        throw new IllegalStateException(what + ": " + Files.readString(started.output));
      }
      started.report();
    } finally {
      started.process.destroyForcibly().waitFor();
    }
  }

  /** Runs a command until it serves, and visits it then. */
  private void server(Subject subject, String name, List<String> words, Visit visit)
      throws IOException, InterruptedException {
    String what = subject.name + ", " + name + " until it answers";
    Started started =
        start(what, Stream.concat(Stream.of(name), words.stream()).toList(), name + "-output");
    try (HttpClient client = HttpClient.newHttpClient()) {
      started.await(() -> {
        Matcher page = PAGE.matcher(Files.readString(started.output));
        return switch (name) {
          case "brain" -> Files.exists(folder.resolve(SOCKET));
          case "run" -> Files.size(started.output) > 0;
          default -> page.find() && answers(client, page.group());
        };
      });
      started.report();
      visit.run();
    } finally {
      started.process.destroyForcibly().waitFor();
    }
  }

  private static boolean answers(HttpClient client, String page)
      throws IOException, InterruptedException {
    URI services = URI.create(page).resolve("/api/services");
    return client
            .send(HttpRequest.newBuilder(services).build(), HttpResponse.BodyHandlers.discarding())
            .statusCode()
        == 200;
  }

  private Started start(String what, List<String> words, String output) throws IOException {
    report.progress(what);
    List<String> command = new ArrayList<>(List.of(Checkout.launcher().toString()));
    command.addAll(words);
    Path file = folder.resolve(output);
    return new Started(
        what,
        System.nanoTime(),
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(file.toFile()).start(),
        file);
  }

  /** Whether a process is as far as it should be. */
  private interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  /** A process that is waited for. */
  private final class Started {
    private final String what;
    private final long start;
    private final Process process;
    private final Path output;
    private double megabytes;

    private Started(String what, long start, Process process, Path output) {
      this.what = what;
      this.start = start;
      this.process = process;
      this.output = output;
    }

    private void await(Condition condition) throws IOException, InterruptedException {
      while (!condition.holds()) {
        megabytes = Math.max(megabytes, peak(process));
        if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(LIMIT_MINUTES)) {
          throw new IllegalStateException(what + ": takes minutes");
        }
        boolean _ = process.waitFor(10, TimeUnit.MILLISECONDS);
      }
    }

    private void report() {
      report.atMost(what, (System.nanoTime() - start) / 1e9, SECONDS, "s");
      report.value("  resident at most", megabytes, "MB");
    }
  }

  /** A process that just ended has no memory any more. */
  private static double peak(Process process) {
    try {
      return new ProcessFigures(process.pid()).peakSize();
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /** The arguments without those that all commands share. */
  private static String shown(String... words) {
    StringBuilder shown = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      switch (words[i]) {
        case "--api",
            "--config",
            "--every",
            "--from",
            "--netns",
            "--node",
            "--service",
            "--timeout",
            "-f",
            "-o" -> {
          i++;
          if (words[i - 1].equals("-f")) {
            shown.append(" -f");
          } else if (words[i].equals("json")) {
            shown.append(" -o json");
          } else if (words[i].startsWith("record:")) {
            shown.append(" of a recording");
          }
        }
        default -> {
          if (!words[i].contains("/tmp/")) {
            shown.append(' ').append(words[i]);
          }
        }
      }
    }
    return shown.toString();
  }
}
