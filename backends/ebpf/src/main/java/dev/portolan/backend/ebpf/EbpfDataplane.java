package dev.portolan.backend.ebpf;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.Optional;
import java.util.Set;

/**
 * Connects sockets where they can do by themselves what was decided; rules of nftables do the rest.
 *
 * @param listeners as those rules have it
 */
record EbpfDataplane(Optional<Set<IpFamily>> listeners) implements Dataplane {
  /**
   * Whether a socket that connects can do what was decided for {@code address} by itself. It cannot
   * masquerade, its address cannot be checked, it has no port yet to be hashed, and it is not known
   * whether it is a pod's.
   */
  static boolean suitsSockets(ServicePort port, ServiceAddress address, NodeFacts facts) {
    Route route = port.route(address.isExternal() ? Traffic.SHORT_CIRCUIT : Traffic.INTERNAL);
    boolean hashed =
        route.verdict() == Verdict.FORWARD
            && port.balancing().kind().hashes()
            && port.affinitySeconds() == 0;
    // The rules then treat pods as clients outside, and the node itself not: a socket is either.
    boolean ambiguous =
        address.isExternal()
            && port.routes().shortCircuits()
            && facts.detector(port.family()) instanceof LocalDetector.Undetected;
    return !facts.masqueradeAll()
        && port.name().protocol() != Protocol.SCTP
        && port.sourceRanges(address).isEmpty()
        && !ambiguous
        && !hashed;
  }

  @Override
  public String name() {
    return "ebpf";
  }

  @Override
  public boolean connectsSockets(ServicePort port, ServiceAddress address, NodeFacts facts) {
    return suitsSockets(port, address, facts);
  }
}
