package dev.portolan.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Programs of the machine that the build runs. */
final class Subprocess {
  private Subprocess() {}

  /** Runs a program that must succeed, and returns what it prints. */
  static String output(String... words) {
    Process process =
        start(new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT));
    try (var out = process.inputReader(StandardCharsets.UTF_8)) {
      String text = out.readAllAsString();
      finish(process, List.of(words));
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a program and returns what it prints, nothing where it fails. */
  static String ask(String... words) {
    Process process =
        start(new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD));
    try (var out = process.inputReader(StandardCharsets.UTF_8)) {
      return out.readAllAsString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a program that must succeed; what it prints goes to a file. */
  static void run(List<String> words, Path log) {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    try {
      finish(start(builder.redirectOutput(log.toFile())), words);
    } catch (BuildFailure e) {
      throw new BuildFailure(e.getMessage() + "; see " + log);
    }
  }

  /** Runs a program that must succeed, from one file to another. */
  static void filter(Path from, Path to, List<String> words) {
    finish(
        start(
            new ProcessBuilder(words)
                .redirectInput(from.toFile())
                .redirectOutput(to.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)),
        words);
  }

  private static Process start(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new BuildFailure(
          builder.command().getFirst() + " cannot be started: " + e.getMessage());
    }
  }

  private static void finish(Process process, List<String> words) {
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new BuildFailure("'" + String.join(" ", words) + "' ended with status " + status);
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new BuildFailure("interrupted");
    }
  }
}
