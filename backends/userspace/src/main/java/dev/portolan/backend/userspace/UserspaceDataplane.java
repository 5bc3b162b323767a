package dev.portolan.backend.userspace;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import java.util.Optional;
import java.util.Set;

/**
 * A proxy stands between clients and endpoints of TCP and UDP; rules do the rest.
 *
 * @param listeners as those rules have it
 */
record UserspaceDataplane(Optional<Set<IpFamily>> listeners) implements Dataplane {
  @Override
  public String name() {
    return "userspace";
  }

  @Override
  public boolean relays(Protocol protocol) {
    return protocol != Protocol.SCTP;
  }
}
