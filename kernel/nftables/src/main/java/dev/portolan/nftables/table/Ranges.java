package dev.portolan.nftables.table;

import dev.portolan.core.net.Cidr;
import java.util.ArrayList;
import java.util.List;

/** Ranges of addresses. */
public final class Ranges {
  private Ranges() {}

  /**
   * The same addresses in ranges of which none holds another: sets of the kernel take no overlap.
   */
  public static List<Cidr> disjoint(List<Cidr> ranges) {
    List<Cidr> kept = new ArrayList<>();
    for (Cidr range : ranges.stream().distinct().sorted().toList()) {
      // In this order a range follows those that hold it, and nothing outside of them is between.
      if (kept.isEmpty() || !kept.getLast().contains(range)) {
        kept.add(range);
      }
    }
    return kept;
  }
}
