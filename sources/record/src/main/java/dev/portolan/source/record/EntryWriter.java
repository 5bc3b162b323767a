package dev.portolan.source.record;

import com.google.protobuf.MessageLite;
import dev.portolan.api.ClusterObjects;
import dev.portolan.api.v1.RecordingEntry;
import dev.portolan.api.v1.RecordingProblem;
import dev.portolan.api.v1.RecordingRepair;
import dev.portolan.api.v1.RecordingStart;
import dev.portolan.api.v1.RecordingState;
import dev.portolan.api.v1.RecordingSync;
import dev.portolan.api.v1.RecordingVersion;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Events as the entries of one file: of a state, only what differs from the one before, and of much
 * that differs several entries, since an entry is in memory as a whole.
 */
final class EntryWriter {
  /** Of objects in one entry, give or take one object. */
  private static final int BYTES = 4 << 20;

  private final long run;
  private @Nullable ClusterImage before;
  private Map<String, String> versions = Map.of();

  /** Nothing is known of what is in the file. */
  EntryWriter(long run) {
    this.run = run;
  }

  /** The next state is written as a whole. */
  void forget() {
    before = null;
    versions = Map.of();
  }

  /** The entry that says that nothing happened up to {@code time}. */
  static byte[] alive(Instant time) {
    return entry(time).build().toByteArray();
  }

  /** Hands the entries for {@code event} to {@code out}; it counts as written from here on. */
  void encode(RecordedEvent event, Consumer<byte[]> out) {
    RecordingEntry.Builder entry = entry(event.time());
    switch (event) {
      case RecordedEvent.Started started ->
          entry.setStarted(
              RecordingStart.newBuilder()
                  .setVersion(started.version())
                  .setRecorder(started.recorder())
                  .setNode(started.node())
                  .setSource(started.source())
                  .setConfiguration(started.configuration())
                  .setRun(run));
      case RecordedEvent.State state ->
          entry.setState(
              lastEntry(
                  state,
                  part -> out.accept(entry(state.time()).setState(part).build().toByteArray())));
      case RecordedEvent.Synced synced -> {
        RecordingSync.Builder sync =
            RecordingSync.newBuilder()
                .setRevision(synced.revision())
                .setTookNanos(synced.took().toNanos())
                .setFull(synced.full());
        synced.error().ifPresent(sync::setError);
        entry.setSynced(sync);
      }
      case RecordedEvent.Repaired repaired ->
          entry.setRepaired(
              RecordingRepair.newBuilder()
                  .setObjects(repaired.objects())
                  .setCause(repaired.cause()));
      case RecordedEvent.Problem problem ->
          entry.setProblem(RecordingProblem.newBuilder().setSentence(problem.sentence()));
    }
    out.accept(entry.build().toByteArray());
  }

  private static RecordingEntry.Builder entry(Instant time) {
    return RecordingEntry.newBuilder().setUnixNanos(ChronoUnit.NANOS.between(Instant.EPOCH, time));
  }

  /** The last entry of a state; those before it go to {@code earlier}. */
  private RecordingState.Builder lastEntry(
      RecordedEvent.State state, Consumer<RecordingState.Builder> earlier) {
    RecordingState.Builder first =
        RecordingState.newBuilder()
            .setRevision(state.revision())
            .setWhole(before == null)
            .setChanged(state.changed());
    ClusterImage base = before == null ? ClusterImage.EMPTY : before;
    addVersions(first, state.versions());
    StateParts parts = new StateParts(first, earlier);
    parts.add(ClusterDelta.between(base, state.cluster()));
    before = state.cluster();
    return first;
  }

  /** Distributes objects over entries. */
  private static final class StateParts {
    private final RecordingState.Builder message;
    private final Consumer<RecordingState.Builder> earlier;
    private int bytes;

    private StateParts(RecordingState.Builder first, Consumer<RecordingState.Builder> earlier) {
      this.message = first;
      this.earlier = earlier;
    }

    private void add(ClusterDelta delta) {
      delta
          .services()
          .forEach((name, service) ->
              add(
                  name,
                  service.map(ClusterObjects::service),
                  message::addServices,
                  message::addRemovedServices));
      delta
          .slices()
          .forEach((name, slice) ->
              add(
                  name,
                  slice.map(ClusterObjects::slice),
                  message::addSlices,
                  message::addRemovedSlices));
      delta
          .nodes()
          .forEach((name, node) ->
              add(
                  name,
                  node.map(ClusterObjects::node),
                  message::addNodes,
                  message::addRemovedNodes));
      delta
          .serviceCidrs()
          .forEach((name, cidr) ->
              add(
                  name,
                  cidr.map(ClusterObjects::serviceCidr),
                  message::addServiceCidrs,
                  message::addRemovedServiceCidrs));
    }

    private <T extends MessageLite> void add(
        Object name, Optional<T> object, Consumer<T> set, Consumer<String> remove) {
      if (bytes > BYTES) {
        earlier.accept(message.setContinued(true));
        long revision = message.getRevision();
        boolean changed = message.getChanged();
        message.clear().setRevision(revision).setChanged(changed);
        bytes = 0;
      }
      object.ifPresentOrElse(set, () -> remove.accept(name.toString()));
      bytes += object.map(MessageLite::getSerializedSize).orElse(name.toString().length());
    }
  }

  private void addVersions(RecordingState.Builder message, Map<String, String> newest) {
    TreeSet<String> resources = new TreeSet<>(versions.keySet());
    resources.addAll(newest.keySet());
    for (String resource : resources) {
      String version = newest.getOrDefault(resource, "");
      if (!version.equals(versions.getOrDefault(resource, ""))) {
        message.addVersions(
            RecordingVersion.newBuilder().setResource(resource).setVersion(version));
      }
    }
    versions = Map.copyOf(newest);
  }
}
