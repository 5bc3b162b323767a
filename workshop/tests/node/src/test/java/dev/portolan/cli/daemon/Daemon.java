package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import dev.portolan.testbase.OwnJvm;
import dev.portolan.testbase.RepositoryRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The real program, running in a process of its own. */
public final class Daemon implements AutoCloseable {
  private final Process process;
  private final Path log;

  private Daemon(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** The words that start the program, before those of its own. */
  public static List<String> program() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "@" + RepositoryRoot.resolve("tools/cli/java.options").toAbsolutePath(),
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        OwnJvm.classPath(),
        "dev.portolan.cli.Main");
  }

  /** Starts {@code kube-proxy} with flags, behind the words that bring it to its place. */
  static Daemon start(List<String> place, List<String> flags) throws IOException {
    return start(place, "kube-proxy", flags);
  }

  /** Starts a command, behind the words that bring it to its place. */
  static Daemon start(List<String> place, String command, List<String> options) throws IOException {
    List<String> words = new ArrayList<>(place);
    words.addAll(program());
    words.add(command);
    words.addAll(options);
    Path log = Files.createTempFile("daemon", ".log");
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new Daemon(process, log);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it has logged so far. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the log has {@code text} {@code times} times. */
  void awaitLog(String text, int times) {
    Await.until(this::log, () -> log().split(Pattern.quote(text), -1).length > times || !isAlive());
    assertThat(log()).contains(text);
  }

  /** Waits until the rules are in place for the first time. */
  Daemon awaitSync() {
    awaitLog("Synced for the first time", 1);
    return this;
  }

  /** The names of the classes that it has loaded. */
  String loadedClasses() throws IOException, InterruptedException {
    Path file = Files.createTempFile("classes", ".txt");
    try {
      Process listing =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                  Long.toString(pid()),
                  "VM.class_hierarchy")
              .redirectErrorStream(true)
              .redirectOutput(file.toFile())
              .start();
      assertThat(listing.waitFor()).isZero();
      return Files.readString(file);
    } finally {
      Files.delete(file);
    }
  }

  /** Waits until it ends by itself; returns its exit status. */
  int awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(Await.PATIENCE)).as(this::log).isTrue();
    return process.exitValue();
  }

  /** Stops it, and waits; returns its exit status. */
  int stop() throws InterruptedException {
    process.destroy();
    return awaitEnd();
  }

  /** Ends it as a crash would, if it is still there. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
    try {
      Files.delete(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
