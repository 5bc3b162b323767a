package dev.portolan.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names: which need no quotes, and which is closest to a misspelt one. */
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

  /** The known name that is nearest to {@code word}, if one is near enough to be a slip. */
  static Optional<String> nearest(String word, Collection<String> known) {
    if (word.length() > 100) {
      return Optional.empty();
    }
    return known.stream()
        .min(Comparator.<String>comparingInt(name -> distance(word, name)).thenComparing(n -> n))
        .filter(name -> distance(word, name) <= Math.max(2, word.length() / 3));
  }

  /** How many letters differ; upper and lower case do not. */
  private static int distance(String one, String two) {
    int[] row = new int[two.length() + 1];
    for (int j = 0; j <= two.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= two.length(); j++) {
        boolean same =
            Character.toLowerCase(one.charAt(i - 1)) == Character.toLowerCase(two.charAt(j - 1));
        int change = diagonal + (same ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[two.length()];
  }
}
