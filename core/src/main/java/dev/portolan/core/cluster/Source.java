package dev.portolan.core.cluster;

/**
 * Where a cluster is read from: a folder, an API server, another brain.
 *
 * <p>A source hands over the whole cluster in its first transaction, and only when all of it is
 * known; after that each change as a transaction of its own. It calls from one thread at a time.
 */
public interface Source {
  /** Reads until the thread is interrupted; returns earlier only if the source has an end. */
  void run(Sink sink) throws InterruptedException;

  /** Takes what a source reads. */
  interface Sink {
    /** Takes the next transaction. */
    void apply(ClusterDelta transaction);

    /** Takes a sentence about something that could not be read; the last good state stays. */
    void report(String problem);
  }
}
