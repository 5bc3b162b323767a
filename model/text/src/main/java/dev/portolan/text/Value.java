package dev.portolan.text;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value of a YAML or JSON document, with the place where it starts. */
public sealed interface Value {
  /** The line, counted from 1. */
  int line();

  /** The column, counted from 1. */
  int column();

  /** The explicit tag of the value, if any. */
  @Nullable String tag();

  /** Text that stands for itself; without quotes it may also be a number, a truth or nothing. */
  record Scalar(String text, boolean quoted, @Nullable String tag, int line, int column)
      implements Value {}

  /** Keys with values, in the order of the document. */
  record Mapping(Map<String, Value> entries, @Nullable String tag, int line, int column)
      implements Value {}

  /** Values in a row. */
  record Sequence(List<Value> items, @Nullable String tag, int line, int column) implements Value {}
}
