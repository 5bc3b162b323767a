package dev.portolan.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the name that a misspelt word was meant to be. Upper and lower case do not count.
 *
 * <p>Our own rather than picocli's, which compares pairs of letters: it has nothing for {@code
 * --form} and suggests {@code cleanup} for {@code rnu}. Configuration files are read without it.
 */
public final class Spelling {
  private static final int MOST = 3;
  private static final int LONGEST = 100;

  private Spelling() {}

  /** The names nearest to {@code word} or starting with it, the nearest first; at most three. */
  public static List<String> near(String word, Collection<String> names) {
    return names.stream()
        .filter(name -> isNear(word, name) || name.startsWith(word))
        .sorted(byDistance(word))
        .limit(MOST)
        .toList();
  }

  /** The name nearest to {@code word}, if one is near enough to be meant. */
  public static Optional<String> nearest(String word, Collection<String> names) {
    return names.stream().filter(name -> isNear(word, name)).min(byDistance(word));
  }

  private static boolean isNear(String word, String name) {
    return word.length() <= LONGEST && distance(word, name) <= Math.max(2, word.length() / 3);
  }

  private static Comparator<String> byDistance(String word) {
    return Comparator.<String>comparingInt(name -> distance(word, name))
        .thenComparing(Comparator.naturalOrder());
  }

  /** How many letters are to be put in, taken out, changed or swapped with the next one. */
  static int distance(String one, String two) {
    String from = one.toLowerCase(Locale.ROOT);
    String to = two.toLowerCase(Locale.ROOT);
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int changed = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        int least = cost[i - 1][j - 1] + changed;
        least = Math.min(least, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          least = Math.min(least, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = least;
      }
    }
    return cost[from.length()][to.length()];
  }
}
