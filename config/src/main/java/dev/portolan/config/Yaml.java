package dev.portolan.config;

import java.util.List;

/** A value of a YAML text, with its place. */
sealed interface Yaml {
  /** Where the value begins. */
  Place place();

  /** One value, not resolved to a type yet. */
  record Scalar(String text, boolean quoted, Place place) implements Yaml {
    /** What the scalar is; quotes make it text. */
    ScalarKind kind() {
      return quoted ? ScalarKind.TEXT : ScalarKind.of(text);
    }
  }

  /** A list. */
  record Sequence(List<Yaml> items, Place place) implements Yaml {}

  /** A mapping with all of its entries, also those whose key is there twice. */
  record Mapping(List<Entry> entries, Place place) implements Yaml {}

  /** One line of a mapping. */
  record Entry(Scalar key, Yaml value) {}

  /** Whether this is nothing, which is the same as being absent. */
  default boolean isNull() {
    return this instanceof Scalar scalar && scalar.kind() == ScalarKind.NULL;
  }

  /** What this is, for a sentence. */
  default String describe() {
    return switch (this) {
      case Mapping mapping -> "a mapping";
      case Sequence sequence -> "a list";
      case Scalar scalar -> scalar.kind().label() + " " + Quotes.quote(scalar.text());
    };
  }
}
