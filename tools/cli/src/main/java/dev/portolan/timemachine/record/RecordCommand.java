package dev.portolan.timemachine.record;

import dev.portolan.brain.Brain;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.Threads;
import dev.portolan.core.text.GoDuration;
import dev.portolan.options.OwnVersion;
import dev.portolan.options.SourceOptions;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recorder;
import dev.portolan.source.record.RecordingException;
import dev.portolan.source.record.RecordingWriter;
import dev.portolan.source.union.HeldSource;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.text.TextException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Records a cluster from outside. */
@Command(
    name = "record",
    header = "Record a cluster and its changes into a file, to look at them later.",
    customSynopsis = {
      "portolan record --from SOURCE -o FILE [--for DURATION] [--append]",
      "       portolan record info PATH [-o FORMAT]"
    },
    sortOptions = false,
    footerHeading =
        "%nIt ends after --for, or on Ctrl-C. 'portolan record info' says what is in a%nrecording;"
            + " --from record:FILE reads it in every command that has --from. A daemon%nand a brain"
            + " record themselves with --record.%n%nExamples:%n",
    footer = {
      "  portolan record --from file:examples/shop -o shop.rec --for 2s",
      "  portolan record --from kube -o incident.rec --for 10m",
      "  portolan record info shop.rec",
      "  portolan show --from record:shop.rec --node worker-1"
    })
public final class RecordCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final SourceOptions source = new SourceOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The file to write. It must not exist, unless --append is given.")
  private @Nullable String file;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "How long to record, such as 30s, 10m or 1h30m. Default: until it is ended.")
  private @Nullable String length;

  @Option(
      names = "--append",
      description =
          "Go on with the file if it exists. The end of an entry that is cut off is removed.")
  private boolean append;

  private volatile boolean failed;

  /** Prints to {@code terminal}. */
  public RecordCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The commands below this one. */
  public List<Object> commands() {
    return List.of(new RecordInfoCommand(terminal));
  }

  @Override
  public Integer call() {
    if (file == null || file.isBlank()) {
      throw CommandFailure.usage("-o is required; name the file to write");
    }
    Path path = Path.of(file);
    Optional<Duration> longest = longest();
    Remarks remarks = new Remarks(terminal);
    Source cluster = source.open(remarks);
    return StopSignal.during(
        terminal,
        () -> {
          try (HeldSource held = source.hold(cluster, remarks)) {
            var _ = source.first(held, remarks);
            return record(held, path, longest, remarks);
          } catch (TextException e) {
            throw CommandFailure.input(e);
          } catch (RecordingException e) {
            throw CommandFailure.refused(e.code(), Text.printable(String.valueOf(e.getMessage())));
          }
        });
  }

  private Optional<Duration> longest() {
    String text = length;
    if (text == null) {
      return Optional.empty();
    }
    return Optional.of(
        GoDuration.parse(text)
            .filter(Duration::isPositive)
            .orElseThrow(() ->
                CommandFailure.usage(
                    "--for: '"
                        + Text.printable(text)
                        + "' is not a valid duration; write 30s, 10m or 1h30m")));
  }

  private int record(HeldSource held, Path path, Optional<Duration> longest, Remarks remarks) {
    RecordingWriter writer = append ? RecordingWriter.append(path) : RecordingWriter.create(path);
    RecordedEvent.Started started =
        new RecordedEvent.Started(
            Instant.now(), OwnVersion.text(), "record", "", source.toString(), "");
    Recorder recorder =
        new Recorder(
            started,
            () -> writer,
            InstantSource.system(),
            sentence -> {
              failed = true;
              remarks.warn(sentence);
            });
    RecordLog log = new RecordLog(terminal, source + " into " + path);
    try (recorder) {
      follow(held, new RecordSink(brain(held, remarks), recorder, log, held), longest);
    }
    log.end(writer.bytes(), path);
    return failed ? CommandFailure.FAILED : 0;
  }

  private static Brain brain(Source place, Remarks remarks) {
    return new Brain(warning -> remarks.warn(warning, place.place(warning.object())));
  }

  /** Hands changes to {@code sink} until the time is over or the thread is interrupted. */
  private static void follow(Source held, RecordSink sink, Optional<Duration> longest) {
    Thread worker = Thread.currentThread();
    Thread timer =
        Threads.virtual("end of the recording")
            .unstarted(() -> {
              try {
                Thread.sleep(longest.orElse(Duration.ofDays(36_500)));
                worker.interrupt();
              } catch (InterruptedException e) {
                // It ended before.
              }
            });
    timer.start();
    try {
      held.run(sink);
    } catch (InterruptedException e) {
      // That is how it ends.
    } finally {
      timer.interrupt();
    }
  }
}
