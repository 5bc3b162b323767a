package dev.portolan.cli;

import dev.portolan.cli.chart.ChartCommand;
import dev.portolan.cli.command.BrainCommand;
import dev.portolan.cli.command.BundleCommand;
import dev.portolan.cli.command.CleanupCommand;
import dev.portolan.cli.command.ConfigCommand;
import dev.portolan.cli.command.ConformanceCommand;
import dev.portolan.cli.command.DemoCommand;
import dev.portolan.cli.command.DoctorCommand;
import dev.portolan.cli.command.ExplainCommand;
import dev.portolan.cli.command.KubeProxyCommand;
import dev.portolan.cli.command.MigrateCommand;
import dev.portolan.cli.command.NodesCommand;
import dev.portolan.cli.command.RenderCommand;
import dev.portolan.cli.command.RunCommand;
import dev.portolan.cli.command.ShowCommand;
import dev.portolan.cli.command.VersionCommand;
import dev.portolan.cli.command.WaitCommand;
import dev.portolan.cli.command.WatchCommand;
import dev.portolan.commandline.CompletionCommand;
import dev.portolan.commandline.HelpCommand;
import dev.portolan.commandline.Mistake;
import dev.portolan.commandline.kubectl.KubectlPlugin;
import dev.portolan.config.gates.Platform;
import dev.portolan.inspection.analyze.AnalyzeCommand;
import dev.portolan.inspection.audit.AuditCommand;
import dev.portolan.inspection.top.TopCommand;
import dev.portolan.inspection.trace.TraceCommand;
import dev.portolan.options.OwnVersion;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.ColourMode;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.timemachine.diff.DiffCommand;
import dev.portolan.timemachine.record.RecordCommand;
import dev.portolan.timemachine.replay.HistoryCommand;
import dev.portolan.timemachine.replay.ReplayCommand;
import dev.portolan.timemachine.whatif.WhatIfCommand;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The command line as a whole: its commands, and its messages when something goes wrong. */
@Command(
    name = "portolan",
    header = "A Kubernetes service proxy that explains its decisions.",
    customSynopsis = "portolan COMMAND",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = RootCommand.Version.class,
    footerHeading = "%nExamples:%n",
    footer = {
      "  portolan show --from file:examples/shop --node worker-1",
      "  portolan explain --from file:examples/shop --node worker-1 shop/web",
      "  portolan render --from file:examples/shop --node worker-1",
      "",
      "Run 'portolan demo' to see it at work in a few seconds.",
      "Run 'portolan help COMMAND' for more about a command."
    })
final class RootCommand {
  /** The commands that do not work elsewhere. */
  private static final Set<String> LINUX_ONLY = Set.of("demo", "doctor", "bundle");

  private final Terminal terminal;
  private List<String> typed = List.of();

  private RootCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Executes any command but the daemon. */
  static int execute(String[] args, Terminal terminal) {
    return new RootCommand(terminal).execute(args);
  }

  private int execute(String[] args) {
    if (args.length > 0 && LINUX_ONLY.contains(args[0]) && Platform.current() == Platform.WINDOWS) {
      terminal.remark(
          "portolan: '"
              + args[0]
              + "' looks at Linux itself, and this is Windows; docs/windows.md says what to look at"
              + " instead");
      return CommandFailure.BAD_INPUT;
    }
    typed = List.of(args);
    CommandLine commandLine = commandLine();
    if (args.length > 0 && KubectlPlugin.NAMES.contains(args[0])) {
      typed = typed.subList(1, args.length);
      KubectlPlugin plugin =
          new KubectlPlugin(
              commandLine, terminal, System.getProperty("portolan.kubectl", KubectlPlugin.NAME));
      return args[0].equals(KubectlPlugin.NAME) ? plugin.run(typed) : plugin.complete(typed);
    }
    if (args.length == 0) {
      commandLine.usage(terminal.out());
      return 0;
    }
    return commandLine.execute(args);
  }

  /** What reads command lines for {@code terminal}. */
  static CommandLine commandLine(Terminal terminal) {
    return new RootCommand(terminal).commandLine();
  }

