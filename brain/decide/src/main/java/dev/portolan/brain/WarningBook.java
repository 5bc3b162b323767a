package dev.portolan.brain;

import dev.portolan.core.cluster.Warning;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reports each warning once, when it first applies, and again only after it was gone in between. If
 * a subject has many, the first few are reported, and how many more there are.
 */
final class WarningBook {
  private static final int MOST = 20;

  private final Map<Object, Set<Warning>> bySubject = new HashMap<>();
  private final Map<Warning, Integer> open = new HashMap<>();
  private final Consumer<Warning> listener;

  WarningBook(Consumer<Warning> listener) {
    this.listener = listener;
  }

  /** Replaces the warnings about {@code subject}, and reports those that are new. */
  void update(Object subject, List<Warning> warnings) {
    if (warnings.isEmpty() && !bySubject.containsKey(subject)) {
      return;
    }
    Set<Warning> after = shortened(warnings);
    Set<Warning> before =
        after.isEmpty() ? bySubject.remove(subject) : bySubject.put(subject, after);
    for (Warning warning : after) {
      if (open.merge(warning, 1, Integer::sum) == 1) {
        listener.accept(warning);
      }
    }
    if (before != null) {
      for (Warning warning : before) {
        open.computeIfPresent(warning, (key, count) -> count == 1 ? null : count - 1);
      }
    }
  }

  private static Set<Warning> shortened(List<Warning> warnings) {
    Set<Warning> distinct = new LinkedHashSet<>(warnings);
    if (distinct.size() <= MOST) {
      return distinct;
    }
    Set<Warning> first = new LinkedHashSet<>();
    for (Warning warning : distinct) {
      if (first.size() == MOST) {
        String more = "and " + (distinct.size() - MOST) + " more like these";
        first.add(new Warning(warning.object(), "", more));
        break;
      }
      first.add(warning);
    }
    return first;
  }
}
