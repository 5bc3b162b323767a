package dev.portolan.cli.config;

import dev.portolan.config.Settings;
import dev.portolan.config.SettingsWriter;
import dev.portolan.config.Version;
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
  private String version = Version.latest().toString();

  ConfigDefaultsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Version wanted = Choice.of("--version", version, List.of(Version.values()));
    terminal.out().print(SettingsWriter.everything(Settings.empty(wanted)));
    return 0;
  }
}
