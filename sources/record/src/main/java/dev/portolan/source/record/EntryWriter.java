package dev.portolan.source.record;

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

/** Events as the entries of one file: of a state, only what differs from the one before. */
final class EntryWriter {
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

  /** The entry for {@code event}, which counts as written from here on. */
  byte[] encode(RecordedEvent event) {
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
      case RecordedEvent.State state -> entry.setState(encode(state));
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
    return entry.build().toByteArray();
  }

  private static RecordingEntry.Builder entry(Instant time) {
    return RecordingEntry.newBuilder().setUnixNanos(ChronoUnit.NANOS.between(Instant.EPOCH, time));
  }

  private RecordingState encode(RecordedEvent.State state) {
    RecordingState.Builder message =
        RecordingState.newBuilder()
            .setRevision(state.revision())
            .setWhole(before == null)
            .setChanged(state.changed());
    ClusterImage base = before == null ? ClusterImage.EMPTY : before;
    addObjects(message, ClusterDelta.between(base, state.cluster()));
    addVersions(message, state.versions());
    before = state.cluster();
    return message.build();
  }

  private static void addObjects(RecordingState.Builder message, ClusterDelta delta) {
    delta
        .services()
        .forEach((name, service) ->
            add(
                service.map(ClusterObjects::service),
                message::addServices,
                () -> message.addRemovedServices(name.toString())));
    delta
        .slices()
        .forEach((name, slice) ->
            add(
                slice.map(ClusterObjects::slice),
                message::addSlices,
                () -> message.addRemovedSlices(name.toString())));
    delta
        .nodes()
        .forEach((name, node) ->
            add(
                node.map(ClusterObjects::node),
                message::addNodes,
                () -> message.addRemovedNodes(name)));
    delta
        .serviceCidrs()
        .forEach((name, cidr) ->
            add(
                cidr.map(ClusterObjects::serviceCidr),
                message::addServiceCidrs,
                () -> message.addRemovedServiceCidrs(name)));
  }

  private static <T> void add(Optional<T> object, Consumer<T> set, Runnable remove) {
    object.ifPresentOrElse(set, remove);
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
