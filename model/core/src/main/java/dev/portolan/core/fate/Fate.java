package dev.portolan.core.fate;

import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a new connection.
 *
 * @param pool the endpoints that were looked at; empty where it was over before
 * @param shares where it may go; empty unless it is forwarded
 * @param turns what led there, in order
 */
public record Fate(Verdict verdict, Optional<Pool> pool, List<Share> shares, List<Turn> turns) {
  /**
   * An endpoint with its share of new connections.
   *
   * @param masquerade whether it sees the node's address in place of the client's
   */
  public record Share(Endpoint endpoint, double share, boolean masquerade) {}

  public Fate {
    shares = List.copyOf(shares);
    turns = List.copyOf(turns);
  }

  /** The fate of a connection that ends before endpoints are looked at. */
  public static Fate ended(Verdict verdict, Turn... turns) {
    return new Fate(verdict, Optional.empty(), List.of(), List.of(turns));
  }

  /** Whether a client that comes back goes to the endpoint that it had. */
  public boolean isKept() {
    return turns.stream().anyMatch(Turn.Kept.class::isInstance);
  }

  /** Whether shares are kept exactly; a hash of the client only comes near them. */
  public boolean isExact() {
    return !turns.contains(new Turn.Hashed(true));
  }
}
