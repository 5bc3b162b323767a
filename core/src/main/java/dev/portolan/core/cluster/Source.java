package dev.portolan.core.cluster;

import java.util.Optional;

/**
 * Where a cluster is read from: a folder, an API server, another brain.
 *
 * <p>A source hands over the whole cluster in its first transaction, and only when all of it is
 * known; after that each change as a transaction of its own. It calls from one thread at a time.
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

  /** Takes what a source reads. */
  interface Sink {
    /** Takes the next transaction. */
    void apply(ClusterDelta transaction);

    /** Takes a sentence about something that could not be read; the last good state stays. */
    void report(String problem);
  }
}
