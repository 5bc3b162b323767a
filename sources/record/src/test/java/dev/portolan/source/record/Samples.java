package dev.portolan.source.record;

import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.collection.PersistentMap;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Events for tests, and what comes back of them. */
final class Samples {
  static final Instant BEGIN = Instant.parse("2026-11-17T01:00:00Z");

  private Samples() {}

  static RecordedEvent.Started started(Instant time) {
    return new RecordedEvent.Started(time, "0.3.0", "kube-proxy", "n1", "kube", "mode: nftables\n");
  }

  /** A process that starts and sees {@code changes} changes, one per second. */
  static List<RecordedEvent> events(long seed, int changes) {
    List<RecordedEvent> events = new ArrayList<>();
    events.add(started(BEGIN));
    ClusterImage cluster = ClusterImage.EMPTY;
    for (int i = 0; i < changes; i++) {
      cluster = RandomCluster.event(seed * 1_000_003 + i).applyTo(cluster);
      Instant time = BEGIN.plusSeconds(i);
      events.add(
          new RecordedEvent.State(
              time, i + 1, i > 0, cluster, Map.of("services", "" + i, "nodes", "7")));
      if (i % 3 == 0) {
        events.add(
            new RecordedEvent.Synced(
                time.plusMillis(7),
                i + 1,
                Duration.ofMillis(6),
                i == 0,
                i % 9 == 0 ? Optional.of("no") : Optional.empty()));
      }
    }
    events.add(new RecordedEvent.Repaired(BEGIN.plusSeconds(changes), 3, "nft (pid 7)"));
    events.add(new RecordedEvent.Problem(BEGIN.plusSeconds(changes), "the API server is away"));
    return events;
  }

  /** A state with {@code services} services, which have nothing in common that compresses well. */
  static RecordedEvent.State large(int services) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    Random random = new Random(1);
    for (int i = 0; i < services; i++) {
      delta.set(
          Service.named("ns", Long.toHexString(random.nextLong()))
              .clusterIps(List.of("10." + random.nextInt(256) + "." + random.nextInt(256) + ".1"))
              .build());
    }
    return new RecordedEvent.State(
        BEGIN, 1, false, delta.build().applyTo(ClusterImage.EMPTY), Map.of());
  }

  /** What a recording keeps of an event: services without what people wrote on them. */
  static RecordedEvent kept(RecordedEvent event) {
    return event instanceof RecordedEvent.State state
        ? new RecordedEvent.State(
            state.time(),
            state.revision(),
            state.changed(),
            kept(state.cluster()),
            state.versions())
        : event;
  }

  static ClusterImage kept(ClusterImage cluster) {
    PersistentMap<NamespacedName, Service> services = PersistentMap.empty();
    for (var entry : cluster.services()) {
      services = services.with(entry.getKey(), entry.getValue().withoutMetadata());
    }
    return new ClusterImage(services, cluster.slices(), cluster.nodes(), cluster.serviceCidrs());
  }

  static List<RecordedEvent> kept(List<RecordedEvent> events) {
    return events.stream().map(Samples::kept).toList();
  }

  static void write(RecordingTarget target, List<RecordedEvent> events) {
    events.forEach(target::write);
  }

  /** All events of a recording that is not damaged. */
  static List<RecordedEvent> read(Path path) {
    List<RecordedEvent> events = new ArrayList<>();
    String damage = Recording.open(path).read(events::add);
    if (!damage.isEmpty()) {
      throw new AssertionError(damage);
    }
    return events;
  }
}
