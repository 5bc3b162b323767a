package dev.portolan.inspection.analyze;

import dev.portolan.analyze.Analysis;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.KnownMistake.Need;
import dev.portolan.analyze.KnownMistake.Severity;
import dev.portolan.analyze.PortRange;
import dev.portolan.analyze.SarifLog;
import dev.portolan.analyze.Survey;
import dev.portolan.analyze.Workloads;
import dev.portolan.brain.Brain;
import dev.portolan.core.text.Counted;
import dev.portolan.core.text.Json;
import dev.portolan.options.OwnVersion;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.query.Output;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks for known mistakes in a cluster. */
@Command(
    name = "analyze",
    header = "Find known mistakes in a cluster or in manifests, each with a remedy.",
    customSynopsis = {
      "portolan analyze --from SOURCE [-n NAMESPACE] [-o FORMAT]",
      "                        [--severity SEVERITY] [--failure-threshold SEVERITY]",
      "       portolan analyze --explain CODE|all",
      "       portolan analyze --list"
    },
    sortOptions = false,
    footerHeading =
        "%nReads Pods, Deployments, StatefulSets and DaemonSets, too, where the source has%nthem."
            + " The exit status is 0 if nothing reaches the failure threshold, 1 if%nsomething"
            + " does, and 2 if something cannot be read.%n%nExamples:%n",
    footer = {
      "  portolan analyze --from file:examples/shop",
      "  portolan analyze --from file:examples/shop -o wide --severity warning",
      "  portolan analyze --from file:examples/shop --failure-threshold warning",
      "  portolan analyze --from file:examples/shop -o sarif",
      "  portolan analyze --explain P0502"
    })
public final class AnalyzeCommand implements Callable<Integer> {
  private static final String ALL = "all";

  private static final List<OutputFormat> FORMATS =
      List.of(
          OutputFormat.TABLE,
          OutputFormat.WIDE,
          OutputFormat.YAML,
          OutputFormat.JSON,
          OutputFormat.JSONPATH,
          OutputFormat.CUSTOM_COLUMNS,
          OutputFormat.SARIF);

  private final Terminal terminal;

