package dev.portolan.cli.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testkit.peers.GoProgram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The client in Go, and the states that it printed. */
final class GoClient implements AutoCloseable {
  private final GoProcess process;

  GoClient(List<String> arguments) throws IOException {
    List<String> all = new ArrayList<>(arguments);
    all.add("-json");
    all.add("-ops");
    process = new GoProcess(GoProgram.PRINT_STATE, all);
  }

  /** Every state that it printed as a whole, each as its lines. */
  List<List<String>> states() {
    return states(process.output());
  }

  private static List<List<String>> states(List<String> output) {
    List<List<String>> states = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (String line : output) {
      if (line.startsWith("{\"sync\":")) {
        states.add(lines);
        lines = new ArrayList<>();
      } else {
        lines.add(line);
      }
    }
    return states;
  }

  /** Waits until the last state is {@code wanted}. */
  void await(List<String> wanted) throws InterruptedException {
    try {
      process.await(output -> endsWith(output, wanted));
    } catch (AssertionError e) {
      assertThat(states().isEmpty() ? List.of("nothing") : states().getLast())
          .as(() -> "the last state; " + process.errors())
          .isEqualTo(wanted);
      throw e;
    }
  }

  private static boolean endsWith(List<String> output, List<String> wanted) {
    int end = output.size() - 1;
    if (end < wanted.size() || !output.get(end).startsWith("{\"sync\":")) {
      return false;
    }
    int begin = end - wanted.size();
    return output.subList(begin, end).equals(wanted)
        && (begin == 0 || output.get(begin - 1).startsWith("{\"sync\":"));
  }

  /** The items that came, as it printed them: {@code Reset}, {@code Set SET PATH} and so on. */
  List<String> items() {
    return process.errors().stream()
        .filter(line -> line.startsWith("< "))
        .map(line -> line.substring(2))
        .toList();
  }

  /** Waits until it ends of itself; returns its exit status. */
  int end() throws InterruptedException {
    return process.end();
  }

  /** What it wrote to standard error. */
  String errors() {
    return String.join("\n", process.errors());
  }

  @Override
  public void close() {
    process.close();
  }
}
