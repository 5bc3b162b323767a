package dev.portolan.text;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value of a YAML or JSON document, with the place where it starts. */
public sealed interface Value {
  /** The line, counted from 1. */
  int line();

  /** The column, counted from 1. */
  int column();

  /** Where it starts. */
  default FilePosition place() {
    return new FilePosition(line(), column());
  }

  /** The explicit tag of the value, if any. */
  @Nullable String tag();

  /** A string; one without quotes may also be a number, a boolean or null. */
  record Scalar(String text, boolean quoted, @Nullable String tag, int line, int column)
      implements Value {
    /** The same with another copy of its text. */
    Scalar named(String same) {
      return new Scalar(same, quoted, tag, line, column);
    }
  }

  /** Keys with values, in the order of the document; a key may be there twice if it stays so. */
  record Mapping(List<Entry> entries, @Nullable String tag, int line, int column) implements Value {
    /** The value of {@code key}, the last one where it is there twice; null where it is not. */
    public @Nullable Value get(String key) {
      for (int i = entries.size() - 1; i >= 0; i--) {
        if (entries.get(i).key.text.equals(key)) {
          return entries.get(i).value;
        }
      }
      return null;
    }
  }

  /** A key with its value. */
  record Entry(Scalar key, Value value) {}

  /** Values in a row. */
  record Sequence(List<Value> items, @Nullable String tag, int line, int column) implements Value {}
}
