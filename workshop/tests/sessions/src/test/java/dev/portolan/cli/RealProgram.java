package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell.Result;
import dev.portolan.testbase.OwnJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the real program in a process of its own. */
final class RealProgram {
  private RealProgram() {}

  /** Runs a command line with {@code input} on its standard input. */
  static Result run(Path folder, String input, String... args)
      throws IOException, InterruptedException {
    Process process = start(folder, args);
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    }
    return end(folder, process);
  }

  /** Starts a command that runs until it is stopped. */
  static Process start(Path folder, String... args) throws IOException {
    return startUnder(List.of(), classPath(), folder, args);
  }

  /** The folders and jars that the tests use. */
  static String classPath() {
    return OwnJvm.classPath();
  }

  /** The same by a program that is given the command line. */
  static Process startUnder(List<String> program, String classPath, Path folder, String... args)
      throws IOException {
    List<String> words = new ArrayList<>(program);
    words.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath,
            Main.class.getName()));
    words.addAll(List.of(args));
    return new ProcessBuilder(words)
        .redirectOutput(folder.resolve("stdout").toFile())
        .redirectError(folder.resolve("stderr").toFile())
        .start();
  }

  /** Waits until it ends. */
  static Result end(Path folder, Process process) throws IOException, InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Result(
        process.exitValue(),
        Files.readString(folder.resolve("stdout")),
        Files.readString(folder.resolve("stderr")));
  }
}
