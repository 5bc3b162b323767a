package dev.portolan.text;

import dev.portolan.core.text.Quotes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Formats error messages with their location: file, position, object, field. */
public final class Sentence {
  /** Objects that live in the namespace {@code default} where they do not name one. */
  private static final Set<String> NAMESPACED = Set.of("Service", "EndpointSlice");

  private static final int LONGEST_FILE = 200;
  private static final int LONGEST_FIELD = 120;

  private Sentence() {}

  /** One sentence; {@code object} and {@code field} are empty where they are not known. */
  static String at(String file, int line, int column, String object, String field, String text) {
    StringBuilder sentence = new StringBuilder(place(file, line));
    sentence.append(':').append(column).append(": ");
    if (!object.isEmpty()) {
      sentence.append(object).append(": ");
    }
    if (!field.isEmpty()) {
      sentence.append(end(Quotes.printable(field), LONGEST_FIELD)).append(": ");
    }
    return sentence.append(text).toString();
  }

  /** One sentence about a whole file. */
  public static String of(String file, String text) {
    return file(file) + ": " + text;
  }

  /** {@code file:line}. */
  static String place(String file, int line) {
    return file(file) + ":" + line;
  }

  /** The name of a file, fit to be printed. */
  static String file(String name) {
    return end(Quotes.printable(name), LONGEST_FILE);
  }

  /** Names an object by as much as is known of it: {@code Service shop/web}, {@code Service}. */
  static String object(String defaultKind, @Nullable Value object) {
    if (!(object instanceof Value.Mapping mapping)) {
      return "";
    }
    String kind = text(mapping.get("kind"));
    Value metadata = mapping.get("metadata");
    return named(
        kind.isEmpty() ? defaultKind : kind,
        metadata instanceof Value.Mapping found ? found : null);
  }

  /** Names an object by its kind and what is known of its metadata. */
  static String named(String kind, Value.@Nullable Mapping metadata) {
    if (kind.isEmpty()) {
      return "";
    }
    String name = metadata == null ? "" : text(metadata.get("name"));
    if (metadata == null || name.isEmpty()) {
      return Quotes.brief(kind);
    }
    String namespace = text(metadata.get("namespace"));
    if (namespace.isEmpty() && NAMESPACED.contains(kind)) {
      namespace = "default";
    }
    return Quotes.brief(kind)
        + " "
        + Quotes.brief(namespace.isEmpty() ? name : namespace + "/" + name);
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
}
