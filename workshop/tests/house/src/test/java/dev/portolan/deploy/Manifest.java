package dev.portolan.deploy;

import dev.portolan.text.Documents;
import dev.portolan.text.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Objects as lines, one per field, so that two of them can be compared. */
final class Manifest {
  private Manifest() {}

  /**
   * The objects of a text, by kind and name. Lists of objects that have names are sorted by them,
   * and the words of a command are one list, whether they are its own or its arguments.
   */
  static SortedMap<String, SortedSet<String>> objects(String text) {
    SortedMap<String, SortedSet<String>> objects = new TreeMap<>();
    for (Value document : Documents.read("manifest.yaml", text)) {
      for (Value object : items((Value.Mapping) document)) {
        Value.Mapping entries = (Value.Mapping) object;
        Value metadata = Objects.requireNonNullElse(entries.get("metadata"), object);
        String name = text(((Value.Mapping) metadata).get("name"));
        SortedSet<String> lines = new TreeSet<>();
        flatten("", object, lines);
        objects.put(text(entries.get("kind")) + " " + name, lines);
      }
    }
    return objects;
  }

  private static List<Value> items(Value.Mapping document) {
    return document.get("items") instanceof Value.Sequence items
            && text(document.get("kind")).equals("List")
        ? items.items()
        : List.of(document);
  }

  private static void flatten(String path, Value value, SortedSet<String> lines) {
    switch (value) {
      case Value.Scalar scalar -> lines.add(path + " = " + scalar.text());
      case Value.Mapping mapping -> fields(path, mapping, lines);
      case Value.Sequence sequence -> {
        int number = 0;
        for (Value item : sequence.items()) {
          String key = Integer.toString(number++);
          if (item instanceof Value.Mapping mapping && mapping.get("name") != null) {
            key = text(mapping.get("name"));
          }
          flatten(path + "[" + key + "]", item, lines);
        }
      }
    }
  }

  private static void fields(String path, Value.Mapping mapping, SortedSet<String> lines) {
    List<Value> words = new ArrayList<>();
    for (String part : List.of("command", "args")) {
      if (mapping.get(part) instanceof Value.Sequence sequence) {
        words.addAll(sequence.items());
      }
    }
    for (Value word : words) {
      lines.add(path + ".command has " + text(word));
    }
    mapping
        .entries()
        .forEach(entry -> {
          String key = entry.key().text();
          if (words.isEmpty() || !(key.equals("command") || key.equals("args"))) {
            flatten(path + "." + key, entry.value(), lines);
          }
        });
  }

  private static String text(@Nullable Value value) {
    return ((Value.Scalar) Objects.requireNonNull(value)).text();
  }
}
