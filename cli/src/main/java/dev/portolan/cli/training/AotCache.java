package dev.portolan.cli.training;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the AOT caches, one for the commands and one for the daemon: starts a JVM that records what
 * {@link AotTraining} does, in a network of its own where the system allows that. There the
 * training may run the daemon on a kernel.
 */
public final class AotCache {
  private static final List<List<String>> WAYS =
      List.of(List.of("unshare", "--net"), List.of("unshare", "--map-root-user", "--net"));
  private static final String LOOPBACK = "ip link set lo up";

  private AotCache() {}

  /** Takes the file of the JVM's options, the folder of the caches, and one of manifests. */
  public static void main(String[] args) throws InterruptedException {
    List<String> options =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + args[0],
            // Profiles are for the optimising compiler, which is not used.
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTRecordTraining",
            "-cp",
            System.getProperty("java.class.path"));
    int commands = train(List.of(), options, args[1] + "/portolan.aot", "commands", args[2]);
    List<String> alone = ownNetwork();
    int daemon =
        train(alone, options, args[1] + "/daemon.aot", alone.isEmpty() ? "classes" : "daemon", "");
    System.exit(Math.max(commands, daemon));
  }

  private static int train(
      List<String> where, List<String> options, String cache, String what, String examples)
      throws InterruptedException {
    List<String> words = new ArrayList<>(where);
    words.addAll(options);
    words.addAll(List.of("-XX:AOTCacheOutput=" + cache, AotTraining.class.getName()));
    words.addAll(List.of(what, examples));
    return status(words);
  }

  /** What starts a program in a network of its own; nothing where the system does not allow it. */
  private static List<String> ownNetwork() throws InterruptedException {
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

  private static int status(List<String> words) throws InterruptedException {
    try {
      return new ProcessBuilder(words).inheritIO().start().waitFor();
    } catch (IOException e) {
      return -1; // There is no such program.
    }
  }
}
