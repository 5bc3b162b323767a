package dev.portolan.testbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own for a class that a test has, with the class path of the test. */
public final class OwnJvm {
  private OwnJvm() {}

  /** How it ended, and what it said on both outputs. */
  public record Ended(int status, String said) {
    /** What it said, if all went well. */
    public String orThrow() {
      if (status != 0) {
        throw new AssertionError("it ended with " + status + " and said: " + said);
      }
      return said;
    }
  }

  /** The words that start one; {@code options} are those of the JVM. */
  public static List<String> words(List<String> options, Class<?> main, String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(options);
    words.addAll(List.of("-cp", classPath(), main.getName()));
    words.addAll(List.of(arguments));
    return words;
  }

  /** The folders and jars that the tests use. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Runs one to its end. */
  public static Ended run(List<String> options, Class<?> main, String... arguments) {
    return run(words(options, main, arguments));
  }

  /** Runs a program to its end. */
  public static Ended run(List<String> words) {
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Ended(process.waitFor(), said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
