package dev.portolan.text;

import dev.portolan.text.Value.Mapping;
import dev.portolan.text.Value.Scalar;
import dev.portolan.text.Value.Sequence;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns values into trees that {@link dev.portolan.core.text.Json} writes. */
final class JsonTree {
  private JsonTree() {}

  /** {@code value} as maps, lists, strings, numbers, booleans and nulls. */
  static @Nullable Object of(Value value) {
    return switch (value) {
      case Mapping mapping -> {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        mapping.entries().forEach(entry -> tree.put(entry.key().text(), of(entry.value())));
        yield tree;
      }
      case Sequence sequence -> {
        List<@Nullable Object> tree = new ArrayList<>();
        sequence.items().forEach(item -> tree.add(of(item)));
        yield tree;
      }
      case Scalar scalar -> of(scalar);
    };
  }

  private static @Nullable Object of(Scalar scalar) {
    return switch (ScalarType.of(scalar)) {
      case NULL -> null;
      case TRUTH -> Boolean.valueOf(scalar.text());
      case INTEGER, FRACTION -> number(scalar);
      case TEXT, OTHER -> scalar.text();
    };
  }

  /** A number of YAML that JSON cannot write becomes text. */
  private static Object number(Scalar scalar) {
    if (JsonReader.NUMBER.matcher(scalar.text()).matches()) {
      return new BigDecimal(scalar.text());
    }
    Integer number = ScalarType.toInt(scalar);
    return number == null ? scalar.text() : number;
  }
}
