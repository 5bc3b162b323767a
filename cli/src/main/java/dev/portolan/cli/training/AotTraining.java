package dev.portolan.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;

/** What the build runs to fill the AOT cache: one of each, so that all of them start fast. */
final class AotTraining {
  private AotTraining() {}

  /** Runs the commands over the folder of manifests that is the first argument. */
  public static void main(String[] args) {
    String from = "--from=file:" + args[0];
    Terminal.ofProcess();
    Terminal nowhere =
        Terminal.plain(
            new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter(), true));
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
            List.of("config", "validate", args[0] + "/../kube-proxy/config.yaml"));
    int worst = 0;
    for (List<String> line : lines) {
      worst = Math.max(worst, Portolan.run(line.toArray(String[]::new), nowhere));
    }
    ClassesOfTheDaemon.load();
    if (worst > CommandFailure.NOT_FORWARDED) {
      throw new IllegalStateException("a command of the training ended with " + worst);
    }
  }
}
