package dev.portolan.cli.command;

import dev.portolan.conformance.Sizes;
import dev.portolan.conformance.console.Console;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tests another author's backend. */
@Command(
    name = "conformance",
    header = "Test a backend of your own, in any language.",
    customSynopsis = "portolan conformance [OPTION]... -- PROGRAM [ARG]...",
    sortOptions = false,
    footerHeading =
        "%nActs as the brain, changes a cluster, breaks the connection at the worst moments, and"
            + " checks what PROGRAM acknowledges. PROGRAM gets the brain's address in PORTOLAN_API"
            + " and the node in PORTOLAN_NODE; {api} and {node} in its arguments are replaced with"
            + " them. It is started for each exercise, in a network namespace of a lab, which needs"
            + " root and the program ip. The exit status is 0 if all exercises"
            + " pass.%n%nExamples:%n",
    footer = {
      "  portolan conformance -- ./my-backend --api {api} --node {node}",
      "  portolan conformance --here --dump 'cat /tmp/state' -- ./my-backend",
      "  portolan conformance --list"
    })
public final class ConformanceCommand implements Callable<Integer> {
  private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,4}");

  private final Terminal terminal;

  @Parameters(
      arity = "0..*",
      paramLabel = "PROGRAM [ARG]",
      hideParamSyntax = true,
      description = "The program to test, and its arguments, after '--'.")
  private List<String> program = List.of();

  @Option(
      names = "--dump",
      paramLabel = "COMMAND",
      description = "A shell command that prints what PROGRAM has programmed, to compare it.")
  private @Nullable String dump;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      description = "Run the exercises with this name or prefix. Can be repeated.")
  private List<String> only = List.of();

  @Option(
      names = "--here",
      description =
          "Use no lab: PROGRAM runs in the current network namespace, and no packets are sent.")
  private boolean here;

  @Option(names = "--small", description = "Make fewer changes, in smaller clusters.")
  private boolean small;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      description = "How long PROGRAM may take to acknowledge a change. Default: 60.")
  private @Nullable String patience;

  @Option(names = "--list", description = "List the exercises, and exit.")
  private boolean list;

  /** Prints to {@code terminal}. */
  public ConformanceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Console console = new Console(terminal.out(), terminal.err());
    if (list) {
      console.list();
      return 0;
    }
    if (program.isEmpty()) {
      throw CommandFailure.usage("name a program, as in: portolan conformance -- ./my-backend");
    }
    Console.Request request =
        new Console.Request(program, Optional.ofNullable(dump), only, sizes(), here);
    return Choice.read(
        "",
        () -> StopSignal.during(terminal, () -> console.play(request) ? 0 : CommandFailure.FAILED));
  }

  private Sizes sizes() {
    Sizes sizes = small ? Sizes.SMALL : Sizes.FULL;
    if (patience == null) {
      return sizes;
    }
    if (!SECONDS.matcher(patience).matches()) {
      throw CommandFailure.usage(
          "--patience: '"
              + Text.printable(patience)
              + "' must be a number of seconds from 1 to 99999");
    }
    return sizes.withPatience(Duration.ofSeconds(Integer.parseInt(patience)));
  }
}
