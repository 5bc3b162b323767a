package dev.portolan.cli;

import dev.portolan.core.text.Json;
import java.util.Locale;
import java.util.Map;

/** In which form a result is printed. */
enum Format {
  TABLE,
  WIDE,
  TEXT,
  YAML,
  JSON;

  /** Whether the result is printed as a tree, for programs. */
  boolean isTree() {
    return this == YAML || this == JSON;
  }

  /** The tree in this form. */
  String write(Map<String, ?> tree) {
    return this == YAML ? Yaml.document(tree) : Json.pretty(tree) + "\n";
  }

  /** The tree in this form as one of many: a line of JSON, or a document of YAML. */
  String writeOneOfMany(Map<String, ?> tree) {
    return this == YAML ? "---\n" + Yaml.document(tree) : Json.line(tree) + "\n";
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
