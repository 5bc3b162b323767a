package dev.portolan.terminal.query;

import dev.portolan.core.text.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How values of a tree are written and compared. */
final class Values {
  private Values() {}

  /** A value as a word; what has parts is written as JSON. */
  static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case String text -> text;
      case Map<?, ?> map -> Json.line(map);
      case List<?> list -> Json.line(list);
      default -> value.toString();
    };
  }

  static boolean isEqual(@Nullable Object one, @Nullable Object other) {
    boolean numbers = one instanceof Number && other instanceof Number;
    return numbers ? compare(one, other) == 0 : Objects.equals(one, other);
  }

  /** Numbers by size, everything else by its text; what is not there comes first. */
  static int compare(@Nullable Object one, @Nullable Object other) {
    if (one instanceof Number a && other instanceof Number b) {
      return Double.compare(a.doubleValue(), b.doubleValue());
    }
    return text(one).compareTo(text(other));
  }
}
