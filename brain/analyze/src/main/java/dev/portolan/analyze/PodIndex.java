package dev.portolan.analyze;

import dev.portolan.core.cluster.NamespacedName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds Pods by their labels, at the cost of those that have the rarest of them. */
public final class PodIndex {
  private final Map<NamespacedName, Pod> byName = new HashMap<>();

  /** The Pods of each namespace by each of their labels. */
  private final Map<String, Map<Map.Entry<String, String>, List<Pod>>> byLabel = new TreeMap<>();

  /** An index of {@code pods}. */
  PodIndex(Collection<Pod> pods) {
    for (Pod pod : pods) {
      if (pod.isReal()) {
        byName.put(pod.name(), pod);
      }
      if (!pod.finished()) {
        Map<Map.Entry<String, String>, List<Pod>> labels =
            byLabel.computeIfAbsent(pod.name().namespace(), key -> new HashMap<>());
        pod.labels()
            .entrySet()
            .forEach(label -> labels.computeIfAbsent(label, key -> new ArrayList<>()).add(pod));
      }
    }
  }

  /** The Pod of that name, or null. */
  public @Nullable Pod pod(NamespacedName name) {
    return byName.get(name);
  }

  /** What has not finished in {@code namespace} and has all of {@code labels}. */
  public List<Pod> matching(String namespace, Map<String, String> labels) {
    Map<Map.Entry<String, String>, List<Pod>> here = byLabel.getOrDefault(namespace, Map.of());
    List<Pod> fewest = null;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      List<Pod> some = here.getOrDefault(label, List.of());
      fewest = fewest == null || some.size() < fewest.size() ? some : fewest;
    }
    return fewest == null
        ? List.of()
        : fewest.stream().filter(pod -> common(pod, labels) == labels.size()).toList();
  }

  /** Another namespace in which something has all of {@code labels}. */
  public Optional<String> elsewhere(String namespace, Map<String, String> labels) {
    return byLabel.keySet().stream()
        .filter(other -> !other.equals(namespace) && !matching(other, labels).isEmpty())
        .findFirst();
  }

  /** What has most of {@code labels}, though not all, if anything has half of them. */
  public Optional<Pod> nearest(String namespace, Map<String, String> labels) {
    Map<Map.Entry<String, String>, List<Pod>> here = byLabel.getOrDefault(namespace, Map.of());
    Pod best = null;
    int most = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      for (Pod pod : here.getOrDefault(label, List.of())) {
        int common = common(pod, labels);
        if (common > most || (common == most && best != null && isBefore(pod, best))) {
          best = pod;
          most = common;
        }
      }
    }
    return Optional.ofNullable(best).filter(pod -> 2 * common(pod, labels) >= labels.size());
  }

  /** The values that a label has in {@code namespace}. */
  public SortedSet<String> values(String namespace, String label) {
    SortedSet<String> values = new TreeSet<>();
    for (Map.Entry<String, String> known : byLabel.getOrDefault(namespace, Map.of()).keySet()) {
      if (known.getKey().equals(label)) {
        values.add(known.getValue());
      }
    }
    return values;
  }

  /** How many of {@code labels} a Pod has. */
  private static int common(Pod pod, Map<String, String> labels) {
    int common = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      common += label.getValue().equals(pod.labels().get(label.getKey())) ? 1 : 0;
    }
    return common;
  }

  private static boolean isBefore(Pod one, Pod other) {
    return one.ref().compareTo(other.ref()) < 0;
  }
}
