package dev.portolan.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the names that a misspelt one may stand for.
 *
 * <p>Our own rather than picocli's, which compares pairs of letters: it has nothing for {@code
 * --form} and suggests {@code cleanup} for {@code rnu}.
 */
final class Spelling {
  private static final int MOST = 3;

  private Spelling() {}

  /** The names nearest to {@code word}, the nearest first; none where all are far away. */
  static List<String> near(String word, Collection<String> names) {
    int far = Math.max(2, word.length() / 3);
    return names.stream()
        .filter(name -> distance(word, name) <= far || name.startsWith(word))
        .sorted(
            Comparator.comparingInt((String name) -> distance(word, name))
                .thenComparing(Comparator.naturalOrder()))
        .limit(MOST)
        .toList();
  }

  /** How many letters are to be put in, taken out, changed or swapped with the next one. */
  static int distance(String from, String to) {
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
