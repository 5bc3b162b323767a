package dev.portolan.commandline;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints the help of a command, as {@code COMMAND --help} does. */
@Command(
    name = "help",
    header = "Print the help of a command.",
    customSynopsis = "portolan help [COMMAND]",
    footerHeading = "%nExamples:%n",
    footer = {"  portolan help", "  portolan help show", "  portolan help config validate"})
public final class HelpCommand implements Callable<Integer> {
  private final ToIntFunction<String[]> run;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      hideParamSyntax = true,
      description = "The command. Default: the list of all commands.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** {@code run} runs a command line. */
  public HelpCommand(ToIntFunction<String[]> run) {
    this.run = run;
  }

  @Override
  public Integer call() {
    CommandSpec command = spec.root();
    for (String word : words) {
      CommandLine next = command.subcommands().get(word);
      if (next == null) {
        throw new UnmatchedArgumentException(command.commandLine(), List.of(word));
      }
      command = next.getCommandSpec();
    }
    return run.applyAsInt(
        Stream.concat(words.stream(), Stream.of("--help")).toArray(String[]::new));
  }
}
