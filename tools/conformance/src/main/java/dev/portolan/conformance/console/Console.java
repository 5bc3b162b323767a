package dev.portolan.conformance.console;

import dev.portolan.conformance.Conformance;
import dev.portolan.conformance.Exercise;
import dev.portolan.conformance.Program;
import dev.portolan.conformance.Sizes;
import dev.portolan.lab.Lab;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs exercises, and prints how they went: results to one side, progress to the other. */
public final class Console {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final PrintWriter out;
  private final PrintWriter err;

  /** Results go to {@code out}, progress to {@code err}. */
  public Console(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /**
   * What is wanted.
   *
   * @param program the program that is tested, and its arguments
   * @param dump a command of the shell that prints what the program has programmed
   * @param only names of exercises, or how they begin; all if empty
   * @param here whether there is no lab: then no packets are sent, and the program runs in the
   *     network namespace of this process
   */
  public record Request(
      List<String> program, Optional<String> dump, List<String> only, Sizes sizes, boolean here) {
    private boolean wants(Exercise exercise) {
      return only.isEmpty() || only.stream().anyMatch(exercise.name()::startsWith);
    }
  }

  /** Lists all exercises. */
  public void list() {
    Conformance conformance = Conformance.of(Program.of(List.of()));
    Stream.concat(conformance.overTheApi().stream(), conformance.packets(Console::noLab).stream())
        .forEach(exercise -> say("%-28s %s".formatted(exercise.name(), exercise.purpose())));
  }

  private static Lab noLab() {
    throw new IllegalStateException("exercises are listed here, and not run");
  }

  /**
   * Runs the exercises; returns whether all passed.
   *
   * @throws IllegalArgumentException saying why nothing was run
   */
  public boolean play(Request request) {
    if (request.here) {
      return play(request, Optional.empty());
    }
    Optional<String> obstacle = Lab.obstacle();
    if (obstacle.isPresent()) {
      throw new IllegalArgumentException(
          obstacle.get() + "; or add --here, for the exercises without packets");
    }
    try (Lab lab = Lab.open()) {
      return play(request, Optional.of(lab));
    }
  }

  private boolean play(Request request, Optional<Lab> lab) {
    Program program = Program.of(request.program);
    Conformance conformance =
        Conformance.of(request.dump.map(program::withDump).orElse(program)).with(request.sizes);
    List<Exercise> streams =
        lab.map(Lab::node).map(conformance::in).orElse(conformance).overTheApi();
    List<Exercise> packets = lab.map(conformance::packets).orElse(List.of());
    List<Exercise> exercises =
        Stream.concat(streams.stream(), packets.stream()).filter(request::wants).toList();
    if (exercises.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown exercise '" + request.only.getFirst() + "'; --list lists them");
    }
    return play(exercises);
  }

  private boolean play(List<Exercise> exercises) {
    long failed = 0;
    for (Exercise exercise : exercises) {
      failed += passes(exercise) ? 0 : 1;
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
    }
    say("");
    say(
        failed == 0
            ? "all " + exercises.size() + " exercises passed"
            : failed + " of " + exercises.size() + " exercises failed");
    return failed == 0;
  }

  private boolean passes(Exercise exercise) {
    long start = System.nanoTime();
    Exercise.Result result;
    try (Ticker ticker = new Ticker(exercise.name(), err)) {
      result = exercise.run(ticker::progress);
    }
    String time =
        String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - start) / (double) SECOND);
    say(
        result
            .failure()
            .map(why -> line(exercise, "FAIL", why))
            .orElseGet(() -> line(exercise, "pass", result.remark() + ", " + time)));
    return result.failure().isEmpty();
  }

  private static String line(Exercise exercise, String verdict, String words) {
    return "%-28s %s  %s".formatted(exercise.name(), verdict, words);
  }

  /** Each line is seen at once: exercises take their time. */
  private void say(String line) {
    out.print(line + "\n");
    out.flush();
  }
}
