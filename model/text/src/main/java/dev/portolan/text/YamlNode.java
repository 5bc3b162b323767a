package dev.portolan.text;

import dev.portolan.text.syntax.DoubleQuotes;
import dev.portolan.text.syntax.ScalarKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value of a YAML text as it is written, with its place. */
public sealed interface YamlNode {
  /** Where the value begins. */
  FilePosition place();

  /** One value, not resolved to a type yet. */
  record Scalar(String text, boolean quoted, FilePosition place) implements YamlNode {
    /** What the scalar is; quotes make it text. */
    public ScalarKind kind() {
      return quoted ? ScalarKind.TEXT : ScalarKind.of(text);
    }
  }

  /** A list. */
  record Sequence(List<YamlNode> items, FilePosition place) implements YamlNode {}

  /** A mapping with all of its entries, also those whose key is there twice. */
  record Mapping(List<Entry> entries, FilePosition place) implements YamlNode {
    /** The value of {@code key}, the last one where it is there twice; null where it is not. */
    public @Nullable YamlNode last(String key) {
      return entries.reversed().stream()
          .filter(entry -> entry.key().text().equals(key))
          .findFirst()
          .map(Entry::value)
          .orElse(null);
    }
  }

  /** One line of a mapping. */
  record Entry(Scalar key, YamlNode value) {}

  /** Whether this is nothing, which is the same as being absent. */
  default boolean isNull() {
    return this instanceof Scalar scalar && scalar.kind() == ScalarKind.NULL;
  }

  /** What this is, for a sentence. */
  default String describe() {
    return switch (this) {
      case Mapping mapping -> "a mapping";
      case Sequence sequence -> "a list";
      case Scalar scalar -> scalar.kind().label() + " " + DoubleQuotes.quote(scalar.text());
    };
  }
}
