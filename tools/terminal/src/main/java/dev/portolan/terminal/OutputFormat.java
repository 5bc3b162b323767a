package dev.portolan.terminal;

import dev.portolan.core.text.Json;
import java.util.Locale;
import java.util.Map;

/** In which form a result is printed. */
public enum OutputFormat {
  TABLE,
  WIDE,
  TEXT,
  YAML,
  JSON,
  NAME,
  /** {@code jsonpath=TEMPLATE}. */
  JSONPATH,
  /** {@code custom-columns=TITLE:PATH,…}. */
  CUSTOM_COLUMNS,
  /** The form of analysers, for code hosts and editors. */
  SARIF,
  /** The items of a stream as they come. */
  ITEMS;

  /** Whether the result is printed as a tree, for programs. */
  public boolean isTree() {
    return this == YAML || this == JSON;
  }

  /** Whether something must follow the word and an equals sign. */
  public boolean hasArgument() {
    return this == JSONPATH || this == CUSTOM_COLUMNS;
  }

  /** The tree in this form. */
  public String write(Map<String, ?> tree) {
    return this == YAML ? YamlWriter.document(tree) : Json.pretty(tree) + "\n";
  }

  /** The tree in this form as one of many: a line of JSON, or a document of YAML. */
  public String writeOneOfMany(Map<String, ?> tree) {
    return this == YAML ? "---\n" + YamlWriter.document(tree) : Json.line(tree) + "\n";
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
