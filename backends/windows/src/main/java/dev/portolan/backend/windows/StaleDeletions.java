package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.HcnException;
import dev.portolan.backend.windows.hcn.HcnFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What could not be deleted. It does little harm: it is tried again later, some at a time, and the
 * rest goes on.
 */
final class StaleDeletions {
  /** How many are tried again at once. */
  private static final int AT_ONCE = 20;

  private final Map<UUID, Stale> left = new LinkedHashMap<>();

  /** Something that could not be deleted, and how to try it again. */
  private record Stale(String sentence, Runnable delete) {}

  /**
   * Takes note of something that could not be deleted.
   *
   * @param what such as {@code load balancer 706f7274-…}
   */
  void add(UUID id, String what, HcnException refused, Runnable again) {
    switch (refused.failure()) {
      case NOT_RUNNING, NETWORK_NOT_FOUND, DENIED -> throw WindowsProblems.failure(refused);
      default -> {
        String sentence = "cannot delete " + what + ": " + refused.getMessage();
        left.put(id, new Stale(sentence + "; it is tried again", again));
      }
    }
  }

  /** Tries some again. */
  void retry() {
    for (UUID id : left.keySet().stream().limit(AT_ONCE).toList()) {
      Stale one = left.remove(id);
      if (one == null) {
        continue;
      }
      try {
        one.delete().run();
      } catch (HcnException e) {
        // At the end, so that the next ones get their turn.
        left.put(id, one);
        if (e.failure() == HcnFailure.NOT_RUNNING) {
          throw WindowsProblems.failure(e);
        }
      }
    }
  }

  /** Something is gone, or wanted again. */
  void remove(UUID id) {
    left.remove(id);
  }

  /** Everything is read again, and with it what is left. */
  void clear() {
    left.clear();
  }

  /** What is left. */
  Set<UUID> ids() {
    return Set.copyOf(left.keySet());
  }

  /** What is left, in sentences. */
  List<String> sentences() {
    return left.values().stream().map(Stale::sentence).toList();
  }
}
