package dev.portolan.conformance;

import dev.portolan.lab.Lab;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The kit on a command line: runs the exercises and prints how they went. */
final class Console {
  static final String HELP =
      """
      usage: ./dev conformance [OPTIONS] -- PROGRAM [ARGUMENT...]

      Tests a backend. PROGRAM gets the brain's address in PORTOLAN_API and the node in
      PORTOLAN_NODE; {api} and {node} in its arguments are replaced with them. It is started for each
      exercise, in a network namespace of a lab, which needs root and the program ip.

        --dump COMMAND    a shell command that prints what PROGRAM has programmed
        --only NAME       run exercises with this name or prefix; can be repeated
        --here            no lab: PROGRAM runs in the current network namespace, and no packets are sent
        --small           fewer changes and smaller clusters
        --patience SECS   how long PROGRAM may take to acknowledge a change (60)
        --list            list the exercises
        --help            print this help
      """;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int MISTAKE = 2;

  private final PrintStream out;
  private final PrintStream err;

  Console(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** What a command line asks for. */
  private static final class Request {
    private List<String> program = List.of();
    private Optional<String> dump = Optional.empty();
    private final List<String> only = new ArrayList<>();
    private Sizes sizes = Sizes.FULL;
    private Optional<Duration> patience = Optional.empty();
    private boolean here;
    private boolean list;
    private boolean help;

    boolean wants(Exercise exercise) {
      return only.isEmpty() || only.stream().anyMatch(exercise.name()::startsWith);
    }
  }

  /** Runs what {@code args} ask for; returns the status to end with. */
  int run(List<String> args) {
    try {
      Request request = parse(args);
      if (request.help) {
        out.print(HELP);
        return OK;
      }
      if (request.list) {
        list();
        return OK;
      }
      return request.here ? play(request, Optional.empty()) : playInLab(request);
    } catch (IllegalArgumentException e) {
      err.println("conformance: " + e.getMessage());
      return MISTAKE;
    }
  }

  private void list() {
    Conformance conformance = Conformance.of(Program.of(List.of()));
    Stream.concat(conformance.overTheApi().stream(), conformance.packets(Console::noLab).stream())
        .forEach(exercise -> out.printf("%-28s %s%n", exercise.name(), exercise.purpose()));
  }

  private static Lab noLab() {
    throw new IllegalStateException("exercises are listed here, and not run");
  }

  private static Request parse(List<String> args) {
    Request request = new Request();
    int next = 0;
    while (next < args.size() && request.program.isEmpty()) {
      String word = args.get(next++);
      switch (word) {
        case "--" -> request.program = args.subList(next, args.size());
        case "--here" -> request.here = true;
        case "--small" -> request.sizes = Sizes.SMALL;
        case "--list" -> request.list = true;
        case "--help", "-h" -> request.help = true;
        case "--dump" -> request.dump = Optional.of(value(args, next++, word));
        case "--only" -> request.only.add(value(args, next++, word));
        case "--patience" -> request.patience = Optional.of(seconds(value(args, next++, word)));
        default ->
            throw new IllegalArgumentException(
                word.startsWith("-")
                    ? "unknown option '" + word + "'; --help lists them"
                    : "write -- before the program: -- " + word);
      }
      if (word.equals("--")) {
        break;
      }
    }
    if (request.program.isEmpty() && !request.help && !request.list) {
      throw new IllegalArgumentException(
          "name a program, as in: ./dev conformance -- ./my-backend");
    }
    return request;
  }

  private static String value(List<String> args, int index, String option) {
    if (index >= args.size()) {
      throw new IllegalArgumentException(option + " needs a value; see --help");
    }
    return args.get(index);
  }

  private static Duration seconds(String text) {
    if (!text.matches("[1-9][0-9]{0,4}")) {
      throw new IllegalArgumentException(
          "--patience: '" + text + "' must be a number of seconds from 1 to 99999");
    }
    return Duration.ofSeconds(Integer.parseInt(text));
  }

  private int playInLab(Request request) {
    Optional<String> obstacle = Lab.obstacle();
    if (obstacle.isPresent()) {
      throw new IllegalArgumentException(
          obstacle.get() + "; or add --here, for the exercises without packets");
    }
    try (Lab lab = Lab.open()) {
      return play(request, Optional.of(lab));
    }
  }

  private int play(Request request, Optional<Lab> lab) {
    Program program = Program.of(request.program);
    Sizes sizes = request.patience.map(request.sizes::withPatience).orElse(request.sizes);
    Conformance conformance =
        Conformance.of(request.dump.map(program::withDump).orElse(program)).with(sizes);
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

  private int play(List<Exercise> exercises) {
    long failed = exercises.stream().filter(exercise -> !passes(exercise)).count();
    out.println();
    out.println(
        failed == 0
            ? "all " + exercises.size() + " exercises passed"
            : failed + " of " + exercises.size() + " exercises failed");
    return failed == 0 ? OK : FAILED;
  }

  private boolean passes(Exercise exercise) {
    long start = System.nanoTime();
    Exercise.Result result;
    try (Ticker ticker = new Ticker(exercise.name(), err)) {
      result = exercise.run(ticker::progress);
    }
    String time =
        String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - start) / (double) SECOND);
    out.println(
        result
            .failure()
            .map(why -> line(exercise, "FAIL", why))
            .orElseGet(() -> line(exercise, "pass", result.remark() + ", " + time)));
    return result.failure().isEmpty();
  }

  private static String line(Exercise exercise, String verdict, String words) {
    return "%-28s %s  %s".formatted(exercise.name(), verdict, words);
  }
}
