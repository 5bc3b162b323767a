package dev.portolan.proxy.takeover;

import dev.portolan.netlink.NetworkNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One of iptables' programs on this host. */
record Program(Path path, Optional<Path> namespace) {
  private static final int PATIENCE_SECONDS = 120;
  private static final int LONGEST_COMPLAINT = 2000;

  /** The program of that name, where one of the folders has it. */
  static Optional<Program> find(TakeoverOptions options, String name) {
    return options.programs().stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst()
        .map(path -> new Program(path, options.namespace()));
  }

  /** Runs it to its end and hands over what it prints, line by line. */
  void run(String input, Consumer<String> lines, String... words) {
    try {
      Process process = start(words);
      Thread guard = Thread.ofVirtual().start(() -> endInTime(process));
      Thread writer = Thread.ofVirtual().start(() -> feed(process, input));
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        output.lines().forEach(lines);
      }
      int status = process.waitFor();
      writer.join();
      guard.join();
      if (status != 0) {
        throw new ProgramException(path + " failed: " + complaint(process));
      }
    } catch (IOException e) {
      throw new ProgramException("cannot run " + path + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProgramException("interrupted while running " + path, e);
    }
  }

  private Process start(String... words) throws IOException {
    List<String> command = Stream.concat(Stream.of(path.toString()), Stream.of(words)).toList();
    // What a program complains of fits into the pipe that it is read from in the end.
    ProcessBuilder builder = new ProcessBuilder(command);
    return namespace.isEmpty()
        ? builder.start()
        : new NetworkNamespace(namespace.get()).visit(builder::start);
  }

  private static void endInTime(Process process) {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
  }

  private static void feed(Process process, String input) {
    try (var stream = process.outputWriter(StandardCharsets.UTF_8)) {
      stream.write(input);
    } catch (IOException e) {
      // It ended before it had read everything, and says why by itself.
      return;
    }
  }

  private static String complaint(Process process) throws IOException {
    try (InputStream errors = process.getErrorStream()) {
      String text =
          new String(errors.readNBytes(LONGEST_COMPLAINT), StandardCharsets.UTF_8)
              .strip()
              .replaceAll("\\s*\\n\\s*", "; ");
      return text.isEmpty() ? "status " + process.exitValue() : text;
    }
  }
}
