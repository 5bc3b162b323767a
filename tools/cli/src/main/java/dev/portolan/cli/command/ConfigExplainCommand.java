package dev.portolan.cli.command;

import dev.portolan.config.fields.FieldExplanation;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.validation.Retirement;
import dev.portolan.options.EmulatedVersionOption;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says what a field of the configuration is. */
@Command(
    name = "explain",
    header = "Describe a field, with its name, type and default in each version.",
    customSynopsis = "portolan config explain [--emulated-version RELEASE] FIELD",
    sortOptions = false,
    footerHeading = "%nThe exit status is 1 if the field does not exist.%n%nExamples:%n",
    footer = {
      "  portolan config explain clusterCIDR",
      "  portolan config explain detectLocal.clusterCIDRs",
      "  portolan config explain nftables"
    })
final class ConfigExplainCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "FIELD",
      description = "The path of a field or section, in either version.")
  private String field = "";

  @Mixin private final EmulatedVersionOption emulated = new EmulatedVersionOption();

  ConfigExplainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    FeatureGates gates = emulated.gates();
    String text;
    try {
      text = FieldExplanation.explain(field);
    } catch (ConfigException e) {
      throw CommandFailure.missing(Text.printable(e.errors().getFirst().text()));
    }
    terminal.out().print(text);
    if (Retirement.concerns(field)) {
      Retirement.ipvs(gates)
          .ifPresent(note -> terminal.print(Text.wrap("Mode " + note + ".", terminal.width())));
    }
    return 0;
  }
}
