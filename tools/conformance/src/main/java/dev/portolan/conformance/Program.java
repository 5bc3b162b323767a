package dev.portolan.conformance;

import dev.portolan.lab.Namespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program of any language. It finds the brain in {@code PORTOLAN_API} and the node in {@code
 * PORTOLAN_NODE}, and in the arguments {@code {api}} and {@code {node}} stand for them.
 */
public final class Program implements Candidate {
  private static final int END_SECONDS = 10;
  private static final int DUMP_SECONDS = 60;

  private final List<String> command;
  private final Optional<String> dump;

  private Program(List<String> command, Optional<String> dump) {
    this.command = List.copyOf(command);
    this.dump = dump;
  }

  /** A program and its arguments. */
  public static Program of(List<String> command) {
    return new Program(command, Optional.empty());
  }

  /**
   * The same, with a command of the shell that prints what the program has programmed. It has the
   * same environment.
   */
  public Program withDump(String shellCommand) {
    return new Program(command, Optional.of(shellCommand));
  }

  @Override
  public Running start(Place place) {
    Path log = temporary(".log");
    try {
      Process process =
          builder(place, command)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(log.toFile())
              .start();
      return new Started(place, process, log);
    } catch (IOException e) {
      delete(log);
      throw new ConformanceException("it could not be started: " + e.getMessage());
    }
  }

  /** A process, and what it says. */
  private final class Started implements Running {
    private final Place place;
    private final Process process;
    private final Path log;

    Started(Place place, Process process, Path log) {
      this.place = place;
      this.process = process;
      this.log = log;
    }

    @Override
    public Optional<String> ended() {
      return process.isAlive()
          ? Optional.empty()
          : Optional.of(
              "status %d, %s"
                  .formatted(
                      process.exitValue(),
                      complaint().map("after it printed: "::concat).orElse("without output")));
    }

    @Override
    public Optional<String> complaint() {
      return Program.complaint(log);
    }

    @Override
    public Optional<List<String>> state() {
      return dump.map(words -> print(place, words));
    }

    @Override
    public void close() {
      try {
        end(process);
      } finally {
        delete(log);
      }
    }
  }

  private static ProcessBuilder builder(Place place, List<String> words) {
    List<String> command = new ArrayList<>();
    place
        .namespace()
        .map(Namespace::name)
        .ifPresent(name -> command.addAll(List.of("ip", "netns", "exec", name)));
    for (String word : words) {
      command.add(word.replace("{api}", place.api().toString()).replace("{node}", place.node()));
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .putAll(Map.of("PORTOLAN_API", place.api().toString(), "PORTOLAN_NODE", place.node()));
    return builder;
  }

  private static List<String> print(Place place, String shellCommand) {
    Path output = temporary(".dump");
    try {
      Process process =
          builder(place, List.of("sh", "-c", shellCommand))
              .redirectOutput(output.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      if (!process.waitFor(DUMP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new ConformanceException(
            "'%s' did not end within %d s".formatted(shellCommand, DUMP_SECONDS));
      }
      if (process.exitValue() != 0) {
        throw new ConformanceException(
            "'%s' failed with status %d".formatted(shellCommand, process.exitValue()));
      }
      return Files.readAllLines(output).stream().filter(line -> !line.isBlank()).toList();
    } catch (IOException e) {
      throw new ConformanceException("'" + shellCommand + "' could not be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } finally {
      delete(output);
    }
  }

  private static Optional<String> complaint(Path log) {
    try {
      return ProgramOutput.complaint(Files.readString(log));
    } catch (IOException e) {
      return Optional.of("(unreadable output: " + e.getMessage() + ")");
    }
  }

  /** Ends a program and those that it started. */
  private static void end(Process process) {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new ConformanceException(
            "it did not end within %d s after SIGTERM".formatted(END_SECONDS));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static Path temporary(String suffix) {
    try {
      return Files.createTempFile("conformance", suffix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
