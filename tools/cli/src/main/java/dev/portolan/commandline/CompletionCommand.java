package dev.portolan.commandline;

import dev.portolan.terminal.Choice;
import dev.portolan.terminal.Terminal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the script with which a shell completes command lines. */
@Command(
    name = "completion",
    header = "Print the completion script for bash, zsh or fish.",
    customSynopsis = "portolan completion bash|zsh|fish",
    footerHeading =
        "%nLoad it in the current shell with 'source <(portolan completion bash)', or"
            + " with%n'portolan completion fish | source'. To keep it, write it to a file that your"
            + " shell%nreads at its start.%n%nExamples:%n",
    footer = {
      "  portolan completion bash",
      "  portolan completion zsh",
      "  portolan completion fish"
    })
public final class CompletionCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Map<String, Supplier<List<OptionSpec>>> more;

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
  private String shell = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * Prints to {@code terminal}.
   *
   * @param more options of commands whose lines are read elsewhere
   */
  public CompletionCommand(Terminal terminal, Map<String, Supplier<List<OptionSpec>>> more) {
    this.terminal = terminal;
    this.more = more;
  }

  @Override
  public Integer call() {
    String wanted = Choice.of("SHELL", shell, List.of("bash", "zsh", "fish"));
    CommandSpec root = spec.root();
    more.forEach((command, options) -> {
      CommandLine line = Objects.requireNonNull(root.subcommands().get(command));
      options.get().forEach(line.getCommandSpec()::addOption);
    });
    terminal
        .out()
        .print(
            wanted.equals("fish")
                ? FishScript.of(root)
                : AutoComplete.bash(root.name(), root.commandLine()));
    return 0;
  }
}
