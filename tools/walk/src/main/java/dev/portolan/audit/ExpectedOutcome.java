package dev.portolan.audit;

import dev.portolan.core.node.Verdict;
import java.util.Map;
import java.util.Optional;

/**
 * What is to become of a packet.
 *
 * @param goals where it may be sent; empty unless it is forwarded
 * @param affinity whether a client that comes back goes there again
 * @param exact whether shares are kept exactly; a hash of the client only comes near them
 */
record ExpectedOutcome(
    Verdict verdict, Map<EndpointKey, Goal> goals, boolean affinity, boolean exact) {
  /**
   * What is to become of packets that one endpoint gets.
   *
   * @param masquerade whether they are masqueraded; empty where it does not matter
   */
  record Goal(double share, Optional<Boolean> masquerade) {}

  /** That it ends, or that no rule does anything with it. */
  static ExpectedOutcome ended(Verdict verdict) {
    return new ExpectedOutcome(verdict, Map.of(), false, true);
  }
}
