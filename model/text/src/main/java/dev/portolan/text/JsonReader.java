package dev.portolan.text;

import dev.portolan.core.text.Quotes;
import java.util.regex.Pattern;

/**
 * Reads the documents of a JSON text, one after the other.
 *
 * <p>JSON is YAML too, but a whole cluster printed as JSON is big, and this reads it in a third of
 * the time; docs/performance.md has what that is for a command.
 */
final class JsonReader {
  static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

  private final String text;
  private final TreeBuilder tree;
  private int position;
  private int line = 1;
  private int lineStart;

  private JsonReader(String text, TreeBuilder tree) {
    this.text = text;
    this.tree = tree;
  }

  /** Hands the documents in {@code text} to {@code tree}. */
  static void read(String text, TreeBuilder tree) {
    JsonReader reader = new JsonReader(text, tree);
    reader.skipSpace();
    while (reader.position < text.length()) {
      reader.value();
      reader.tree.endDocument();
      reader.skipSpace();
    }
  }

  /** Whether {@code text} looks like JSON from its first character. */
  static boolean looksLike(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isSpace(c)) {
        return c == '{' || c == '[';
      }
    }
    return false;
  }

  private void value() {
    switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> word();
    }
  }

  private void object() {
    tree.mapping(null, null, line, column());
    position++;
    skipSpace();
    if (peek() != '}') {
      while (true) {
        if (peek() != '"') {
          throw expected("a key in double quotes");
        }
        string();
        skipSpace();
        take(':', "':' after the key");
        skipSpace();
        value();
        skipSpace();
        if (peek() == '}') {
          break;
        }
        take(',', "',' or '}'");
        skipSpace();
      }
    }
    position++;
    tree.end();
  }

  private void array() {
    tree.sequence(null, null, line, column());
    position++;
    skipSpace();
    if (peek() != ']') {
      while (true) {
        value();
        tree.reached(position);
        skipSpace();
        if (peek() == ']') {
          break;
        }
        take(',', "',' or ']'");
        skipSpace();
      }
    }
    position++;
    tree.end();
  }

  private void string() {
    int startColumn = column();
    int start = ++position;
    while (position < text.length()) {
      char c = text.charAt(position);
      if (c == '"') {
        add(text.substring(start, position++), true, startColumn);
        return;
      }
      if (c == '\\' || c < ' ') {
        stringWithEscapes(start, startColumn);
        return;
      }
      if (position++ - start == YamlReader.LONGEST_VALUE) {
        throw tree.wrong(line, startColumn, YamlReader.TOO_LONG);
      }
    }
    throw expected("the '\"' that ends the string");
  }

  private void stringWithEscapes(int start, int startColumn) {
    StringBuilder value = new StringBuilder().append(text, start, position);
    while (position < text.length()) {
      char c = text.charAt(position);
      if (c < ' ') {
        throw expected("an escape such as \\n in place of a control character");
      }
      position++;
      if (c == '"') {
        add(value.toString(), true, startColumn);
        return;
      }
      value.append(c == '\\' ? escaped() : c);
      if (value.length() > YamlReader.LONGEST_VALUE) {
        throw tree.wrong(line, startColumn, YamlReader.TOO_LONG);
      }
    }
    throw expected("the '\"' that ends the string");
  }

  private char escaped() {
    char c = peek();
    position++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> hex();
      default -> {
        position--;
        throw expected("one of \" \\ / b f n r t u after the backslash");
      }
    };
  }

  private char hex() {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      char c = peek();
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw expected("four hexadecimal digits after \\u");
      }
      code = code << 4 | digit;
      position++;
    }
    return (char) code;
  }

  private void word() {
    int startColumn = column();
    int start = position;
    while (position < text.length() && isWord(text.charAt(position))) {
      if (position++ - start == YamlReader.LONGEST_VALUE) {
        throw tree.wrong(line, startColumn, YamlReader.TOO_LONG);
      }
    }
    String word = text.substring(start, position);
    boolean literal = word.equals("true") || word.equals("false") || word.equals("null");
    if (!literal && !NUMBER.matcher(word).matches()) {
      position = start;
      throw expected("a value");
    }
    add(word, false, startColumn);
  }

  private void add(String value, boolean quoted, int startColumn) {
    tree.scalar(value, quoted, null, null, line, startColumn);
  }

  private void take(char wanted, String name) {
    if (peek() != wanted) {
      throw expected(name);
    }
    position++;
  }

  private void skipSpace() {
    while (position < text.length()) {
      char c = text.charAt(position);
      if (!isSpace(c)) {
        return;
      }
      position++;
      if (c == '\n') {
        line++;
        lineStart = position;
      }
    }
  }

  /** The next character, or NUL at the end; NUL itself is not part of JSON. */
  private char peek() {
    return position < text.length() ? text.charAt(position) : '\0';
  }

  private int column() {
    return position - lineStart + 1;
  }

  private RuntimeException expected(String what) {
    String found =
        position < text.length()
            ? "found '" + Quotes.brief(text.substring(position, position + 1)) + "'"
            : "the file ends";
    return tree.wrong(line, column(), "not valid JSON: expected " + what + ", " + found);
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  private static boolean isWord(char c) {
    return "+-.".indexOf(c) >= 0 || (c < 128 && Character.isLetterOrDigit(c));
  }
}
