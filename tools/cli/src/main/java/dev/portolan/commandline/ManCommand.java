package dev.portolan.commandline;

import dev.portolan.commandline.kubectl.KubectlPlugin;
import dev.portolan.terminal.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the manual pages of all commands, for packages. */
@Command(
    name = "man-pages",
    hidden = true,
    header = "Write the manual pages.",
    customSynopsis = "portolan man-pages --date DATE FOLDER")
public final class ManCommand implements Callable<Integer> {
  private final Supplier<CommandLine> commands;
  private final String version;
  private final Map<String, Supplier<String>> helps;

  @Parameters(paramLabel = "FOLDER", description = "Where to write them; it must exist.")
  private Path folder = Path.of("");

  @Option(
      names = "--date",
      required = true,
      paramLabel = "DATE",
      description = "The date that they bear.")
  private String date = "";

  /**
   * Pages of all commands.
   *
   * @param helps the help of commands whose options are not picocli's
   */
  public ManCommand(
      Supplier<CommandLine> commands, String version, Map<String, Supplier<String>> helps) {
    this.commands = commands;
    this.version = version;
    this.helps = helps;
  }

  @Override
  public Integer call() {
    try {
      write(commands.get().getCommandSpec());
      CommandSpec plugin = KubectlPlugin.adapted(commands.get()).getCommandSpec();
      Files.writeString(folder.resolve("kubectl-portolan.1"), page(plugin, List.of()));
      return 0;
    } catch (IOException e) {
      throw CommandFailure.refused("cannot write manual pages to " + folder + ": " + e);
    }
  }

  private void write(CommandSpec command) throws IOException {
    Supplier<String> help = helps.get(command.name());
    // The header and the synopsis have sections of their own.
    List<String> options = help == null ? List.of() : help.get().lines().skip(3).toList();
    Files.writeString(folder.resolve(ManPage.name(command) + ".1"), page(command, options));
    for (CommandSpec below : ManPage.shown(command)) {
      write(below);
    }
  }

  private String page(CommandSpec command, List<String> options) {
    return ManPage.of(command, version, date, options);
  }
}
