package dev.portolan.lab;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a program to its end and returns what it printed; throws if it fails, with its errors. */
final class Command {
  private static final int PATIENCE_SECONDS = 30;

  private Command() {}

  /** Runs {@code words} with {@code input} on standard input. */
  static String run(List<String> words, String input) {
    String line = String.join(" ", words);
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      try (OutputStream stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        // It ended before it read everything; its exit status says more.
      }
      String output;
      try (InputStream stdout = process.getInputStream()) {
        output = new String(stdout.readAllBytes(), StandardCharsets.UTF_8);
      }
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new LabException("'" + line + "' did not end within " + PATIENCE_SECONDS + " s");
      }
      if (process.exitValue() != 0) {
        throw new LabException(
            String.format(
                Locale.ROOT,
                "'%s' failed with status %d: %s%n--- its input was%n%s",
                line,
                process.exitValue(),
                output.strip(),
                input));
      }
      return output;
    } catch (IOException e) {
      throw new LabException("'" + line + "' could not be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LabException("interrupted while '" + line + "' ran", e);
    }
  }

  /** Whether the program {@code name} is on the PATH. */
  static boolean exists(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
  }
}
