package dev.portolan.core.fate;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.NodeFacts;
import java.util.List;
import java.util.Optional;

/**
 * What the rules of a node can tell of a client.
 *
 * @param pod whether the detector takes it for one of this node's pods
 * @param host whether its address is one of the node's own
 * @param here whether it is on this node, even if no detector can tell
 * @param range the addresses that it may have: one, or a range; empty where it is unknown
 */
public record KnownClient(boolean pod, boolean host, boolean here, Optional<Cidr> range) {
  /** The client at {@code address}. */
  public static KnownClient at(Ip address, boolean pod, NodeFacts facts) {
    boolean host = isHost(address, facts);
    return new KnownClient(pod, host, pod || host, Optional.of(Cidr.only(address)));
  }

  /** A client outside of the node. */
  public static KnownClient outside(Optional<Cidr> range) {
    return new KnownClient(false, false, false, range);
  }

  /** Whether {@code address} is one of the node's own. */
  public static boolean isHost(Ip address, NodeFacts facts) {
    return address.isLoopback() || facts.addresses().contains(address);
  }

  /** Whether every address that it may have lies in one of {@code ranges}. */
  boolean isWithin(List<Cidr> ranges) {
    return range.isPresent() && ranges.stream().anyMatch(allowed -> allowed.contains(range.get()));
  }

  /** Whether it is {@code address}, and nothing else. */
  boolean is(Ip address) {
    return range.isPresent() && range.get().equals(Cidr.only(address));
  }
}
