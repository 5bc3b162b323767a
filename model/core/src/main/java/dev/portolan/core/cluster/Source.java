package dev.portolan.core.cluster;

import dev.portolan.core.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Where a cluster is read from: a folder, an API server, another brain.
 *
 * <p>A source hands over the whole cluster each time: first when all of it is known, then after
 * each change. Successive images share what did not change, so that comparing them costs little. It
 * calls from one thread at a time.
 */
public interface Source {
  /** Reads until the thread is interrupted; returns earlier only if the source has an end. */
  void run(Sink sink) throws InterruptedException;

  /**
   * Where an object of the newest good state is written, in words; empty where that says little.
   */
  default Optional<String> place(ObjectRef object) {
    return Optional.empty();
  }

  /**
   * The resourceVersion up to which each resource is known, by its plural; without those of which
   * none is known. It is asked for in {@link Sink#apply}.
   */
  default Map<String, String> versions() {
    return Map.of();
  }

  /**
   * How long the place that the cluster is read from has given no sign of life; zero while it does,
   * however quiet it is, and where that says nothing.
   */
  default Duration silence() {
    return Duration.ZERO;
  }

  /** What kind of place the cluster is read from. */
  default Kind kind() {
    return Kind.SERVER;
  }

  /** When the newest state was, where it was recorded; it is asked for in {@link Sink#apply}. */
  default Optional<Instant> recordedAt() {
    return Optional.empty();
  }

  /** Kinds of places; of several sources, the first of these that one of them has. */
  enum Kind {
    /** An API server, or another brain. */
    SERVER,
    /** Manifests. */
    FILES,
    RECORDING
  }

  /** Takes what a source reads. */
  interface Sink {
    /** Takes the cluster as it is now. */
    void apply(ClusterImage newest);

    /** Takes a sentence about something that could not be read; the last good state stays. */
    void report(String problem);

    /**
     * Takes a failure after which the source tries again by itself.
     *
     * @param meanwhile what applies until then, which means nothing to a sink that does not wait;
     *     empty where the problem says it
     */
    default void retrying(ErrorCode code, String problem, String meanwhile) {
      report(code.mark(meanwhile.isEmpty() ? problem : problem + "; " + meanwhile));
    }

    /** The source can be read again: what was handed over last is what there is now. */
    default void recovered() {}
  }
}
