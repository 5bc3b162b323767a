package dev.portolan.cli.command;

import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.GateStage;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.core.text.Tree;
import dev.portolan.options.EmulatedVersionOption;
import dev.portolan.options.OwnVersion;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.VersionedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says which program this is, and which Kubernetes it behaves like. */
@Command(
    name = "version",
    header = "Print the version, the emulated Kubernetes release and its feature gates.",
    customSynopsis = "portolan version [-o FORMAT] [--emulated-version RELEASE]",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  portolan version",
      "  portolan version -o yaml",
      "  portolan version -o json --emulated-version 1.40"
    })
public final class VersionCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, yaml or json. Default: text. yaml and json list every feature gate.")
  private String output = "text";

  @Mixin private final EmulatedVersionOption emulated = new EmulatedVersionOption();

  /** Prints to {@code terminal}. */
  public VersionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    OutputFormat format =
        Choice.of("-o", output, List.of(OutputFormat.TEXT, OutputFormat.YAML, OutputFormat.JSON));
    FeatureGates gates = emulated.gates();
    if (format.isTree()) {
      terminal.out().print(format.write(VersionedTree.of("Version", form(gates))));
    } else {
      terminal.print(lines(gates));
    }
    return 0;
  }

  /** The versions, a line each. */
  static List<String> lines(FeatureGates gates) {
    return List.of(
        "portolan    " + OwnVersion.text(),
        "java        " + Runtime.version(),
        "kubernetes  " + gates.emulated());
  }

  private record Form(
      String version, Runtime.Version java, KubeVersion kubernetes, List<Gate> featureGates) {}

  private record Gate(
      String name,
      GateStage.Name stage,
      KubeVersion since,
      @Tree.Named("default") boolean on,
      boolean locked) {}

  private static Form form(FeatureGates gates) {
    List<Gate> listed = new ArrayList<>();
    gates
        .stages()
        .forEach((name, stage) ->
            listed.add(new Gate(name, stage.name(), stage.since(), stage.on(), stage.locked())));
    return new Form(OwnVersion.text(), Runtime.version(), gates.emulated(), listed);
  }
}
