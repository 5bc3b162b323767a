package dev.portolan.training;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Creates the AOT caches, one for the commands and one for the daemon: starts a JVM on the
 * program's own jars that records what {@link AotTraining} does, in a network namespace where the
 * system allows one. There the training may run the daemon on a kernel.
 */
public final class AotCache {
  private static final List<List<String>> WAYS =
      List.of(List.of("unshare", "--net"), List.of("unshare", "--map-root-user", "--net"));
  private static final String LOOPBACK = "ip link set lo up";

  private AotCache() {}

  /** Takes the file of the JVM's options, the folder of the program, and a folder of manifests. */
  public static void main(String[] args) {
    Path program = Path.of(args[1]).normalize();
    List<String> options =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + args[0],
            // Profiles are for the optimising compiler, which is not used.
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTRecordTraining",
            "-cp",
            program.resolve("lib/portolan-cli.jar").toString());
    CompletableFuture<Integer> commands =
        CompletableFuture.supplyAsync(
            () -> train(List.of(), options, program.resolve("portolan.aot"), "commands", args[2]));
    List<String> alone = ownNetwork();
    String what = alone.isEmpty() ? "classes" : "daemon";
    int daemon = train(alone, options, program.resolve("daemon.aot"), what, "");
    System.exit(Math.max(commands.join(), daemon));
  }

  private static int train(
      List<String> where, List<String> options, Path cache, String what, String examples) {
    List<String> words = new ArrayList<>(where);
    words.addAll(options);
    words.addAll(List.of("-XX:AOTCacheOutput=" + cache, "dev.portolan.cli.Training"));
    words.addAll(List.of(System.getProperty("java.class.path"), AotTraining.class.getName()));
    words.addAll(List.of(what, examples));
    return status(words);
  }

  /** The command that starts a program in a network namespace; empty where that is not allowed. */
  private static List<String> ownNetwork() {
    for (List<String> way : WAYS) {
      List<String> words = new ArrayList<>(way);
      words.addAll(List.of("sh", "-c", LOOPBACK + " && exec \"$@\"", "sh"));
      List<String> trial = new ArrayList<>(words);
      trial.add("true");
      if (status(trial) == 0) {
        return words;
      }
    }
    return List.of();
  }

  private static int status(List<String> words) {
    try {
      return new ProcessBuilder(words).inheritIO().start().waitFor();
    } catch (IOException e) {
      return -1; // There is no such program.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }
}
