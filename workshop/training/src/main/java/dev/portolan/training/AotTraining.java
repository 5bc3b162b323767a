package dev.portolan.training;

import dev.portolan.cli.Training;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What fills the AOT cache: one of each, so that all of them start fast. */
public final class AotTraining {
  private static final int WORST_EXPECTED = 1;
  private static final int STARTS = 2;
  private static final int TRIES = 100;
  private static final int PAUSE_MILLIS = 50;

  private AotTraining() {}

  /**
   * Runs the commands over the folder of manifests that is the second argument, or the daemon on a
   * network that is ours alone, or only loads the daemon's classes.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    switch (args[0]) {
      case "commands" -> commands(args[1]);
      case "daemon" -> daemon();
      default -> ClassesOfTheDaemon.load();
    }
  }

  private static void commands(String examples) throws IOException, InterruptedException {
    String from = "--from=file:" + examples;
    List<List<String>> lines =
        List.of(
            List.of("--help"),
            List.of("--version"),
            List.of("show", "--help"),
            List.of("show", from, "--node=worker-1"),
            List.of("show", from, "--node=worker-1", "services", "-o", "wide"),
            List.of("show", from, "--node=worker-1", "endpoints"),
            List.of("show", from, "--node=worker-1", "node"),
            List.of("show", from, "--node=worker-1", "-o", "json"),
            List.of("show", from, "--node=worker-1", "-o", "yaml"),
            List.of("explain", from, "--node=worker-1", "shop/web"),
            List.of("explain", from, "--node=worker-1", "203.0.113.10:443", "-o", "json"),
            List.of("explain", from, "--node=worker-2", "30443", "--client=198.51.100.7"),
            List.of("render", from, "--node=worker-1"),
            List.of("run", "--help"),
            List.of("cleanup", "--help"),
            List.of("demo", "--help"),
            List.of("kube-proxy", "--help"),
            List.of("config", "validate", examples + "/../kube-proxy/config.yaml"));
    int worst = 0;
    for (List<String> line : lines) {
      worst = Math.max(worst, Training.run(line));
    }
    worst = Math.max(worst, brain(from));
    if (worst > WORST_EXPECTED) {
      throw new IllegalStateException("a command of the training ended with " + worst);
    }
  }

  /** Runs a brain, and the commands that ask it. */
  private static int brain(String from) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("training");
    String address = "unix://" + folder.resolve("api.sock");
    Thread brain =
        Thread.ofPlatform()
            .start(() -> Training.run(List.of("brain", from, "--listen=" + address)));
    int status = 1;
    for (int i = 0; i < TRIES && status != 0; i++) {
      Thread.sleep(PAUSE_MILLIS);
      status = Training.run(List.of("nodes", "--api=" + address));
    }
    for (String where : List.of("--api=" + address, "--from=api:" + address)) {
      status = Math.max(status, Training.run(List.of("show", where, "--node=worker-1")));
    }
    brain.interrupt();
    brain.join();
    delete(folder);
    return status;
  }

  /**
   * Runs the daemon on this network until it has seen a server's changes, and again over the rules
   * that are there then.
   */
  private static void daemon() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("training");
    String ownJar = AotTraining.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path") + ":" + ownJar,
                TrainingServer.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader says = server.inputReader(StandardCharsets.UTF_8)) {
      await(says, "serving");
      for (int i = 0; i < STARTS; i++) {
        daemonOf(folder, says);
      }
    } finally {
      server.destroy();
      delete(folder);
    }
  }

  private static void daemonOf(Path folder, BufferedReader says)
      throws IOException, InterruptedException {
    Thread daemon =
        Thread.ofPlatform()
            .start(() ->
                Training.run(
                    List.of(
                        "kube-proxy",
                        "--kubeconfig=" + folder.resolve("kubeconfig"),
                        "--kube-api-content-type=application/json",
                        "--proxy-mode=nftables",
                        "--hostname-override=" + TrainingObjects.NODE,
                        "--conntrack-max-per-core=0",
                        "--conntrack-tcp-timeout-established=0s",
                        "--conntrack-tcp-timeout-close-wait=0s",
                        "--oom-score-adj=0")));
    await(says, "changed");
    look("http://127.0.0.1:10256/healthz");
    look("http://127.0.0.1:10249/metrics");
    daemon.interrupt();
    daemon.join();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  private static void await(BufferedReader says, String word) throws IOException {
    String said = says.readLine();
    if (!word.equals(said)) {
      throw new IllegalStateException("the server of the training said: " + said);
    }
  }

  private static void look(String page) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      client.send(HttpRequest.newBuilder(URI.create(page)).build(), BodyHandlers.discarding());
    }
  }
}
