package dev.portolan.config.file;

import dev.portolan.config.finding.FilePosition;
import dev.portolan.text.syntax.DoubleQuotes;
import dev.portolan.text.syntax.ScalarKind;
import java.util.List;

/** A value of a YAML text, with its place. */
sealed interface YamlNode {
  /** Where the value begins. */
  FilePosition place();

  /** One value, not resolved to a type yet. */
  record Scalar(String text, boolean quoted, FilePosition place) implements YamlNode {
    /** What the scalar is; quotes make it text. */
    ScalarKind kind() {
      return quoted ? ScalarKind.TEXT : ScalarKind.of(text);
    }
  }

  /** A list. */
  record Sequence(List<YamlNode> items, FilePosition place) implements YamlNode {}

  /** A mapping with all of its entries, also those whose key is there twice. */
  record Mapping(List<Entry> entries, FilePosition place) implements YamlNode {}

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
