package dev.portolan.source.record;

import dev.portolan.api.ClusterMessages;
import dev.portolan.api.WireException;
import dev.portolan.api.globalv1.Node;
import dev.portolan.api.globalv1.ServiceCIDR;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.globalv1.Slice;
import dev.portolan.api.v1.RecordingEntry;
import dev.portolan.api.v1.RecordingStart;
import dev.portolan.api.v1.RecordingState;
import dev.portolan.api.v1.RecordingSync;
import dev.portolan.api.v1.RecordingVersion;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Events from the entries of one file after another; states share what is equal between them. */
final class EntryReader {
  private ClusterImage cluster = ClusterImage.EMPTY;

  /** A state of which there are more entries. */
  private @Nullable ClusterImage begun;

  private Map<String, String> versions = Map.of();
  private boolean known;
  private @Nullable Long run;

  /** When {@code entry} was written. */
  static Instant time(RecordingEntry entry) {
    return Instant.ofEpochSecond(0, entry.getUnixNanos());
  }

  /** Another file begins, whose first state is whole. */
  void begin() {
    known = false;
    begun = null;
  }

  /** What {@code entry} says; empty where it says nothing new. */
  Optional<RecordedEvent> decode(RecordingEntry entry) throws WireException {
    Instant time = time(entry);
    return switch (entry.getWhatCase()) {
      case STARTED -> started(time, entry.getStarted());
      case STATE -> state(time, entry.getState());
      case SYNCED -> {
        RecordingSync sync = entry.getSynced();
        yield Optional.of(
            new RecordedEvent.Synced(
                time,
                sync.getRevision(),
                Duration.ofNanos(sync.getTookNanos()),
                sync.getFull(),
                sync.hasError() ? Optional.of(sync.getError()) : Optional.empty()));
      }
      case REPAIRED ->
          Optional.of(
              new RecordedEvent.Repaired(
                  time, entry.getRepaired().getObjects(), entry.getRepaired().getCause()));
      case PROBLEM ->
          Optional.of(new RecordedEvent.Problem(time, entry.getProblem().getSentence()));
      case WHAT_NOT_SET -> Optional.empty();
    };
  }

  /** A part after the first one names its process again. */
  private Optional<RecordedEvent> started(Instant time, RecordingStart start) {
    boolean same = run != null && run == start.getRun();
    run = start.getRun();
    return same ? Optional.empty() : Optional.of(event(time, start));
  }

  static RecordedEvent.Started event(Instant time, RecordingStart start) {
    return new RecordedEvent.Started(
        time,
        start.getVersion(),
        start.getRecorder(),
        start.getNode(),
        start.getSource(),
        start.getConfiguration());
  }

  /** Empty where more of the same state follows. */
  private Optional<RecordedEvent> state(Instant time, RecordingState state) throws WireException {
    boolean begins = state.getWhole();
    if (!begins && !known && begun == null) {
      throw new WireException("", "a change of a state that is not there");
    }
    ClusterImage base = begins ? ClusterImage.EMPTY : begun != null ? begun : cluster;
    ClusterImage read = delta(state).applyTo(base);
    Map<String, String> newest = new TreeMap<>(begins ? Map.of() : versions);
    for (RecordingVersion version : state.getVersionsList()) {
      if (version.getVersion().isEmpty()) {
        newest.remove(version.getResource());
      } else {
        newest.put(version.getResource(), version.getVersion());
      }
    }
    versions = Collections.unmodifiableMap(newest);
    if (state.getContinued()) {
      begun = read;
      return Optional.empty();
    }
    cluster = begins || begun != null ? read.sharing(cluster) : read;
    begun = null;
    known = true;
    return Optional.of(
        new RecordedEvent.State(time, state.getRevision(), state.getChanged(), cluster, versions));
  }

  private static ClusterDelta delta(RecordingState state) throws WireException {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (ServiceInfo service : state.getServicesList()) {
      delta.set(ClusterMessages.service(service));
    }
    for (Slice slice : state.getSlicesList()) {
      delta.set(ClusterMessages.slice(slice));
    }
    for (Node node : state.getNodesList()) {
      delta.set(ClusterMessages.node(node));
    }
    for (ServiceCIDR cidr : state.getServiceCidrsList()) {
      delta.set(ClusterMessages.serviceCidr(cidr));
    }
    state.getRemovedServicesList().forEach(name -> delta.removeService(name(name)));
    state.getRemovedSlicesList().forEach(name -> delta.removeSlice(name(name)));
    state.getRemovedNodesList().forEach(delta::removeNode);
    state.getRemovedServiceCidrsList().forEach(delta::removeServiceCidr);
    return delta.build();
  }

  private static NamespacedName name(String text) {
    int slash = text.indexOf('/');
    return new NamespacedName(text.substring(0, Math.max(slash, 0)), text.substring(slash + 1));
  }
}
