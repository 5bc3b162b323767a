package dev.portolan.text.syntax;

import java.util.regex.Pattern;

/** Names that need no quotes. */
public final class PlainWords {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9./_-]*");

  private PlainWords() {}

  /** Whether YAML reads {@code text} as this text without quotes. */
  public static boolean isPlain(String text) {
    return PLAIN.matcher(text).matches()
        && ScalarKind.of(text) == ScalarKind.TEXT
        && !text.equals("y")
        && !text.equals("Y")
        && !text.equals("n")
        && !text.equals("N");
  }
}
