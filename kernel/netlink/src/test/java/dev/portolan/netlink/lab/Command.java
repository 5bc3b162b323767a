package dev.portolan.netlink.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that a test runs to its end. */
public final class Command {
  private static final int PATIENCE_SECONDS = 60;

  private Command() {}

  /** Runs a program and returns what it printed; anything but success is an exception. */
  public static String run(String... words) {
    return runWithInput("", words);
  }

  /** The same, with something to read for the program. */
  public static String runWithInput(String input, String... words) {
    try {
      Path in = Files.createTempFile("portolan", ".in");
      Path out = Files.createTempFile("portolan", ".out");
      try {
        Files.writeString(in, input);
        Process process =
            new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new IllegalStateException(List.of(words) + " does not end");
        }
        String text = new String(Files.readAllBytes(out), StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
          throw new IllegalStateException(List.of(words) + " failed: " + text);
        }
        return text;
      } finally {
        Files.deleteIfExists(in);
        Files.deleteIfExists(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while running " + List.of(words), e);
    }
  }
}
