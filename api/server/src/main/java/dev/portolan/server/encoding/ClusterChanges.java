package dev.portolan.server.encoding;

import dev.portolan.api.ClusterItems;
import dev.portolan.api.ClusterItems.Entry;
import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.collection.PersistentMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes the difference between two states of the cluster: first what is new, nodes before services
 * before endpoints; then what is gone, in the opposite order.
 */
public final class ClusterChanges {
  private final Encodings encodings;
  private final ClusterState before;
  private final ClusterState after;
  private final Consumer<StreamItem> out;
  private boolean wrote;

  private ClusterChanges(
      Encodings encodings, ClusterState before, ClusterState after, Consumer<StreamItem> out) {
    this.encodings = encodings;
    this.before = before;
    this.after = after;
    this.out = out;
  }

  /** Writes what differs to {@code out}; returns whether anything does. */
  public static boolean write(
      Encodings encodings, ClusterState before, ClusterState after, Consumer<StreamItem> out) {
    ClusterChanges changes = new ClusterChanges(encodings, before, after, out);
    changes.writeAll();
    return changes.wrote;
  }

  private void writeAll() {
    set(Set.GlobalServiceCIDRs, ClusterImage::serviceCidrs, encodings::of);
    set(Set.GlobalNodeInfos, ClusterImage::nodes, encodings::of);
    set(Set.GlobalServiceInfos, ClusterImage::services, encodings::of);
    set(Set.GlobalSlices, ClusterImage::slices, encodings::of);
    setEndpoints();
    deleteEndpoints();
    delete(Set.GlobalSlices, ClusterImage::slices, ClusterItems::deleteSlice);
    delete(Set.GlobalServiceInfos, ClusterImage::services, ClusterItems::deleteService);
    delete(Set.GlobalNodeInfos, ClusterImage::nodes, ClusterItems::deleteNode);
    delete(Set.GlobalServiceCIDRs, ClusterImage::serviceCidrs, ClusterItems::deleteServiceCidr);
  }

  private void write(StreamItem item) {
    wrote = true;
    out.accept(item);
  }

  private <K extends Comparable<? super K>, V> void set(
      Set set, Function<ClusterImage, PersistentMap<K, V>> part, Function<V, StreamItem> encode) {
    part.apply(before.of(set))
        .diff(
            part.apply(after.of(set)),
            (key, old, now) -> {
              if (now != null) {
                write(encode.apply(now));
              }
            });
  }

  private <K extends Comparable<? super K>, V> void delete(
      Set set, Function<ClusterImage, PersistentMap<K, V>> part, Function<K, StreamItem> encode) {
    List<K> removed = new ArrayList<>();
    part.apply(before.of(set))
        .diff(
            part.apply(after.of(set)),
            (key, old, now) -> {
              if (now == null) {
                removed.add(key);
              }
            });
    removed.reversed().forEach(key -> write(encode.apply(key)));
  }

  private void setEndpoints() {
    List<Entry> added = new ArrayList<>();
    forEachChangedSlice((old, now) -> added.addAll(missingFrom(old, now)));
    added.sort(Comparator.comparing(Entry::path));
    added.forEach(entry -> write(entry.set()));
  }

  private void deleteEndpoints() {
    List<Entry> removed = new ArrayList<>();
    forEachChangedSlice((old, now) -> removed.addAll(missingFrom(now, old)));
    removed.sort(Comparator.comparing(Entry::path).reversed());
    removed.forEach(entry -> write(entry.delete()));
  }

  private interface Pair {
    void visit(@Nullable EndpointSlice old, @Nullable EndpointSlice now);
  }

  private void forEachChangedSlice(Pair pair) {
    before
        .of(Set.GlobalEndpointInfos)
        .slices()
        .diff(after.of(Set.GlobalEndpointInfos).slices(), (name, old, now) -> pair.visit(old, now));
  }

  /** The endpoints of {@code slice} that {@code other} has not; a path says all of an endpoint. */
  private List<Entry> missingFrom(@Nullable EndpointSlice other, @Nullable EndpointSlice slice) {
    if (slice == null) {
      return List.of();
    }
    java.util.Set<String> there = new HashSet<>();
    if (other != null) {
      encodings.endpointsOf(other).forEach(entry -> there.add(entry.path()));
    }
    return encodings.endpointsOf(slice).stream()
        .filter(entry -> !there.contains(entry.path()))
        .toList();
  }
}
