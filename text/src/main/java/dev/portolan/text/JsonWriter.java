package dev.portolan.text;

import dev.portolan.core.text.Json;
import dev.portolan.text.Value.Mapping;
import dev.portolan.text.Value.Scalar;
import dev.portolan.text.Value.Sequence;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes values as JSON. */
final class JsonWriter {
  private JsonWriter() {}

  /** {@code value} on one line. */
  static String write(Value value) {
    return switch (value) {
      case Mapping mapping ->
          mapping.entries().entrySet().stream()
              .map(entry -> Json.quoted(entry.getKey()) + ":" + write(entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case Sequence sequence ->
          sequence.items().stream()
              .map(JsonWriter::write)
              .collect(Collectors.joining(",", "[", "]"));
      case Scalar scalar -> write(scalar);
    };
  }

  private static String write(Scalar scalar) {
    return switch (ScalarType.of(scalar)) {
      case NULL -> "null";
      case TRUTH -> scalar.text().toLowerCase(Locale.ROOT);
      case INTEGER, FRACTION -> number(scalar);
      case TEXT, OTHER -> Json.quoted(scalar.text());
    };
  }

  /** A number of YAML that JSON cannot write becomes text. */
  private static String number(Scalar scalar) {
    if (JsonReader.NUMBER.matcher(scalar.text()).matches()) {
      return scalar.text();
    }
    Integer number = ScalarType.toInt(scalar);
    return number == null ? Json.quoted(scalar.text()) : number.toString();
  }
}
