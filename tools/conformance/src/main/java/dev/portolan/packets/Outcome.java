package dev.portolan.packets;

import dev.portolan.core.node.Verdict;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What happens to new connections from one place to another.
 *
 * @param verdict forwarded, rejected, dropped, or left alone
 * @param endpoints where they may go, by {@link Endpoints} names, and whether masqueraded there
 * @param sticky whether a client that comes back goes where it went before
 * @param remark what does not fit into the rest; an outcome that has one agrees with no other
 */
public record Outcome(
    Verdict verdict, SortedMap<String, Boolean> endpoints, boolean sticky, String remark) {
  public Outcome {
    endpoints = Collections.unmodifiableSortedMap(new TreeMap<>(endpoints));
  }

  /** It is rejected, dropped, or left alone. */
  public static Outcome ended(Verdict verdict) {
    return new Outcome(verdict, new TreeMap<>(), false, "");
  }

  /** It is forwarded. */
  public static Outcome forwarded(Map<String, Boolean> endpoints, boolean sticky) {
    return new Outcome(Verdict.FORWARD, new TreeMap<>(endpoints), sticky, "");
  }

  /** Something that no row can expect. */
  public static Outcome strange(String remark) {
    return new Outcome(Verdict.NONE, new TreeMap<>(), false, remark);
  }

  /** The same, masqueraded to all endpoints or to none. */
  public Outcome masqueraded(boolean everywhere) {
    SortedMap<String, Boolean> same = new TreeMap<>(endpoints);
    same.replaceAll((_, _) -> everywhere);
    return new Outcome(verdict, same, sticky, remark);
  }

  /** Whether this is what {@code expected} says. */
  public boolean agreesWith(Outcome expected) {
    return remark.isEmpty() && equals(expected);
  }

  /** As a packet table writes it. */
  @Override
  public String toString() {
    if (!remark.isEmpty()) {
      return remark;
    }
    if (verdict != Verdict.FORWARD) {
      return verdict.toString();
    }
    List<String> masqueraded =
        endpoints.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
    String masquerade =
        masqueraded.isEmpty()
            ? " not-masqueraded"
            : masqueraded.size() == endpoints.size()
                ? " masqueraded"
                : " masqueraded-to " + String.join(",", masqueraded);
    return String.join(",", endpoints.keySet()) + masquerade + (sticky ? " sticky" : "");
  }
}
