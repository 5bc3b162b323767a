package dev.portolan.source.kube;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What is wrong between this source and its server, told once when it begins and once when it is
 * over, and not at each attempt in between.
 */
final class Troubles {
  private static final int MOST_SENTENCES = 20;

  private final String server;
  private final ClusterHold hold;
  private final LongSupplier nanoTime;
  private final Map<String, String> open = new HashMap<>();
  private final Set<String> told = new HashSet<>();
  private final Set<String> oddities = new HashSet<>();
  private long since;

  Troubles(String server, ClusterHold hold, LongSupplier nanoTime) {
    this.server = server;
    this.hold = hold;
    this.nanoTime = nanoTime;
  }

  /** Something went wrong again for {@code resource}. */
  synchronized void add(String resource, String problem) {
    if (open.isEmpty()) {
      since = nanoTime.getAsLong();
    }
    open.put(resource, problem);
    if (told.size() < MOST_SENTENCES && told.add(problem)) {
      hold.report(
          problem
              + (hold.isComplete()
                  ? "; it is tried again, and until then the last state stays"
                  : "; it is tried again, and until then there is no state"));
    }
  }

  /** All is well for {@code resource}. */
  synchronized void remove(String resource) {
    if (open.remove(resource) != null && open.isEmpty()) {
      told.clear();
      Duration lasted = Duration.ofNanos(nanoTime.getAsLong() - since);
      hold.report(server + " answers again after " + lasted.toSeconds() + " s");
    }
  }

  /** Something that is no failure and worth a sentence, once. */
  synchronized void note(String sentence) {
    if (oddities.size() < MOST_SENTENCES && oddities.add(sentence)) {
      hold.report(sentence);
    }
  }
}
