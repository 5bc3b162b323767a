package dev.portolan.analyze;

import dev.portolan.core.text.Counted;
import java.util.List;

/** That a finding about one object is also about others, which are not listed one by one. */
public final class Others {
  private Others() {}

  /**
   * How many of {@code all} nodes are like the first of {@code concerned}; nothing if it is one.
   */
  public static String like(List<?> concerned, List<?> all) {
    return concerned.size() == 1
        ? ""
        : ", like " + (concerned.size() - 1) + " more of " + Counted.of(all.size(), "node");
  }
}
