package dev.portolan.config.fields;

import dev.portolan.core.text.GoDuration;
import dev.portolan.text.syntax.DoubleQuotes;
import dev.portolan.text.syntax.PlainWords;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The types of fields: their zero, and how a value is written. */
public enum FieldType {
  TEXT("text"),
  TRUTH("true or false"),
  INT32("an integer"),
  UINT32("a non-negative integer"),
  FLOAT32("a number"),
  DURATION("a duration such as 1m30s"),
  NANOSECONDS("a duration such as 5s, or a number of nanoseconds"),
  QUANTITY("a quantity such as 64Ki"),
  TEXTS("a list of strings"),
  GATES("a mapping of gate names to true or false"),
  VMODULE("a list of filePattern and verbosity pairs");

  private final String label;

  FieldType(String label) {
    this.label = label;
  }

  /** The type for a sentence. */
  public String label() {
    return label;
  }

  /** What Go holds in an absent field of this type. */
  Object zero() {
    return switch (this) {
      case TEXT -> "";
      case TRUTH -> false;
      case INT32 -> 0;
      case UINT32 -> 0L;
      case FLOAT32 -> 0f;
      case DURATION, NANOSECONDS -> Duration.ZERO;
      case QUANTITY -> "0";
      case TEXTS, VMODULE -> List.of();
      case GATES -> Collections.emptySortedMap();
    };
  }

  /** A default as {@code fields.table} writes it. */
  Object parse(String text) {
    if (text.equals("-")) {
      return zero();
    }
    return switch (this) {
      case TEXT, QUANTITY -> text;
      case TRUTH -> Boolean.parseBoolean(text);
      case INT32 -> Integer.parseInt(text);
      case UINT32 -> Long.parseLong(text);
      case FLOAT32 -> Float.parseFloat(text);
      case DURATION, NANOSECONDS -> GoDuration.parse(text).orElseThrow();
      case TEXTS, GATES, VMODULE -> throw new IllegalArgumentException("no default of " + this);
    };
  }

  /** A value on one line, as YAML reads it. */
  public static String write(Object value) {
    return switch (value) {
      case String text -> PlainWords.isPlain(text) ? text : DoubleQuotes.exact(text);
      case Duration duration -> GoDuration.format(duration).replace("µ", "u");
      case Float number ->
          number.equals((float) number.intValue())
              ? Integer.toString(number.intValue())
              : Float.toString(number);
      case List<?> list ->
          list.stream().map(FieldType::write).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map ->
          new TreeMap<>(map)
              .entrySet().stream()
                  .map(entry -> write(entry.getKey()) + ": " + entry.getValue())
                  .collect(Collectors.joining(", ", "{", "}"));
      case VmoduleItem item ->
          "{filePattern: " + write(item.filePattern()) + ", verbosity: " + item.verbosity() + "}";
      default -> value.toString();
    };
  }
}
