package dev.portolan.backend.exec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads as much of JSON as an answer needs: one object, with nothing but plain values in it. */
final class FlatJson {
  private final String text;
  private int at;

  private FlatJson(String text) {
    this.text = text;
  }

  /**
   * The fields of an object: each a {@link String}, a {@link Long}, or, for what no answer needs, a
   * {@link Boolean} that is true only for true. Empty if it is not such an object.
   */
  static Optional<Map<String, Object>> read(String line) {
    try {
      return Optional.of(new FlatJson(line.strip()).object());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Map<String, Object> object() {
    Map<String, Object> fields = new LinkedHashMap<>();
    expect('{');
    if (peek() == '}') {
      at++;
    } else {
      do {
        String name = string();
        expect(':');
        fields.put(name, value());
      } while (next() == ',');
      if (text.charAt(at - 1) != '}') {
        throw new IllegalArgumentException();
      }
    }
    if (at != text.length()) {
      throw new IllegalArgumentException();
    }
    return fields;
  }

  private Object value() {
    if (peek() == '"') {
      return string();
    }
    int start = at;
    while (at < text.length() && "{}[],: \t\"".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(start, at);
    if (word.matches("[0-9]{1,18}")) {
      return Long.valueOf(word);
    }
    if (!word.matches("true|false|null|-?[0-9.eE+-]+")) {
      throw new IllegalArgumentException();
    }
    return word.equals("true");
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    for (char c = raw(); c != '"'; c = raw()) {
      string.append(c == '\\' ? escaped() : c);
    }
    return string.toString();
  }

  private char escaped() {
    char c = raw();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        if (at + 4 > text.length()) {
          throw new IllegalArgumentException();
        }
        at += 4;
        yield (char) Integer.parseInt(text, at - 4, at, 16);
      }
      default -> throw new IllegalArgumentException();
    };
  }

  private void expect(char wanted) {
    if (next() != wanted) {
      throw new IllegalArgumentException();
    }
  }

  /** The next character that is not a space. */
  private char next() {
    char c = peek();
    at++;
    return c;
  }

  private char peek() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
    if (at == text.length()) {
      throw new IllegalArgumentException();
    }
    return text.charAt(at);
  }

  private char raw() {
    if (at == text.length()) {
      throw new IllegalArgumentException();
    }
    return text.charAt(at++);
  }
}
