package dev.portolan.walk.nft;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What is found out along all ways of one packet. */
final class Journal {
  private final Set<String> remarks = new LinkedHashSet<>();
  private final Map<String, Set<String>> returns = new HashMap<>();

  /** Notes what keeps the result from being certain. */
  void remark(String text) {
    remarks.add(text);
  }

  /** Notes that a client that {@code set} remembers is sent to {@code endpoint}. */
  void returnsTo(String set, String endpoint) {
    returns.computeIfAbsent(set, key -> new HashSet<>()).add(endpoint);
  }

  /** Whether a client that {@code set} remembers is sent to {@code endpoint} and nowhere else. */
  boolean isRemembered(String set, String endpoint) {
    return returns.getOrDefault(set, Set.of()).equals(Set.of(endpoint));
  }

  Set<String> remarks() {
    return remarks;
  }
}
