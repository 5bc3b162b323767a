package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs programs of the machine. */
final class Programs {
  private Programs() {}

  /** Runs a program that has to succeed; returns what it printed. */
  static String run(String... words) throws IOException, InterruptedException {
    return runWith("", words);
  }

  /** The same, with {@code input} on its standard input. */
  static String runWith(String input, String... words) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(List.of(words)).redirectErrorStream(true).start();
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s printed: %s", List.of(words), output).isZero();
    return output;
  }
}
