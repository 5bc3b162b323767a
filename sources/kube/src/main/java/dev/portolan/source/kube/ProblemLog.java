package dev.portolan.source.kube;

import dev.portolan.core.error.ErrorCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Reports what is wrong between this source and its server: once when it begins and once when it is
 * over, and not at each attempt in between.
 */
final class ProblemLog {
  private static final int MOST_SENTENCES = 20;

  private final String server;
  private final ClusterCache cluster;
  private final LongSupplier nanoTime;
  private final Map<String, String> open = new HashMap<>();
  private final Set<String> reported = new HashSet<>();
  private final Set<String> notes = new HashSet<>();
  private long since;

  ProblemLog(String server, ClusterCache cluster, LongSupplier nanoTime) {
    this.server = server;
    this.cluster = cluster;
    this.nanoTime = nanoTime;
  }

  /** Something went wrong again for {@code resource}. */
  synchronized void add(String resource, ErrorCode code, String problem) {
    if (open.isEmpty()) {
      since = nanoTime.getAsLong();
    }
    open.put(resource, problem);
    if (reported.size() < MOST_SENTENCES && reported.add(problem)) {
      cluster.retrying(
          code,
          problem,
          cluster.isComplete()
              ? "retrying, with the last known state in effect"
              : "retrying, with no state yet");
    }
  }

  /** All is well for {@code resource}. */
  synchronized void remove(String resource) {
    if (open.remove(resource) != null && open.isEmpty()) {
      reported.clear();
      Duration lasted = Duration.ofNanos(nanoTime.getAsLong() - since);
      cluster.report(server + " answers again after " + lasted.toSeconds() + " s");
      cluster.recovered();
    }
  }

  /** Reports, once, something that is not a failure but worth knowing. */
  synchronized void note(String sentence) {
    if (notes.size() < MOST_SENTENCES && notes.add(sentence)) {
      cluster.report(sentence);
    }
  }
}
