package dev.portolan.cli.command;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.text.GoDuration;
import dev.portolan.core.text.KubeQuantity;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recorder;
import dev.portolan.source.record.RecordingFolder;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import dev.portolan.wiring.ClusterRecorder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a brain records its cluster, as a daemon does with the same flags. */
final class RecordOptions {
  @Option(
      names = "--record",
      paramLabel = "DIR",
      description =
          "The folder that keeps a recording of the cluster and of each change, for 'portolan"
              + " record info' and --from record:DIR. Unset: none.")
  private @Nullable String folder;

  @Option(
      names = "--record-size",
      paramLabel = "SIZE",
      description =
          "How large that recording may become; the oldest part of it is deleted first. Default:"
              + " 64Mi.")
  private String size = "64Mi";

  @Option(
      names = "--record-age",
      paramLabel = "DURATION",
      description = "How old the oldest entry of that recording may be. Default: 0, any age.")
  private String age = "0";

  /** A recording that is being made. */
  record Running(Recorder recorder) implements ClusterRecorder, AutoCloseable {
    @Override
    public void taken(ClusterImage cluster, long revision, Map<String, String> versions) {
      recorder.taken(cluster, revision, versions);
    }

    @Override
    public void problem(String sentence) {
      recorder.problem(sentence);
    }

    @Override
    public void close() {
      recorder.close();
    }
  }

  /** The folder, if there is to be a recording. */
  Optional<Path> folder() {
    return Optional.ofNullable(folder).filter(text -> !text.isBlank()).map(Path::of);
  }

  /** Starts to record, if that is asked for. */
  Optional<Running> start(RecordedEvent.Started started, Consumer<String> warnings) {
    RecordingFolder.Bounds bounds = bounds();
    return folder()
        .map(path ->
            new Running(
                new Recorder(
                    started,
                    () -> RecordingFolder.open(path, bounds, InstantSource.system()),
                    InstantSource.system(),
                    warnings)));
  }

  private RecordingFolder.Bounds bounds() {
    long bytes =
        KubeQuantity.parse(size)
            .orElseThrow(() ->
                CommandFailure.usage(
                    "--record-size: '" + Text.printable(size) + "' is not a size such as 64Mi"));
    Duration longest =
        GoDuration.parse(age)
            .filter(duration -> !duration.isNegative())
            .orElseThrow(() ->
                CommandFailure.usage(
                    "--record-age: '" + Text.printable(age) + "' is not a duration such as 24h"));
    if (bytes < RecordingFolder.Bounds.FEWEST_BYTES) {
      throw CommandFailure.usage("--record-size: must be at least 64Ki");
    }
    return new RecordingFolder.Bounds(bytes, longest);
  }
}
