package dev.portolan.cli.config;

import dev.portolan.cli.options.ConfigFindings;
import dev.portolan.cli.options.ConfigInput;
import dev.portolan.cli.options.EmulatedVersionOption;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.Validator;
import dev.portolan.core.error.ErrorCode;
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
        "%nThe exit status is 0 if the file is valid, 1 if a value is not allowed, and 2%nif the"
            + " file cannot be parsed.%n%nExamples:%n",
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
    ConfigFile file = findings.read(input.name(), input.text());
    List<Finding> found =
        Validator.check(file.written(), Platform.LINUX, gates).stream().map(file::locate).toList();
    List<Finding> errors =
        found.stream().filter(finding -> finding.severity() == FindingSeverity.ERROR).toList();
    findings.print(errors);
    findings.print(file.warnings());
    findings.print(
        found.stream().filter(finding -> finding.severity() != FindingSeverity.ERROR).toList());
    if (!errors.isEmpty()) {
      throw CommandFailure.refused(
          ErrorCode.CONFIGURATION,
          Text.printable(input.name()) + ": not valid, " + ConfigFindings.count(errors));
    }
    terminal.print(Text.printable(input.name()) + ": valid");
    return 0;
  }
}
