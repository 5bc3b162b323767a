package dev.portolan.cli.command;

import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.GateStage;
import dev.portolan.options.EmulatedVersionOption;
import dev.portolan.options.OwnVersion;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.VersionedTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
      terminal.out().print(format.write(VersionedTree.of("Version", tree(gates))));
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

  private static Map<String, Object> tree(FeatureGates gates) {
    List<Object> listed = new ArrayList<>();
    gates.stages().forEach((name, stage) -> listed.add(gate(name, stage)));
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("version", OwnVersion.text());
    tree.put("java", Runtime.version().toString());
    tree.put("kubernetes", gates.emulated().toString());
    tree.put("featureGates", listed);
    return tree;
  }

  private static Map<String, Object> gate(String name, GateStage stage) {
    Map<String, Object> gate = new LinkedHashMap<>();
    gate.put("name", name);
    gate.put("stage", stage.name().name());
    gate.put("since", stage.since().toString());
    gate.put("default", stage.on());
    gate.put("locked", stage.locked());
    return gate;
  }
}