  @Mixin private final SourceOptions source = new SourceOptions();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description =
          "Print only findings in this namespace, and read only its Pods. Default: all, and Nodes.")
  private String namespace = "";

  @Option(
      names = "--severity",
      paramLabel = "SEVERITY",
      description = "Print findings from this severity on: error, warning or info. Default: info.")
  private String severity = Severity.INFO.toString();

  @Option(
      names = "--failure-threshold",
      paramLabel = "SEVERITY",
      description =
          "Exit with 1 if there is a finding of this severity or a worse one: error, warning or"
              + " info. Default: error.")
  private String threshold = Severity.ERROR.toString();

  @Option(
      names = "--suppress",
      paramLabel = "CODE[=OBJECT]",
      description =
          "Leave out a code, everywhere or for one object, as in P0403 or P0403=shop/web. Can be"
              + " repeated.")
  private @Nullable List<String> suppressed;

  @Option(
      names = "--node-port-range",
      paramLabel = "FIRST-LAST",
      description =
          "The API server's --service-node-port-range. Default: 30000-32767, its own default.")
  private String nodePorts = PortRange.NODE_PORTS.toString();

  @Option(
      names = "--explain",
      paramLabel = "CODE",
      description = "Explain a code, or all of them; nothing is read.")
  private @Nullable String explained;

  @Option(names = "--list", description = "List all codes; nothing is read.")
  private boolean list;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "table, wide (with places and remedies), yaml, json, jsonpath=TEMPLATE,"
              + " custom-columns=TITLE:PATH,... or sarif (2.1.0). Default: table.")
  private String output = OutputFormat.TABLE.toString();

  /** Prints to {@code terminal}. */
  public AnalyzeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form = Output.parse(output, FORMATS);
    List<Severity> severities = List.of(Severity.values());
    Severity least = Choice.of("--severity", severity, severities);
    Severity failing = Choice.of("--failure-threshold", threshold, severities);
    PortRange range = range();
    Suppression suppression = Suppression.parse(suppressed == null ? List.of() : suppressed);
    if (explained != null || list) {
      describe(form);
      return 0;
    }
    Remarks remarks = new Remarks(terminal);
    WorkloadReading reading = new WorkloadReading(source, namespace(), remarks);
    Analysis analysis = analyze(reading, range, remarks);
    List<ClusterFinding> findings =
        analysis.findings().stream()
            .filter(finding -> namespace.isEmpty() || finding.namespace().equals(namespace()))
            .filter(finding -> !suppression.covers(finding))
            .toList();
    List<ClusterFinding> shown =
        reading.located(
            findings.stream().filter(one -> one.mistake().severity().reaches(least)).toList());
    print(form, new AnalysisTree(source.toString(), analysis, findings, shown), remarks);
    boolean failed =
        findings.stream().anyMatch(finding -> finding.mistake().severity().reaches(failing));
    return failed ? CommandFailure.FAILED : 0;
  }

  private Analysis analyze(WorkloadReading reading, PortRange range, Remarks remarks) {
    SourceOptions.Reading cluster = source.read(remarks);
    cluster.warnings().forEach(remarks::warn);
    Workloads workloads = reading.read();
    // Every warning of the brain is a finding.
    Brain brain = new Brain(warning -> {});
    Analysis analysis;
    try (Waiting _ = Waiting.busy(() -> "analyzing", remarks)) {
      brain.apply(cluster.image());
      analysis = Analysis.of(new Survey(brain.decision(), workloads, range));
    }
    remarkSkipped(reading, analysis, remarks);
    return analysis;
  }

  /** Says once what could not be looked for, and why. */
  private static void remarkSkipped(WorkloadReading reading, Analysis analysis, Remarks remarks) {
    int count = analysis.skipped().size();
    if (count == 0) {
      return;
    }
    String checks = Counted.of(count, "check") + (count == 1 ? " was" : " were") + " not made";
    if (!reading.refusals().isEmpty()) {
      remarks.warn(
          "without Pods, "
              + checks
              + ": "
              + reading.refusals().getFirst()
              + "; allow this user to list pods");
    } else if (reading.canHavePods()) {
      remarks.say(
          "without Pods, " + checks + "; add manifests of Pods or Deployments, or use --from kube");
    } else {
      String what = analysis.skipped(Need.WHOLE_SERVICES).isEmpty() ? "Pods" : "Pods and selectors";
      remarks.say(
          "without "
              + what
              + ", "
              + checks
              + "; a brain and a recording do not have them, so use --from kube or file:");
    }
  }

  private void print(Output form, AnalysisTree result, Remarks remarks) {
    if (form.format() == OutputFormat.SARIF) {
      terminal.print(Json.pretty(SarifLog.tree(result.shown(), OwnVersion.text())));
      return;
    }
    if (form.isTree()) {
      form.print(result.tree(), true, terminal);
      return;
    }
    if (result.findings().isEmpty()) {
      remarks.say("no findings; 'portolan analyze --list' shows what was looked for");
      return;
    }
    AnalysisText text = new AnalysisText(terminal);
    if (!result.shown().isEmpty()) {
      terminal.print(
          form.format() == OutputFormat.WIDE
              ? text.wide(result.shown())
              : text.table(result.shown()));
    }
    terminal.out().flush();
    String code = result.findings().getFirst().mistake().code();
    remarks.say(
        AnalysisText.summary(result.findings())
            + "; 'portolan analyze --explain "
            + code
            + "' says more");
  }

  private void describe(Output form) {
    List<KnownMistake> all = Analysis.mistakes();
    List<KnownMistake> wanted =
        explained == null || explained.equals(ALL)
            ? all
            : all.stream().filter(mistake -> mistake.code().equalsIgnoreCase(explained)).toList();
    if (wanted.isEmpty()) {
      throw CommandFailure.usage(
          "--explain: '"
              + Text.printable(String.valueOf(explained))
              + "' is not a code; 'portolan analyze --list' has them all");
    }
    if (form.isTree()) {
      form.print(AnalysisTree.of(wanted), true, terminal);
    } else if (explained == null) {
      terminal.print(new AnalysisText(terminal).list(wanted));
    } else {
      for (KnownMistake mistake : wanted) {
        if (!mistake.equals(wanted.getFirst())) {
          terminal.print("");
        }
        terminal.print(new AnalysisText(terminal).explain(mistake));
      }
    }
  }

  private Optional<String> namespace() {
    return Optional.of(namespace).filter(name -> !name.isEmpty());
  }

  private PortRange range() {
    return Choice.read("--node-port-range", () -> PortRange.parse(nodePorts));
  }
}
