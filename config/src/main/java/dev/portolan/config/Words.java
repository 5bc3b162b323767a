package dev.portolan.config;

import java.util.regex.Pattern;

/** Names that need no quotes. */
final class Words {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9./_-]*");

  private Words() {}

  /** Whether YAML reads {@code text} as this text without quotes. */
  static boolean isPlain(String text) {
    return PLAIN.matcher(text).matches()
        && ScalarKind.of(text) == ScalarKind.TEXT
        && !text.equals("y")
        && !text.equals("Y")
        && !text.equals("n")
        && !text.equals("N");
  }
}
