package dev.portolan.source.file;

import dev.portolan.core.cluster.Warning;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats error messages with their location: file, position, object, field. */
final class Finding {
  private static final int LONGEST_FILE = 200;
  private static final int LONGEST_FIELD = 120;

  private Finding() {}

  /** One sentence; {@code object} and {@code field} are empty where they are not known. */
  static String at(String file, int line, int column, String object, String field, String text) {
    StringBuilder sentence = new StringBuilder(place(file, line));
    sentence.append(':').append(column).append(": ");
    if (!object.isEmpty()) {
      sentence.append(object).append(": ");
    }
    if (!field.isEmpty()) {
      sentence.append(end(printable(field), LONGEST_FIELD)).append(": ");
    }
    return sentence.append(text).toString();
  }

  /** One sentence about a whole file. */
  static String of(String file, String text) {
    return file(file) + ": " + text;
  }

  /** {@code file:line}. */
  static String place(String file, int line) {
    return file(file) + ":" + line;
  }

  /** The name of a file, fit to be printed. */
  static String file(String name) {
    return end(printable(name), LONGEST_FILE);
  }

  /** Names an object by as much as is known of it: {@code Service shop/web}, {@code Service}. */
  static String object(String defaultKind, @Nullable Value object) {
    if (!(object instanceof Value.Mapping mapping)) {
      return "";
    }
    String kind = text(mapping.entries().get("kind"));
    Value metadata = mapping.entries().get("metadata");
    return object(
        kind.isEmpty() ? defaultKind : kind,
        metadata instanceof Value.Mapping found ? found.entries() : Map.of());
  }

  /** Names an object by its kind and what is known of its metadata. */
  static String object(String kind, Map<String, Value> metadata) {
    if (kind.isEmpty()) {
      return "";
    }
    String name = text(metadata.get("name"));
    if (name.isEmpty()) {
      return brief(kind);
    }
    String namespace = text(metadata.get("namespace"));
    if (namespace.isEmpty() && Kind.isNamespaced(kind)) {
      namespace = Metadata.DEFAULT_NAMESPACE;
    }
    return brief(kind) + " " + brief(namespace.isEmpty() ? name : namespace + "/" + name);
  }

  /**
   * {@code text} on one line, with anything but printable characters replaced, and not too long.
   */
  static String brief(String text) {
    String quoted = Warning.quote(text);
    return quoted.substring(1, quoted.length() - 1);
  }

  private static String text(@Nullable Value value) {
    return value instanceof Value.Scalar scalar && ScalarType.of(scalar) != ScalarType.NULL
        ? scalar.text()
        : "";
  }

  /** The end of a path says more than its start. */
  private static String end(String text, int longest) {
    return text.length() <= longest ? text : "…" + text.substring(text.length() - longest);
  }

  private static String printable(String text) {
    StringBuilder clean = new StringBuilder(text);
    for (int i = 0; i < clean.length(); i++) {
      char c = clean.charAt(i);
      int type = Character.getType(c);
      if (Character.isISOControl(c)
          || type == Character.FORMAT
          || type == Character.LINE_SEPARATOR
          || type == Character.PARAGRAPH_SEPARATOR) {
        clean.setCharAt(i, '\ufffd');
      }
    }
    return clean.toString();
  }
}
