package dev.portolan.walk;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Verdict;
import java.util.List;

/**
 * What rules do with a packet. Where they draw at random, every way is followed.
 *
 * @param verdict {@code forward} where it is sent to an endpoint, {@code none} where no rule
 *     changes or ends it
 * @param ways where it may be sent; empty unless it is forwarded
 * @param steps what it met, in order, along the first way
 * @param remark what does not fit into the rest, such as a rule that cannot be understood or ways
 *     that end differently; a result that has one agrees with no decision
 */
public record WalkResult(Verdict verdict, List<Way> ways, List<WalkStep> steps, String remark) {
  /**
   * One endpoint that the packet may be sent to.
   *
   * @param masquerade whether its source becomes an address of the node
   * @param share of new connections, between 0 and 1
   * @param remembered whether a client that comes back goes there again
   */
  public record Way(Ip address, int port, boolean masquerade, double share, boolean remembered) {}

  public WalkResult {
    ways = List.copyOf(ways);
    steps = List.copyOf(steps);
  }
}
