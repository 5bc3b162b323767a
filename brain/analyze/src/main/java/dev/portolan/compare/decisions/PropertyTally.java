package dev.portolan.compare.decisions;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects properties that differ, and on which nodes. */
final class PropertyTally {
  private final Map<Key, BitSet> nodes = new LinkedHashMap<>();

  private record Key(String property, String before, String after) {}

  /** Notes a property, if it differs. */
  void add(String property, Object before, Object after, BitSet where) {
    if (!before.equals(after)) {
      nodes
          .computeIfAbsent(new Key(property, word(before), word(after)), key -> new BitSet())
          .or(where);
    }
  }

  /** What was noted. */
  List<PropertyChange> changes(NodeSets sets) {
    List<PropertyChange> changes = new ArrayList<>();
    nodes.forEach((key, where) ->
        changes.add(new PropertyChange(key.property, key.before, key.after, sets.of(where))));
    return changes;
  }

  private static String word(Object value) {
    if (value instanceof List<?> list) {
      return String.join(" ", list.stream().map(Object::toString).toList());
    }
    if (value instanceof Map<?, ?> map) {
      List<String> entries = new ArrayList<>();
      map.forEach((key, entry) -> {
        String text = entry == null ? "" : word(entry);
        entries.add(key + "=" + (text.isEmpty() ? "none" : text));
      });
      return String.join(", ", entries);
    }
    String text = value.toString();
    return text.equals("0") ? "" : text;
  }
}
