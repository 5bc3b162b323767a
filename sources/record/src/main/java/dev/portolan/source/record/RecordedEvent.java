package dev.portolan.source.record;

import dev.portolan.core.cluster.ClusterImage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** One entry of a recording. */
public sealed interface RecordedEvent {
  /** When it happened. */
  Instant time();

  /**
   * A process began to record. What follows, up to the next one, is of this process, whose
   * revisions are counted from the start.
   *
   * @param version of Portolan
   * @param recorder what recorded: {@code kube-proxy}, {@code brain} or {@code record}
   * @param node the node that it served; empty where it served none or all
   * @param source where it read the cluster, in words
   * @param configuration its configuration file with all defaults; empty where it had none
   */
  record Started(
      Instant time,
      String version,
      String recorder,
      String node,
      String source,
      String configuration)
      implements RecordedEvent {}

  /**
   * The cluster after a change, or as it was when the recording or a part of it began.
   *
   * @param revision of the node that was served, or else of the cluster, from here on
   * @param changed whether it differs from the state before; not so at the start of a part
   * @param versions the resourceVersion up to which each resource was known, by its plural
   */
  record State(
      Instant time,
      long revision,
      boolean changed,
      ClusterImage cluster,
      Map<String, String> versions)
      implements RecordedEvent {}

  /**
   * A backend was called.
   *
   * @param error why it failed; empty where it succeeded
   */
  record Synced(Instant time, long revision, Duration took, boolean full, Optional<String> error)
      implements RecordedEvent {}

  /** Objects in the kernel were not as written, and have been repaired. */
  record Repaired(Instant time, int objects, String cause) implements RecordedEvent {}

  /** The source, or something else, had a problem. */
  record Problem(Instant time, String sentence) implements RecordedEvent {}
}
