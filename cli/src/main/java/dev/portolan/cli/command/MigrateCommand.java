package dev.portolan.cli.command;

import dev.portolan.brain.Brain;
import dev.portolan.cli.decision.LocalDecision;
import dev.portolan.cli.options.ConfigFindings;
import dev.portolan.cli.options.ConfigInput;
import dev.portolan.cli.options.EmulatedVersionOption;
import dev.portolan.cli.options.SourceOptions;
import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.Validator;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.migration.Migration;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.KindTree;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what changes on the way to nftables, and writes the new configuration. */
@Command(
    name = "migrate",
    header = "Report what changes when you move off ipvs or iptables, and write the new file.",
    customSynopsis = "portolan migrate [--config FILE] [--from SOURCE] [--write FILE]",
    sortOptions = false,
    footerHeading =
        "%nWithout --config, kube-proxy's defaults are assumed. With --from, the affected%nservices"
            + " are listed. The exit status is 0 if nothing needs a person, 1 if%nsomething does,"
            + " and 2 if something cannot be read.%n%nExamples:%n",
    footer = {
      "  portolan migrate",
      "  portolan migrate --config examples/kube-proxy/ipvs.yaml",
      "  portolan migrate --from file:examples/shop -o json"
    })
public final class MigrateCommand implements Callable<Integer> {
  /** What applies without a file: the defaults of v1alpha1. */
  private static final ConfigFile NO_FILE =
      new ConfigFile("no file", Settings.empty(ConfigVersion.V1ALPHA1), Map.of(), List.of());

  private final Terminal terminal;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The current configuration; - is standard input. Unset: kube-proxy's defaults.")
  private @Nullable String config;

  @Mixin private final SourceOptions source = new SourceOptions();

  @Option(
      names = "--to",
      paramLabel = "MODE",
      description = "The mode to move to; nftables is the only one.")
  private String to = Migration.TARGET.toString();

  @Mixin private final EmulatedVersionOption emulated = new EmulatedVersionOption();

  @Option(
      names = "--write",
      paramLabel = "FILE",
      description = "Write the new configuration to a new file. Unset: print it.")
  private @Nullable String target;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text or json. Default: text.")
  private String output = "text";

  /** Prints to {@code terminal}. */
  public MigrateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ProxyMode _ = Choice.of("--to", to, List.of(Migration.TARGET));
    OutputFormat format = Choice.of("-o", output, List.of(OutputFormat.TEXT, OutputFormat.JSON));
    FeatureGates gates = emulated.gates();
    ConfigFindings findings = new ConfigFindings(terminal);
    ConfigFile present = present(findings);
    Migration migration = Migration.of(present.written(), gates.emulated(), cluster());
    refuseIfInvalid(present, migration, gates, findings);
    if (target != null) {
      write(target, migration.file());
    }
    MigrationReport report = new MigrationReport(migration, Optional.ofNullable(target));
    if (format == OutputFormat.JSON) {
      terminal.out().print(format.write(KindTree.of("Migration", report.tree())));
    } else {
      terminal.print(report.lines(terminal));
    }
    return migration.needsPerson() ? 1 : 0;
  }

  private ConfigFile present(ConfigFindings findings) {
    if (config == null) {
      return NO_FILE;
    }
    ConfigInput input = ConfigInput.of(config);
    ConfigFile file = findings.read(input.name(), input.text());
    findings.print(file.warnings());
    if (!Migration.isPossible(file.written())) {
      throw CommandFailure.input(
          ErrorCode.CONFIGURATION,
          Text.printable(
              input.name()
                  + ": the mode is '"
                  + file.written().find("mode").orElse("")
                  + "'; only iptables and ipvs can be migrated to nftables"));
    }
    return file;
  }

  /** The cluster where one was named. */
  private Optional<Brain> cluster() {
    return source.isGiven()
        ? Optional.of(LocalDecision.brain(source, new Remarks(terminal)))
        : Optional.empty();
  }

  /** A mistake that would live on in the new file has to be repaired first. */
  private static void refuseIfInvalid(
      ConfigFile present, Migration migration, FeatureGates gates, ConfigFindings findings) {
    List<Finding> remaining = errors(migration.settings(), gates);
    if (remaining.isEmpty()) {
      return;
    }
    List<Finding> errors = errors(present.written(), gates).stream().map(present::locate).toList();
    findings.print(errors.isEmpty() ? remaining : errors);
    throw CommandFailure.input(
        ErrorCode.CONFIGURATION,
        Text.printable(present.name()) + ": not valid; fix the errors first");
  }

  private static List<Finding> errors(Settings settings, FeatureGates gates) {
    return Validator.check(settings, Platform.LINUX, gates).stream()
        .filter(finding -> finding.severity() == FindingSeverity.ERROR)
        .toList();
  }

  private static void write(String name, String text) {
    String why;
    try {
      Files.writeString(Path.of(name), text, StandardOpenOption.CREATE_NEW);
      return;
    } catch (FileAlreadyExistsException e) {
      why = "already exists and is not overwritten; choose another file, or remove it";
    } catch (NoSuchFileException e) {
      why = "cannot be written, because the folder does not exist; create it first";
    } catch (InvalidPathException e) {
      why = "is not a valid path; choose a file that does not exist";
    } catch (IOException e) {
      why = "cannot be written (" + e.getMessage() + ")";
    }
    throw CommandFailure.input(ErrorCode.OUTPUT, Text.printable("--write: " + name + ": " + why));
  }
}
