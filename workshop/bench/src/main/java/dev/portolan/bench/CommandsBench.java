package dev.portolan.bench;

import dev.portolan.bench.kit.BenchFolder;
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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final String OF_FILES =
      """
      show --from FROM --node node-0
      show --from FROM --node node-0 -o json
      explain --from FROM --node node-0 SERVICE
      explain --from FROM --node node-0 ADDRESS
      explain --from FROM --all-nodes SERVICE
      analyze --from FROM
      diff FROM file:FOLDER/after.json
      diff --from FROM -f FOLDER/part.json
      diff --rules --node node-0 FROM file:FOLDER/after.json
      whatif --from FROM --scale SERVICE=HALF
      whatif --from FROM --scale SERVICE=TWICE
      whatif --from FROM --drain node-0
      whatif --from FROM --lose zone-a
      whatif --from FROM --delete service/SERVICE
      whatif --from FROM --not-ready ENDPOINT
      render --from FROM --node node-0 --backend nftables
      render --from FROM --node node-0 --backend ebpf
      render --from FROM --node node-0 --backend iptables
      render --from FROM --node node-0 --backend ipvs
      render --from FROM --node node-0 --backend userspace
      migrate --config FOLDER/config.yaml --from FROM --to nftables
      record --from FROM --for 1s -o FOLDER/cluster.rec
      record info FOLDER/cluster.rec
      show --from record:FOLDER/cluster.rec --node node-0
      history FOLDER/cluster.rec --service SERVICE
      replay FOLDER/cluster.rec --node node-0
      """;

  private static final String WAIT =
      "wait --api API --nodes node-0 --timeout 5m --service SERVICE --endpoints 1+";

  private static final String OF_A_NODE =
      """
      run --once --traffic-counters --from FROM --node node-0 --netns NETNS
      top --once --every 1s --netns NETNS
      run --once --from FROM --node node-0 --netns NETNS
      doctor --netns NETNS
      bundle -o FOLDER/bundle.zip --netns NETNS
      run --dry-run --from FROM --node node-0 --netns NETNS
      audit --from FROM --node node-0 --netns NETNS
      trace --from FROM --node node-0 --netns NETNS ADDRESS
      cleanup --dry-run --netns NETNS
      cleanup --netns NETNS
      """;

  private final Report report;
  private final Path folder;
  private final BenchNamespace namespace;
  private final Subject subject;

  private CommandsBench(Report report, Path folder, BenchNamespace namespace, Subject subject) {
    this.report = report;
    this.folder = folder;
    this.namespace = namespace;
    this.subject = subject;
  }

  /** A cluster, a service in it that is asked about, and the number of its endpoints. */
  private record Subject(
      String name,
      ClusterDelta before,
      ClusterDelta change,
      NamespacedName service,
      int endpoints) {}

  static void run(Report report) throws IOException, InterruptedException {
    ClusterDelta all = WIDE.all();
    ClusterDelta huge = HUGE.all(0);
    for (Subject subject :
        List.of(
            new Subject(
                "10,000 services x 6",
                all,
                WIDE.change(0),
                WIDE.service(0).name(),
                WIDE.endpoints()),
            new Subject(
                "100,000 endpoints",
                new ClusterDelta(huge.services(), huge.slices(), all.nodes(), Map.of()),
                HUGE.change(1),
                HUGE.name(),
                HUGE.endpoints()))) {
      try (BenchNamespace namespace = new BenchNamespace();
          BenchFolder folder = BenchFolder.create()) {
        namespace.ip("link", "set", "lo", "up");
        namespace.ip("address", "add", "172.16.0.1/32", "dev", "lo");
        new CommandsBench(report, folder.path(), namespace, subject).measure();
      }
    }
  }

  private void measure() throws IOException, InterruptedException {
    ClusterImage before = subject.before.applyTo(ClusterImage.EMPTY);
    write("before.json", ApiObjects.list(before));
    write("after.json", ApiObjects.list(subject.change.applyTo(before)));
    write("part.json", ApiObjects.list(subject.change.applyTo(ClusterImage.EMPTY)));
    write("config.yaml", CONFIGURATION);
    commands(OF_FILES);
    server("chart", "--from FROM", () -> {});
    server(
        "brain",
        "--from FROM --listen API",
        () -> {
          commands("nodes --api API");
          server("run", "--api API --node node-0 --netns NETNS", () -> commands(WAIT));
        });
    commands(OF_A_NODE);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  /** Puts in what the words in capitals stand for. */
  private String filled(String lines) {
    Service service =
        Objects.requireNonNull(subject.before.services().get(subject.service)).orElseThrow();
    EndpointSlice slice = subject.change.slices().values().iterator().next().orElseThrow();
    return lines
        .replace("FROM", "file:FOLDER/before.json")
        .replace("API", "unix://FOLDER/" + SOCKET)
        .replace("FOLDER", folder.toString())
        .replace("NETNS", namespace.path().getFileName().toString())
        .replace("SERVICE", subject.service.toString())
        .replace("HALF", "" + subject.endpoints / 2)
        .replace("TWICE", "" + subject.endpoints * 2)
        .replace("ADDRESS", service.clusterIps().getFirst() + ":80")
        .replace("ENDPOINT", slice.members().getLast().addresses().getFirst());
  }

  /** What is done while a command runs. */
  private interface Visit {
    void run() throws IOException, InterruptedException;
  }

  /** Runs the command of each line. */
  private void commands(String lines) throws IOException, InterruptedException {
    for (String line : filled(lines).lines().toList()) {
      command(line);
    }
  }

  /** Runs a command to its end; what it found is not a failure, what it could not do is one. */
  private void command(String line) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    run(
        shown(line),
        line,
        output,
        process -> {
          if (!process.isAlive() && process.exitValue() > 1) {
            throw new IllegalStateException(line + ": " + Files.readString(output));
          }
          return !process.isAlive();
        },
        () -> {});
  }

  /** Runs a command until it serves, and visits it then. */
  private void server(String name, String options, Visit visit)
      throws IOException, InterruptedException {
    Path output = folder.resolve(name + "-output");
    try (HttpClient client = HttpClient.newHttpClient()) {
      run(
          name + " until it answers",
          filled(name + " " + options),
          output,
          _ -> {
            Matcher page = PAGE.matcher(Files.readString(output));
            return switch (name) {
              case "brain" -> Files.exists(folder.resolve(SOCKET));
              case "run" -> Files.size(output) > 0;
              default -> page.find() && answers(client, page.group());
            };
          },
          visit);
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

  /** Whether a process is as far as it should be. */
  private interface Condition {
    boolean holds(Process process) throws IOException, InterruptedException;
  }

  /** Runs a command until a condition holds, which is measured, and visits it then. */
  private void run(String name, String line, Path output, Condition condition, Visit visit)
      throws IOException, InterruptedException {
    String what = subject.name + ", " + name;
    report.progress(what);
    List<String> command = new ArrayList<>(List.of(Checkout.launcher().toString()));
    command.addAll(List.of(line.split(" ", -1)));
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      double megabytes = 0;
      while (!condition.holds(process)) {
        megabytes = Math.max(megabytes, peak(process));
        if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(LIMIT_MINUTES)) {
          throw new IllegalStateException(what + ": takes minutes");
        }
        boolean _ = process.waitFor(10, TimeUnit.MILLISECONDS);
      }
      report.atMost(what, (System.nanoTime() - start) / 1e9, SECONDS, "s");
      report.value("  resident at most", megabytes, "MB");
      visit.run();
    } finally {
      process.destroyForcibly().waitFor();
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

  /** A command without the arguments that all commands share. */
  private String shown(String line) {
    return line.replaceAll(" (--(api|config|every|netns|node|service|timeout)|-o) (?!json)\\S+", "")
        .replaceAll(" --from record:\\S+", " of a recording")
        .replaceAll(" --from \\S+", "")
        .replaceAll(" \\S*" + Pattern.quote(folder.toString()) + "\\S*", "");
  }
}
