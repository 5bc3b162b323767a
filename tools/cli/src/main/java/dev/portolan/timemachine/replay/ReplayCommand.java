package dev.portolan.timemachine.replay;

import dev.portolan.core.text.GoDuration;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Speed;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.view.ServiceFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints a recording as a timeline of one node. */
@Command(
    name = "replay",
    header = "Print a recording as a timeline: what changed on a node, when, and why.",
    customSynopsis = {
      "portolan replay FILE [--node NODE] [--service SERVICE]",
      "       portolan replay FILE [--node NODE] --around TIME [--within DURATION]"
    },
    sortOptions = false,
    footerHeading =
        "%nEach revision is decided again from the recorded objects, and printed with the%nobjects"
            + " and fields that changed it. TIME is 03:12, 14:05:40.5,%n2026-11-17T03:12,"
            + " 2026-11-17T03:12:00Z, -5m for five minutes before the end, or%nthe number of a"
            + " revision.%n%nExamples:%n",
    footer = {
      "  portolan replay examples/recordings/shop.rec",
      "  portolan replay examples/recordings/shop.rec --node worker-3 --service shop/web",
      "  portolan replay examples/recordings/shop.rec --around 4 --within 10m",
      "  portolan replay examples/recordings/shop.rec --since -2h -o json"
    })
public final class ReplayCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "FILE",
      description = "The recording: a file, or the folder that a daemon records into.")
  private String file = "";

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = "The node. Default: the one that the recording process served.")
  private @Nullable String node;

  @Option(
      names = "--service",
      paramLabel = "[NAMESPACE/]NAME",
      description = "Print what concerns this service only.")
  private @Nullable String service;

  @Option(names = "--around", paramLabel = "TIME", description = "Print what happened around TIME.")
  private @Nullable String around;

  @Option(
      names = "--within",
      paramLabel = "DURATION",
      description = "How long before and after --around. Default: 30s.")
  private @Nullable String within;

  @Option(names = "--since", paramLabel = "TIME", description = "Print what happened from TIME on.")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Print what happened up to TIME.")
  private @Nullable String until;

  @Option(
      names = "--speed",
      paramLabel = "SPEED",
      description =
          "Wait between events as it happened (1x), ten times as fast (10x) or not at all (max)."
              + " Default: max.")
  private String speed = "max";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, yaml, json (one line per event) or jsonpath=TEMPLATE. Default: text.")
  private String output = "text";

  /** Prints to {@code terminal}. */
  public ReplayCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Output form = Output.textOrTree(output);
    ReplayPace pace = ReplayPace.of(speed());
    Duration distance = distance();
    Remarks remarks = new Remarks(terminal);
    RecordingInput recording = RecordingInput.open(file, ZoneId.systemDefault(), remarks);
    TimeWindow window = window(recording, distance);
    ServiceFilter filter =
        service == null
            ? ServiceFilter.ALL
            : new ServiceFilter(Optional.empty(), List.of(recording.service(service).toString()));
    String looked = recording.node(node);
    Playback playback = new Playback(looked, recording::settings);
    ReplayOutput printer =
        form.isTree()
            ? new ReplayTree(form, terminal)
            : new ReplayText(looked, terminal, recording.zone());
    Replay replay = new Replay(playback, window, filter, pace, printer);
    try {
      recording.read(event -> play(replay, event));
    } catch (Ended e) {
      return 0;
    }
    replay.end();
    return 0;
  }

  private void play(Replay replay, RecordedEvent event) {
    try {
      replay.play(event);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Ended();
    }
    if (terminal.isClosed()) {
      throw new Ended();
    }
  }

  /** Ends the reading from within: the output is closed, or the wait was interrupted. */
  private static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private Speed speed() {
    return Choice.read("--speed", () -> Speed.parse(speed));
  }

  private Duration distance() {
    if (around != null && (since != null || until != null)) {
      throw CommandFailure.usage("--around and --since or --until are mutually exclusive");
    }
    if (within != null && around == null) {
      throw CommandFailure.usage("--within needs --around");
    }
    String text = within == null ? "30s" : within;
    return GoDuration.parse(text)
        .filter(duration -> !duration.isNegative())
        .orElseThrow(() ->
            CommandFailure.usage(
                "--within: '"
                    + Text.printable(text)
                    + "' is not a valid duration such as 30s or 5m"));
  }

  private TimeWindow window(RecordingInput recording, Duration distance) {
    if (around != null) {
      Instant middle = recording.time("--around", around);
      return new TimeWindow(middle.minus(distance), middle.plus(distance));
    }
    Instant begin = since == null ? Instant.MIN : recording.time("--since", since);
    Instant end = until == null ? Instant.MAX : recording.time("--until", until);
    if (end.isBefore(begin)) {
      throw CommandFailure.usage("--until is before --since");
    }
    return new TimeWindow(begin, end);
  }
}
