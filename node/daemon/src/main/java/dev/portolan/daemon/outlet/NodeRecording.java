package dev.portolan.daemon.outlet;

import dev.portolan.config.RecordedSettings;
import dev.portolan.config.StartPlan;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.text.KubeQuantity;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recorder;
import dev.portolan.source.record.RecordingFolder;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.log.Log;
import dev.portolan.wiring.ClusterRecorder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Records the cluster of a daemon and what is done with it, where a plan asks for that. */
final class NodeRecording implements ClusterRecorder, Observer, AutoCloseable {
  private final Recorder recorder;
  private volatile long revision;

  /** Where to record, and how much. */
  record Wish(Path folder, RecordingFolder.Bounds bounds) {
    /** What {@code plan} asks for; empty where nothing is to be recorded. */
    static Optional<Wish> of(StartPlan plan) {
      String folder = plan.flags().text("record");
      if (folder.isEmpty()) {
        return Optional.empty();
      }
      long bytes = KubeQuantity.parse(plan.flags().text("record-size")).orElseThrow();
      Duration age = plan.flags().duration("record-age");
      if (bytes < RecordingFolder.Bounds.FEWEST_BYTES) {
        throw ConfigException.of("--record-size", "must be at least 64Ki");
      }
      if (age.isNegative()) {
        throw ConfigException.of("--record-age", "must not be negative");
      }
      try {
        return Optional.of(new Wish(Path.of(folder), new RecordingFolder.Bounds(bytes, age)));
      } catch (InvalidPathException e) {
        throw ConfigException.of("--record", "is not a valid path");
      }
    }
  }

  /**
   * Starts to record. What goes wrong with it is logged, and tried again; the daemon serves on.
   *
   * @param source where the cluster is read
   * @param families what the node has
   */
  NodeRecording(
      Wish wish,
      StartPlan plan,
      String node,
      String version,
      String source,
      Set<IpFamily> families,
      Log log) {
    RecordedEvent.Started started =
        new RecordedEvent.Started(
            Instant.now(),
            version,
            "kube-proxy",
            node,
            source,
            RecordedSettings.text(plan, families));
    this.recorder =
        new Recorder(
            started,
            () -> RecordingFolder.open(wish.folder, wish.bounds, InstantSource.system()),
            InstantSource.system(),
            log::warn);
  }

  @Override
  public void taken(ClusterImage cluster, long newest, Map<String, String> versions) {
    revision = newest;
    recorder.taken(cluster, newest, versions);
  }

  @Override
  public void problem(String sentence) {
    recorder.problem(sentence);
  }

  @Override
  public void applied(NodeChange change, Duration took) {
    recorder.synced(change.after().revision(), took, change.isFull(), Optional.empty());
  }

  /** The keeper tries the newest image. */
  @Override
  public void failed(BackendException failure, Duration took, Duration pause) {
    recorder.synced(revision, took, false, Optional.of(String.valueOf(failure.getMessage())));
  }

  @Override
  public void fellShort(NamespacedName service, String what) {
    recorder.problem(service + ": " + what);
  }

  @Override
  public void repaired(int objects, String cause) {
    recorder.repaired(objects, cause);
  }

  @Override
  public void contested(int repairs, String cause, Duration pause) {
    recorder.problem("the rules were repaired " + repairs + " times in a row: " + cause);
  }

  @Override
  public void rulesMissing(String why) {
    recorder.problem("rules are missing and cannot be put back: " + why);
  }

  @Override
  public void notRepaired(BackendException failure) {
    recorder.problem("not repaired: " + failure.getMessage());
  }

  @Override
  public void close() {
    recorder.close();
  }
}
