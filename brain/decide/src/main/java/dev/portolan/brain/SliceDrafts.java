package dev.portolan.brain;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slices of each service. Those of a service with several are read once: where one of many
 * changes, the others are there already. A single one would be read again anyway.
 */
final class SliceDrafts {
  private final Map<NamespacedName, List<Held>> byService = new HashMap<>();

  /** A slice and what was read of it, if it was. */
  private static final class Held {
    final EndpointSlice slice;
    @Nullable SliceDraft draft;

    Held(EndpointSlice slice) {
      this.slice = slice;
    }
  }

  /** The slices of {@code service} that can have endpoints, in the order of their names. */
  List<SliceDraft> of(NamespacedName service) {
    List<Held> slices = byService.getOrDefault(service, List.of());
    List<SliceDraft> drafts = new ArrayList<>(slices.size());
    for (Held held : slices) {
      SliceDraft draft = held.draft == null ? SliceReader.read(held.slice) : held.draft;
      held.draft = slices.size() > 1 ? draft : null;
      drafts.add(draft);
    }
    return drafts;
  }

  /** Puts {@code slice} under its service, in place of an older version. */
  void put(NamespacedName service, EndpointSlice slice) {
    List<Held> slices = others(service, slice.name());
    if (SliceReader.isReadable(slice)) {
      int place = 0;
      while (place < slices.size() && slices.get(place).slice.name().compareTo(slice.name()) < 0) {
        place++;
      }
      slices.add(place, new Held(slice));
    }
    keep(service, slices);
  }

  /** Takes the slice {@code name} away from {@code service}. */
  void remove(NamespacedName service, NamespacedName name) {
    keep(service, others(service, name));
  }

  private List<Held> others(NamespacedName service, NamespacedName name) {
    List<Held> others = new ArrayList<>();
    for (Held held : byService.getOrDefault(service, List.of())) {
      if (!held.slice.name().equals(name)) {
        others.add(held);
      }
    }
    return others;
  }

  private void keep(NamespacedName service, List<Held> slices) {
    if (slices.isEmpty()) {
      byService.remove(service);
    } else {
      byService.put(service, List.copyOf(slices));
    }
  }
}
