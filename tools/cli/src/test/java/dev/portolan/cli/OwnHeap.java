package dev.portolan.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own, with a heap that no other test shares. */
final class OwnHeap {
  private OwnHeap() {}

  /** How it ended, and what it said on both outputs. */
  record Ended(int status, String said) {}

  /** Runs a class with a heap of at most {@code limit}, as in {@code -Xmx}, until it ends. */
  static Ended run(String limit, Class<?> program, String... args)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx" + limit,
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    words.addAll(List.of(args));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), said);
  }
}
