package dev.portolan.timemachine.diff;

import dev.portolan.compare.ObjectDiff;
import dev.portolan.compare.decisions.ClusterComparison;
import dev.portolan.compare.decisions.ComparedNodes;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.query.Output;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints what two states decide differently. */
@Command(
    name = "diff",
    header = "Print what differs between two states, as decided for all nodes, and why.",
    customSynopsis = {
      "portolan diff A B [--node NODE]...",
      "       portolan diff --from SOURCE -f FILE [-f FILE]... [--node NODE]...",
      "       portolan diff --from SOURCE --node NODE --node NODE",
      "       portolan diff --from SOURCE --config FILE --config FILE",
      "       portolan diff ... --rules [--backend NAME [--backend NAME]]"
    },
    sortOptions = false,
    footerHeading =
        "%nThe worst comes first: what is refused or dropped and was not, then what is%nserved"
            + " again, then what goes to other endpoints. Exit status: 0 if nothing%ndiffers, 1 if"
            + " something does, 2 after a mistake.%n%nExamples:%n",
    footer = {
      "  portolan diff --from file:examples/shop -f examples/change/admin.yaml",
      "  portolan diff --from file:examples/shop --node worker-1 --node worker-3",
      "  portolan diff --from file:examples/shop -f examples/change/admin.yaml \\",
      "    --node worker-1 --rules",
      "  portolan diff --from file:examples/shop --node worker-1 --rules \\",
      "    --backend nftables --backend iptables",
      "  portolan diff file:examples/shop kube"
    })
public final class DiffCommand implements Callable<Integer> {
  /** The exit status where something differs. */
  private static final int DIFFERS = 1;

  private final Terminal terminal;

  @Parameters(
      arity = "0..2",
      paramLabel = "SOURCE",
      hideParamSyntax = true,
      description = "The two states, A and B, each written as for --from.")
  private List<String> sources = List.of();

  @Mixin private final SourceOptions from = new SourceOptions();

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      description =
          "Manifests of a change that is not applied yet, a file, a folder or - for standard input:"
              + " compare the cluster of --from with the same after the change. Can be repeated.")
  private List<String> changes = List.of();

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description =
          "Compare only as seen from this node. Can be repeated. With two of them and one state,"
              + " compare one node with the other. Default: all nodes that both states have.")
  private List<String> nodes = List.of();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A KubeProxyConfiguration, whose settings apply to both states. Twice: the first for the"
              + " state before, the second for the one after.")
  private List<String> configs = List.of();

  @Option(
      names = "--rules",
      description = "Print the difference of the rules for one node, as diff -u does.")
  private boolean rules;

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      description =
          "With --rules: whose rules, such as nftables or iptables. Twice: the first for the state"
              + " before, the second for the one after. Default: the mode of --config, otherwise"
              + " nftables.")
  private List<String> backends = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, name, yaml, json or jsonpath=TEMPLATE. Default: text.")
  private String output = "text";

  /** Prints to {@code terminal}. */
  public DiffCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form = Output.orTree(output, OutputFormat.TEXT, OutputFormat.NAME);
    Remarks remarks = new Remarks(terminal);
    DiffRequest request = new DiffRequest(sources, from, changes, nodes, configs, backends, rules);
    request.refuseMistakes();
    if (rules && form.isTree()) {
      throw CommandFailure.usage(
          "-o " + form.format() + ": --rules prints text; remove one of them");
    }
    DiffSides sides = request.read(remarks);
    if (rules) {
      List<String> lines;
      try (Waiting _ = Waiting.busy(() -> "comparing", remarks)) {
        lines = new RulesDiff(sides, remarks).lines(terminal);
      }
      terminal.print(lines);
      return lines.isEmpty() ? 0 : DIFFERS;
    }
    ComparedNodes compared;
    ClusterComparison comparison;
    ObjectDiff causes;
    try (Waiting _ = Waiting.busy(() -> "comparing", remarks)) {
      compared = sides.compare(remarks);
      comparison = ClusterComparison.of(compared);
      causes = ObjectDiff.of(sides.before().cluster(), sides.after().cluster());
    }
    if (form.isTree()) {
      form.print(new DiffTree(sides, causes).of(comparison), true, terminal);
    } else {
      new DiffText(causes, sides.twoNodes(), terminal).print(comparison);
    }
    return comparison.isEmpty() ? 0 : DIFFERS;
  }
}
