package dev.portolan.terminal;

import dev.portolan.core.text.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes the trees that {@link Json} writes as YAML. A string goes without quotes only if readers
 * of every version of YAML take it for a string.
 */
final class YamlWriter {
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z][\\w./-]*( [\\w./-]+)*|\\d{1,3}(\\.\\d{1,3}){3}(/\\d{1,2})?");
  private static final Set<String> WORDS_WITH_MEANING =
      Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

  private final StringBuilder text = new StringBuilder();

  private YamlWriter() {}

  /** The tree as a document, with a line break at its end. */
  static String document(Map<String, ?> tree) {
    YamlWriter yaml = new YamlWriter();
    yaml.map(tree, 0, false);
    return yaml.text.toString();
  }

  /** A string, in quotes where it needs them. */
  static String scalar(String value) {
    return PLAIN.matcher(value).matches()
            && !WORDS_WITH_MEANING.contains(value.toLowerCase(Locale.ROOT))
        ? value
        : Json.quoted(value);
  }

  private void map(Map<?, ?> map, int depth, boolean afterDash) {
    boolean first = afterDash;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      text.repeat(' ', first ? 0 : 2 * depth);
      first = false;
      text.append(scalar((String) entry.getKey())).append(':');
      Object value = entry.getValue();
      switch (value) {
        case Map<?, ?> inner when !inner.isEmpty() -> {
          text.append('\n');
          map(inner, depth + 1, false);
        }
        case List<?> inner when !inner.isEmpty() -> {
          text.append('\n');
          list(inner, depth);
        }
        case null, default -> leaf(value);
      }
    }
  }

  /** Dashes stand under the first letter of the key, as kubectl prints them. */
  private void list(List<?> list, int depth) {
    for (Object value : list) {
      text.repeat(' ', 2 * depth).append('-');
      if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
        text.append(' ');
        map(inner, depth + 1, true);
      } else {
        leaf(value);
      }
    }
  }

  private void leaf(@Nullable Object value) {
    text.append(' ')
        .append(value instanceof String string ? scalar(string) : Json.line(value))
        .append('\n');
  }
}
