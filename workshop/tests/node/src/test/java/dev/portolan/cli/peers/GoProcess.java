package dev.portolan.cli.peers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import dev.portolan.testkit.peers.GoProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A program in Go at work, and what it has said so far. */
final class GoProcess implements AutoCloseable {
  private final Process process;
  private final List<String> output = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();

  GoProcess(GoProgram program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(program.find(GoProgramsCondition.TREE).orElseThrow().toString());
    command.addAll(arguments);
    process = new ProcessBuilder(command).start();
    readers.add(Thread.ofVirtual().start(() -> read(process.inputReader(UTF_8), output)));
    readers.add(Thread.ofVirtual().start(() -> read(process.errorReader(UTF_8), errors)));
  }

  private void read(BufferedReader from, List<String> lines) {
    try (from) {
      String line;
      while ((line = from.readLine()) != null) {
        synchronized (this) {
          lines.add(line);
        }
      }
    } catch (IOException e) {
      // The process was ended.
    }
  }

  /** What it wrote to standard output. */
  synchronized List<String> output() {
    return List.copyOf(output);
  }

  /** What it wrote to standard error. */
  synchronized List<String> errors() {
    return List.copyOf(errors);
  }

  /** Waits until its output is as wanted. */
  void await(Predicate<List<String>> wanted) {
    Await.until(
        () -> "output; the program said " + tail() + " and " + errors(),
        () -> wanted.test(output()));
  }

  private synchronized List<String> tail() {
    return List.copyOf(output.subList(Math.max(0, output.size() - 20), output.size()));
  }

  /** Writes a line to its standard input. */
  void write(String line) throws IOException {
    Writer input = process.outputWriter(UTF_8);
    input.write(line + "\n");
    input.flush();
  }

  /** Waits until it ends of itself; returns its exit status. */
  int end() throws InterruptedException {
    assertThat(process.waitFor(Await.PATIENCE))
        .as(() -> "still running: " + output() + errors())
        .isTrue();
    for (Thread reader : readers) {
      reader.join();
    }
    return process.exitValue();
  }

  /** Kills it, as if the machine had lost its power. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
