package dev.portolan.compare.decisions;

import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Differences of lists that are in order, as those of endpoints and addresses are. */
final class Sorted {
  private Sorted() {}

  /** Notes what {@code these} have and {@code others} do not, on the nodes {@code where}. */
  static <T extends Comparable<? super T>> void difference(
      List<T> these, List<T> others, BitSet where, Map<T, BitSet> found) {
    int j = 0;
    for (T one : these) {
      while (j < others.size() && others.get(j).compareTo(one) < 0) {
        j++;
      }
      if (j == others.size() || others.get(j).compareTo(one) != 0) {
        found.computeIfAbsent(one, key -> new BitSet()).or(where);
      }
    }
  }
}
