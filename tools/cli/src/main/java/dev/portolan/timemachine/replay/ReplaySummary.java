package dev.portolan.timemachine.replay;

import dev.portolan.core.text.Tree;
import dev.portolan.source.record.RecordedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts what a timeline has. */
@Tree.Fields(
    "node begin end changes revisions syncs failedSyncs slowestSyncSeconds repairs"
        + " problems starts")
final class ReplaySummary {
  private final String node;
  private @Nullable Instant begin;
  private @Nullable Instant end;
  private int changes;
  private int revisions;
  private int syncs;
  private int failedSyncs;
  private RecordedEvent.@Nullable Synced slowest;
  private int repairs;
  private int problems;
  private int starts;

  ReplaySummary(String node) {
    this.node = node;
  }

  void count(RecordedEvent event) {
    begin = begin == null ? event.time() : begin;
    end = event.time();
    switch (event) {
      case RecordedEvent.Started _ -> starts++;
      case RecordedEvent.State state -> changes += state.changed() ? 1 : 0;
      case RecordedEvent.Synced synced -> {
        syncs++;
        failedSyncs += synced.error().isPresent() ? 1 : 0;
        if (slowest == null || synced.took().compareTo(slowest.took()) > 0) {
          slowest = synced;
        }
      }
      case RecordedEvent.Repaired _ -> repairs++;
      case RecordedEvent.Problem _ -> problems++;
    }
  }

  void countRevision() {
    revisions++;
  }

  /** The node that was looked at. */
  @Tree.Named("nodeName")
  public String node() {
    return node;
  }

  /** When the first entry was recorded; empty without any. */
  public Optional<Instant> begin() {
    return Optional.ofNullable(begin);
  }

  /** When the last entry was recorded; empty without any. */
  public Optional<Instant> end() {
    return Optional.ofNullable(end);
  }

  /** From the first to the last entry. */
  public Duration length() {
    return begin == null || end == null ? Duration.ZERO : Duration.between(begin, end);
  }

  /** How often the cluster changed. */
  public int changes() {
    return changes;
  }

  /** How many of these changed what is shown of the node. */
  public int revisions() {
    return revisions;
  }

  /** How often a backend was called. */
  public int syncs() {
    return syncs;
  }

  /** How many of these calls failed. */
  public int failedSyncs() {
    return failedSyncs;
  }

  /** The call that took longest. */
  public Optional<RecordedEvent.Synced> slowestSync() {
    return Optional.ofNullable(slowest);
  }

  double slowestSyncSeconds() {
    return slowest == null ? 0 : ReplayTree.seconds(slowest.took());
  }

  /** How often the kernel was not as written. */
  public int repairs() {
    return repairs;
  }

  /** How many problems were recorded. */
  public int problems() {
    return problems;
  }

  /** How many processes began to record. */
  public int starts() {
    return starts;
  }
}
