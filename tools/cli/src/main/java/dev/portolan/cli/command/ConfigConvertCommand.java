package dev.portolan.cli.command;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Conversion;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.file.SettingsWriter;
import dev.portolan.options.ConfigFindings;
import dev.portolan.options.ConfigInput;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.SideBySide;
import dev.portolan.terminal.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints a configuration file in the shape of another version. */
@Command(
    name = "convert",
    header = "Convert a configuration file to another version.",
    customSynopsis = "portolan config convert [--to VERSION] [--diff] FILE",
    sortOptions = false,
    footerHeading =
        "%nThe result behaves like FILE. It contains the fields that differ from the%ndefaults of"
            + " its version. Fields that cannot be converted cause warnings.%n%nExamples:%n",
    footer = {
      "  portolan config convert examples/kube-proxy/config.yaml",
      "  portolan config convert --diff examples/kube-proxy/config.yaml",
      "  portolan config convert --to v1alpha1 examples/kube-proxy/config.yaml"
    })
final class ConfigConvertCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ConfigInput input = new ConfigInput();

  @Option(
      names = "--to",
      paramLabel = "VERSION",
      description = "v1alpha1 or v1alpha2. Default: v1alpha2, the latest.")
  private String to = ConfigVersion.latest().toString();

  @Option(
      names = "--diff",
      description =
          "Print FILE and the result side by side, without comments, with differences marked.")
  private boolean diff;

  ConfigConvertCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ConfigVersion version = Choice.of("--to", to, List.of(ConfigVersion.values()));
    ConfigFindings findings = new ConfigFindings(terminal);
    String text = input.text();
    ConfigFile file = findings.read(input.name(), text);
    Conversion.Result result = file.convert(version);
    findings.print(file.warnings());
    findings.print(result.warnings().stream().map(file::locate).toList());
    String converted = SettingsWriter.nonDefaults(result.settings());
    if (diff) {
      terminal.print(
          SideBySide.of(withoutComments(text), withoutComments(converted)).lines(terminal));
    } else {
      terminal.out().print(converted);
    }
    return 0;
  }

  private static List<String> withoutComments(String text) {
    return text.lines().filter(line -> !line.stripLeading().startsWith("#")).toList();
  }
}