  private CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(this);
    commandLine.getCommandSpec().addOption(help()).addOption(version());
    addCommands(commandLine, commands());
    return commandLine
        .setOut(terminal.out())
        .setErr(terminal.err())
        .setColorScheme(scheme())
        .setParameterExceptionHandler((e, given) -> misused(e))
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e, command));
  }

  private void addCommands(CommandLine parent, List<Object> commands) {
    for (Object command : commands) {
      CommandLine added = new CommandLine(command);
      added.getCommandSpec().addOption(help());
      if (!(command instanceof CommandSpec)) {
        added.getCommandSpec().addOption(colour(added));
      }
      if (command instanceof ConfigCommand config) {
        addCommands(added, config.commands());
      }
      if (command instanceof RecordCommand record) {
        addCommands(added, record.commands());
      }
      parent.addSubcommand(added);
    }
  }

  private List<Object> commands() {
    return List.of(
        new DemoCommand(terminal),
        new ShowCommand(terminal),
        new ExplainCommand(terminal),
        new RenderCommand(terminal),
        new RunCommand(terminal),
        new BrainCommand(terminal),
        new ChartCommand(terminal),
        new NodesCommand(terminal),
        new TopCommand(terminal),
        new WaitCommand(terminal),
        new WatchCommand(terminal),
        new RecordCommand(terminal),
        new ReplayCommand(terminal),
        new HistoryCommand(terminal),
        new DiffCommand(terminal),
        new WhatIfCommand(terminal),
        new AnalyzeCommand(terminal),
        new TraceCommand(terminal),
        new AuditCommand(terminal),
        new CleanupCommand(terminal),
        new DoctorCommand(terminal),
        new BundleCommand(terminal),
        new ConfigCommand(terminal),
        KubeProxyCommand.listed(),
        new VersionCommand(terminal),
        new MigrateCommand(terminal),
        new ConformanceCommand(terminal),
        new CompletionCommand(terminal, Map.of(KubeProxyCommand.NAME, KubeProxyCommand::flags)),
        new HelpCommand(words -> CommandRun.execute(words, terminal)));
  }

  private static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("Print this help and exit.")
        .build();
  }

  /** Takes effect while the line is read, so that all that follows is as asked. */
  private OptionSpec colour(CommandLine command) {
    List<ColourMode> modes = List.of(ColourMode.values());
    return OptionSpec.builder("--color")
        .paramLabel("WHEN")
        .type(String.class)
        .completionCandidates(modes.stream().map(ColourMode::toString).toList())
        .description("Use colors: auto (on a terminal), always or never. Default: auto.")
        .setter(
            new ISetter() {
              @Override
              public <T> @Nullable T set(@Nullable T value) {
                if (value != null) {
                  colour(command, value.toString(), modes);
                }
                return null;
              }
            })
        .build();
  }

  private void colour(CommandLine command, String word, List<ColourMode> modes) {
    try {
      terminal.colour(Choice.of("--color", word, modes));
    } catch (CommandFailure e) {
      throw new ParameterException(command, e.sentence());
    }
    command.setColorScheme(scheme());
  }

  private ColorScheme scheme() {
    return CommandLine.Help.defaultColorScheme(terminal.colours() ? Ansi.ON : Ansi.OFF);
  }

  private static OptionSpec version() {
    return OptionSpec.builder("-V", "--version")
        .versionHelp(true)
        .description("Print the version and exit.")
        .build();
  }

  private int misused(ParameterException e) {
    Mistake mistake = Mistake.of(e, typed);
    terminal.remark("portolan: " + Text.printable(mistake.sentence()));
    if (!mistake.near().isEmpty()) {
      terminal.remark("Did you mean " + String.join(" or ", mistake.near()) + "?");
    }
    return seeHelp(e.getCommandLine());
  }

  private int failed(Exception e, CommandLine command) {
    if (!(e instanceof CommandFailure failure)) {
      return CommandRun.internalError(e, terminal);
    }
    terminal.remark("portolan: " + failure.sentence());
    if (failure.helpHelps()) {
      seeHelp(command);
    }
    return failure.status();
  }

  private int seeHelp(CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    terminal.remark("See '" + name + " --help' for usage.");
    return CommandFailure.BAD_INPUT;
  }

  /** Reads the version from the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"portolan " + OwnVersion.text()};
    }
  }
}
