package dev.portolan.text.syntax;

/** Texts of other people, made fit for a message or a file. */
public final class DoubleQuotes {
  private static final int LONGEST = 80;

  private DoubleQuotes() {}

  /** {@code text} in double quotes on one line, cut to a readable length. */
  public static String quote(String text) {
    if (text.codePointCount(0, text.length()) <= LONGEST) {
      return exact(text);
    }
    return exact(text.substring(0, text.offsetByCodePoints(0, LONGEST))) + "…";
  }

  /** {@code text} in double quotes, as YAML and JSON both read it back for printable texts. */
  public static String exact(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(c -> {
          if (c == '"' || c == '\\') {
            quoted.append('\\').appendCodePoint(c);
          } else if (c == '\n') {
            quoted.append("\\n");
          } else if (c == '\t') {
            quoted.append("\\t");
          } else if (c >= ' ' && c <= '~') {
            quoted.appendCodePoint(c);
          } else if (c > 0xffff) {
            quoted.append(String.format("\\U%08x", c));
          } else {
            quoted.append(String.format("\\u%04x", c));
          }
        });
    return quoted.append('"').toString();
  }
}
