package dev.portolan.cli.command;

import dev.portolan.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.Command;

/** What can be done with a configuration file; each of it is a command of its own. */
@Command(
    name = "config",
    header = "Convert, validate and explain kube-proxy configuration files.",
    customSynopsis = "portolan config COMMAND",
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  portolan config convert examples/kube-proxy/config.yaml",
      "  portolan config validate examples/kube-proxy/config.yaml",
      "  portolan config defaults",
      "  portolan config explain nftables.syncPeriod",
      "",
      "Run 'portolan config COMMAND --help' for more about a command."
    })
public final class ConfigCommand {
  private final Terminal terminal;

  /** Prints to {@code terminal}. */
  public ConfigCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The commands below this one. */
  public List<Object> commands() {
    return List.of(
        new ConfigConvertCommand(terminal),
        new ConfigValidateCommand(terminal),
        new ConfigDefaultsCommand(terminal),
        new ConfigExplainCommand(terminal));
  }
}
