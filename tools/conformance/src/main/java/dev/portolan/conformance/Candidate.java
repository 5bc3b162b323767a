package dev.portolan.conformance;

import dev.portolan.api.transport.Address;
import dev.portolan.lab.Namespace;
import java.util.List;
import java.util.Optional;

/** A backend that is put to the test, as something that can be started. */
@FunctionalInterface
public interface Candidate {
  /** Starts it; from then on it follows the brain at {@code place}, which may not be there yet. */
  Running start(Place place);

  /**
   * Where a candidate works.
   *
   * @param api where the brain listens
   * @param node the node to follow
   * @param namespace the network namespace to work in; empty for that of this process
   */
  record Place(Address api, String node, Optional<Namespace> namespace) {}

  /** A candidate at work. */
  interface Running extends AutoCloseable {
    /** Why it has ended; empty while it goes on. */
    Optional<String> ended();

    /**
     * What it has programmed, in the lines of {@link StateComparison#lines} in any order; empty if
     * it cannot say. The line of its node facts may be left out.
     */
    Optional<List<String>> state();

    /** The line of what it has printed that best explains what is wrong, if it printed any. */
    default Optional<String> complaint() {
      return Optional.empty();
    }

    /** Ends it; what it has programmed may stay. */
    @Override
    void close();
  }
}
