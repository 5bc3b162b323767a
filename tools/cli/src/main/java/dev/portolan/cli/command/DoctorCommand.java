package dev.portolan.cli.command;

import dev.portolan.doctor.Diagnosis;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Waiting;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks at a node for everything that may keep services from working. */
@Command(
    name = "doctor",
    header = "Check this node: kernel, settings, firewalls, rules, API server.",
    customSynopsis = "portolan doctor [--config FILE] [--kubeconfig FILE] [-o FORMAT]",
    sortOptions = false,
    footerHeading =
        "%nChanges nothing. Run it as root on the node. The exit status is 1 if a check%nfailed,"
            + " else 0.%n%nExamples:%n",
    footer = {
      "  portolan doctor",
      "  portolan doctor --config /var/lib/kube-proxy/config.conf",
      "  portolan doctor --netns my-node -o json"
    })
public final class DoctorCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final SubjectOptions subject = new SubjectOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, yaml or json. Default: text.")
  private String output = "text";

  /** Prints to {@code terminal}. */
  public DoctorCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    OutputFormat format =
        Choice.of("-o", output, List.of(OutputFormat.TEXT, OutputFormat.YAML, OutputFormat.JSON));
    Diagnosis diagnosis;
    try (Waiting _ = Waiting.busy(() -> "checking this node", new Remarks(terminal))) {
      diagnosis = Diagnosis.of(subject.subject(terminal));
    }
    if (format.isTree()) {
      terminal.out().print(format.write(diagnosis.tree()));
    } else {
      terminal.print(diagnosis.lines(terminal));
    }
    return diagnosis.isGood() ? 0 : 1;
  }
}
