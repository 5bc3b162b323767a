package dev.portolan.cli.command;

import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.options.ConfigFindings;
import dev.portolan.options.ConfigInput;
import dev.portolan.options.EmulatedVersionOption;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says everything that is wrong with a configuration file. */
@Command(
    name = "validate",
    header = "Validate a configuration file, and print all errors.",
    customSynopsis = "portolan config validate [--emulated-version RELEASE] FILE",
    sortOptions = false,
    footerHeading =
        "%nA valid file is one with which 'portolan kube-proxy' starts. What depends on the%nnode"
            + " (its addresses, kubeconfig, ports) is checked there.%n%nThe exit status is 0 if the"
            + " file is valid, 1 if a value is not allowed or the%nmode is not implemented, and 2"
            + " if the file, or a field of it, cannot be read.%n%nExamples:%n",
    footer = "  portolan config validate examples/kube-proxy/config.yaml")
final class ConfigValidateCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ConfigInput input = new ConfigInput();
  @Mixin private final EmulatedVersionOption emulated = new EmulatedVersionOption();

  ConfigValidateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    FeatureGates gates = emulated.gates();
    ConfigFindings findings = new ConfigFindings(terminal);
    ConfigFile file = findings.scan(input.name(), input.text());
    List<Finding> found = file.check(Platform.LINUX, gates);
    findings.print(found);
    List<Finding> errors = found.stream().filter(ConfigValidateCommand::isError).toList();
    if (!errors.isEmpty()) {
      String sentence =
          Text.printable(input.name()) + ": not valid, " + ConfigFindings.count(errors);
      throw file.errors().isEmpty()
          ? CommandFailure.refused(ErrorCode.CONFIGURATION, sentence)
          : CommandFailure.input(ErrorCode.CONFIGURATION, sentence);
    }
    terminal.print(Text.printable(input.name()) + ": valid");
    return 0;
  }

  private static boolean isError(Finding finding) {
    return finding.severity() == FindingSeverity.ERROR;
  }
}
