package dev.portolan.core.text;

/**
 * Texts of other people, made fit for a message: on one line, and without anything that a terminal
 * or a log could take for more than text.
 */
public final class Quotes {
  private static final int LONGEST = 80;
  private static final char REPLACEMENT = '\ufffd';

  private Quotes() {}

  /** {@code text} in quotes: printable, and short enough to read. */
  public static String quote(String text) {
    return "'" + brief(text) + "'";
  }

  /** {@code text} printable, and cut to a readable length. */
  public static String brief(String text) {
    return text.length() <= LONGEST
        ? printable(text)
        : printable(text.substring(0, LONGEST)) + "… (" + text.length() + " characters)";
  }

  /** {@code text} with anything but printable characters replaced. */
  public static String printable(String text) {
    StringBuilder clean = null;
    for (int i = 0; i < text.length(); i++) {
      if (!isPrintable(text, i)) {
        if (clean == null) {
          clean = new StringBuilder(text);
        }
        clean.setCharAt(i, REPLACEMENT);
      }
    }
    return clean == null ? text : clean.toString();
  }

  /** Whether the character at {@code i} shows, and leaves the line and its direction alone. */
  private static boolean isPrintable(String text, int i) {
    return switch (Character.getType(codePoint(text, i))) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  /** What the character at {@code i} belongs to: half of a pair stands for the whole of it. */
  private static int codePoint(String text, int i) {
    boolean second = i > 0 && Character.isSurrogatePair(text.charAt(i - 1), text.charAt(i));
    return text.codePointAt(second ? i - 1 : i);
  }
}
