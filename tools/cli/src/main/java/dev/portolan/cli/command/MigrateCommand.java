package dev.portolan.cli.command;

import dev.portolan.brain.Brain;
import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.Validator;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.decision.LocalDecision;
import dev.portolan.migration.Migration;
import dev.portolan.migration.MigrationReport;
import dev.portolan.options.ConfigFindings;
import dev.portolan.options.ConfigInput;
import dev.portolan.options.EmulatedVersionOption;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.VersionedTree;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.WrittenFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what changes on the way to another mode, and writes the new configuration. */
@Command(
    name = "migrate",
    header = "Report what changes when you move to another mode, and write the new file.",
    customSynopsis = {
      "portolan migrate [--config FILE] [--from SOURCE] [--to MODE] [--here]",
      "                        [--write FILE] [--config-version VERSION]"
    },
    sortOptions = false,
    footerHeading =
        "%nWithout --config, kube-proxy's defaults are assumed. With --from, the affected%nservices"
            + " are listed. The exit status is 0 if nothing needs a person, 1 if%nsomething does,"
            + " and 2 if something cannot be read.%n%nExamples:%n",
    footer = {
      "  portolan migrate",
      "  portolan migrate --config examples/kube-proxy/ipvs.yaml",
      "  portolan migrate --from file:examples/shop -o json",
      "  portolan migrate --config examples/kube-proxy/ipvs.yaml --to iptables"
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
      description = "The mode to move to: nftables or iptables. Default: nftables.")
  private String to = Migration.TARGETS.getFirst().toString();

  @Option(
      names = "--here",
      description =
          "Check this host too, as one of the nodes: its kernel, modules, rules, and what IPVS"
              + " serves there with how many connections. Needs root.")
  private boolean here;

  @Mixin private final EmulatedVersionOption emulated = new EmulatedVersionOption();

  @Option(
      names = "--write",
      paramLabel = "FILE",
      description = "Write the new configuration to a new file. Unset: print it.")
  private @Nullable String target;

  @Option(
      names = "--config-version",
      paramLabel = "VERSION",
      description =
          "The version of the new configuration: v1alpha2, or v1alpha1 if kube-proxy itself is to"
              + " read it. Default: v1alpha2.")
  private String version = ConfigVersion.latest().toString();

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
    ProxyMode mode = Choice.of("--to", to, Migration.TARGETS);
    ConfigVersion shape = Choice.of("--config-version", version, List.of(ConfigVersion.values()));
    OutputFormat format = Choice.of("-o", output, List.of(OutputFormat.TEXT, OutputFormat.JSON));
    FeatureGates gates = emulated.gates();
    ConfigFindings findings = new ConfigFindings(terminal);
    ConfigFile present = present(findings);
    Optional<Brain> cluster = cluster();
    Migration migration;
    try (Waiting _ = Waiting.busy(() -> "working out what changes", new Remarks(terminal))) {
      migration =
          Migration.of(
              mode,
              present.written(),
              gates.emulated(),
              cluster,
              here ? Optional.of(MigratingHost.look(mode, present, gates)) : Optional.empty());
    }
    refuseIfInvalid(present, migration, gates, findings);
    findings.print(migration.in(shape).warnings());
    if (target != null) {
      String text = migration.file(shape);
      WrittenFile.create("--write", target, text);
    }
    MigrationReport report = new MigrationReport(migration, shape, Optional.ofNullable(target));
    if (format == OutputFormat.JSON) {
      terminal.out().print(format.write(VersionedTree.of("Migration", report)));
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
                  + "'; only ipvs, iptables and nftables can be migrated"));
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
    return Finding.errors(Validator.check(settings, Platform.LINUX, gates));
  }
}
