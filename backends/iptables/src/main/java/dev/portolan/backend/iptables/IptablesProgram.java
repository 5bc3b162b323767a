package dev.portolan.backend.iptables;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.Threads;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetworkNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One of iptables' programs on this host. */
public record IptablesProgram(Path path, Optional<Path> namespace) {
  /** Restoring very many rules takes the program minutes; it must not take forever. */
  private static final int PATIENCE_MINUTES = 15;

  private static final int LONGEST_COMPLAINT = 4000;

  /** How a run ended, and what the program complained of. */
  public record Result(int status, String complaint) {
    /** Whether it ended with status 0. */
    public boolean succeeded() {
      return status == 0;
    }

    /** The complaint in one line, or the status where it said nothing. */
    public String words() {
      return complaint.isEmpty() ? "status " + status : complaint.replaceAll("\\s*\\n\\s*", "; ");
    }
  }

  /** The program of that name, where one of the folders has it. */
  public static Optional<IptablesProgram> find(
      List<Path> folders, String name, Optional<Path> namespace) {
    return folders.stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst()
        .map(path -> new IptablesProgram(path, namespace));
  }

  /**
   * Runs it to its end with what {@code input} writes on its standard input. Its changes meanwhile
   * are noted in {@code own}.
   */
  Result feed(Consumer<OutputStream> input, List<String> words, OwnWrites own) {
    long[] number = {0};
    try {
      return run(
          words,
          true,
          process -> {
            number[0] = process.pid();
            own.began(number[0]);
            try (OutputStream stream = process.getOutputStream()) {
              input.accept(stream);
            }
          });
    } finally {
      if (number[0] != 0) {
        own.ended(number[0]);
      }
    }
  }

  /** Runs it to its end and hands over what it prints, line by line. */
  public Result read(Consumer<String> lines, List<String> words) {
    return ask("", lines, words);
  }

  /** The same, with a short text on its standard input. */
  public Result ask(String input, Consumer<String> lines, List<String> words) {
    return run(
        words,
        false,
        process -> {
          try (OutputStream stream = process.getOutputStream()) {
            stream.write(input.getBytes(StandardCharsets.UTF_8));
          }
          try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(lines);
          }
        });
  }

  /** What is done with a program while it runs. */
  private interface Talk {
    void with(Process process) throws IOException;
  }

  private Result run(List<String> words, boolean silent, Talk talk) {
    Process process = start(words, silent);
    try {
      Threads threads = Threads.virtual("iptables");
      CompletableFuture<String> complaint =
          CompletableFuture.supplyAsync(() -> complaint(process), task -> threads.start(task::run));
      threads.start(() -> endInTime(process));
      try {
        talk.with(process);
      } catch (IOException | UncheckedIOException e) {
        // It ended before it had read everything, and says why by itself.
      }
      int status = process.waitFor();
      return new Result(status, complaint.join());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException("iptables: interrupted while running " + path, e);
    } finally {
      process.destroyForcibly();
    }
  }

  private Process start(List<String> words, boolean silent) {
    ProcessBuilder builder =
        new ProcessBuilder(Stream.concat(Stream.of(path.toString()), words.stream()).toList());
    if (silent) {
      builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }
    try {
      return namespace.isEmpty()
          ? builder.start()
          : new NetworkNamespace(namespace.get()).visit(builder::start);
    } catch (IOException | NetlinkException e) {
      throw new BackendException("iptables: cannot run " + path + ": " + e.getMessage(), e);
    }
  }

  private static void endInTime(Process process) {
    try {
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
  }

  /** The start of the program's error output; the rest is read and discarded. */
  private static String complaint(Process process) {
    try (InputStream errors = process.getErrorStream()) {
      String text = new String(errors.readNBytes(LONGEST_COMPLAINT), StandardCharsets.UTF_8);
      errors.transferTo(OutputStream.nullOutputStream());
      return text.strip();
    } catch (IOException e) {
      return "";
    }
  }
}
