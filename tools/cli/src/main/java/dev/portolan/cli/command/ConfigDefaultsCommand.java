package dev.portolan.cli.command;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.file.SettingsWriter;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints a configuration file with every field at its default. */
@Command(
    name = "defaults",
    header = "Print a configuration file with every field and its default.",
    customSynopsis = "portolan config defaults [--version VERSION]",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  portolan config defaults", //
      "  portolan config defaults --version v1alpha1"
    })
final class ConfigDefaultsCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--version",
      paramLabel = "VERSION",
      description = "v1alpha1 or v1alpha2. Default: v1alpha2, the latest.")
  private String version = ConfigVersion.latest().toString();

  ConfigDefaultsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ConfigVersion wanted = Choice.of("--version", version, List.of(ConfigVersion.values()));
    terminal.out().print(SettingsWriter.everything(Settings.empty(wanted)));
    return 0;
  }
}
