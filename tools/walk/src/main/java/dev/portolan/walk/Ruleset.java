package dev.portolan.walk;

import dev.portolan.core.net.Cidr;
import java.util.Set;

/**
 * The rules of a node for services, as its kernel had them at one moment. It holds nothing open,
 * and any thread may walk through it.
 */
public interface Ruleset {
  /** What they are, for a person: {@code nftables, table kube-proxy}. */
  String description();

  /** The destinations that some rule names, whether or not a packet would get there. */
  Set<ServedPlace> served();

  /**
   * The ranges of clients that some rule names, so that clients can be chosen on either side of
   * each; empty where a kind of rules does not say.
   */
  default Set<Cidr> sources() {
    return Set.of();
  }

  /**
   * The same packet as it is sent where a process of the node does not choose the address that it
   * comes from; only where services' addresses are the node's own is that another one.
   */
  default FirstPacket connecting(FirstPacket packet) {
    return packet;
  }

  /** What becomes of {@code packet}. */
  WalkResult walk(FirstPacket packet);
}
