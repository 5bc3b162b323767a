package dev.portolan.timemachine.record;

import dev.portolan.core.text.Counted;
import dev.portolan.core.text.GoDuration;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recording;
import dev.portolan.source.record.RecordingException;
import dev.portolan.source.record.RecordingIndex;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.VersionedTree;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.query.Output;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what is in a recording. */
@Command(
    name = "info",
    header = "Say what is in a recording: who made it, which time it covers, what happened.",
    customSynopsis = "portolan record info PATH [-o FORMAT]",
    sortOptions = false,
    footerHeading = "%nThe exit status is 1 if a part of the recording is damaged.%n%nExamples:%n",
    footer = {
      "  portolan record info shop.rec",
      "  portolan record info /var/lib/portolan/record -o json"
    })
public final class RecordInfoCommand implements Callable<Integer> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS");

  private final Terminal terminal;

  @Parameters(
      paramLabel = "PATH",
      description = "A file, or the folder that a daemon with --record writes to.")
  private String path = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, yaml or json. Default: text.")
  private String output = "text";

  /** Prints to {@code terminal}. */
  public RecordInfoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form =
        Output.parse(output, List.of(OutputFormat.TEXT, OutputFormat.YAML, OutputFormat.JSON));
    RecordingSummary summary = read();
    if (form.isTree()) {
      terminal.out().print(form.format().write(VersionedTree.of("Recording", summary)));
    } else {
      print(summary);
    }
    return summary.index().damage().isEmpty() ? 0 : CommandFailure.FAILED;
  }

  private RecordingSummary read() {
    try (Waiting _ = Waiting.busy(() -> "reading " + path, new Remarks(terminal))) {
      return RecordingSummary.of(Recording.open(Path.of(path)));
    } catch (RecordingException e) {
      throw CommandFailure.input(e.code(), Text.printable(String.valueOf(e.getMessage())));
    }
  }

  private void print(RecordingSummary summary) {
    TextTable table =
        new TextTable(
            new TextTable.Column("", TextTable.Fit.NEVER_CUT, 0),
            new TextTable.Column("", TextTable.Fit.WRAP, 30));
    Recording recording = summary.recording();
    RecordingIndex index = summary.index();
    table.row(
        "recording",
        recording.path()
            + ", "
            + RecordedSizes.bytes(recording.bytes())
            + " in "
            + Counted.of(recording.files().size(), "file"));
    Duration length = Duration.between(index.begin(), index.end()).truncatedTo(ChronoUnit.MILLIS);
    table.row(
        "covers",
        local(index.begin())
            + " to "
            + local(index.end())
            + " "
            + ZoneId.systemDefault()
            + ", "
            + GoDuration.format(length));
    for (RecordingIndex.Run run : index.runs()) {
      table.row("recorded by", recorder(run));
    }
    table.row("at the start", RecordedSizes.of(summary.firstCluster()));
    table.row("at the end", RecordedSizes.of(summary.lastCluster()));
    table.row("changes", String.valueOf(summary.changes()));
    table.row("syncs", syncs(summary));
    table.row(
        "repairs",
        summary.repairs() == 0
            ? "0"
            : summary.repairs()
                + ", of "
                + Counted.of(summary.repairedObjects(), "object")
                + " in the kernel");
    table.row(
        "problems",
        summary.problems() == 0
            ? "0"
            : summary.problems() + ", the last: " + summary.lastProblem());
    table.row("damage", index.damage().isEmpty() ? "none" : index.damage());
    terminal.print(table.withoutTitles(terminal.tableWidth(), terminal));
  }

  private static String recorder(RecordingIndex.Run run) {
    RecordedEvent.Started started = run.started();
    return started.recorder()
        + " "
        + started.version()
        + (started.node().isEmpty() ? "" : " on " + started.node())
        + ", from "
        + started.source()
        + ", since "
        + local(started.time())
        + (run.first() == 0
            ? ", without a state"
            : ", revisions " + run.first() + " to " + run.last());
  }

  private static String syncs(RecordingSummary summary) {
    return summary
        .slowest()
        .map(slowest ->
            summary.syncs()
                + ", "
                + summary.fullSyncs()
                + " of them full, "
                + summary.failedSyncs()
                + " failed; the slowest took "
                + GoDuration.format(slowest.took().truncatedTo(ChronoUnit.MICROS))
                + " at "
                + local(slowest.time())
                + " (revision "
                + slowest.revision()
                + ")")
        .orElse("0");
  }

  private static String local(Instant time) {
    return TIME.format(time.atZone(ZoneId.systemDefault()));
  }
}
