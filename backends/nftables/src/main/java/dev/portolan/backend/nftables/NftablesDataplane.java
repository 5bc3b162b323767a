package dev.portolan.backend.nftables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import java.util.Optional;
import java.util.Set;

/**
 * Does exactly what was decided.
 *
 * @param listeners the families in which the daemon listens on localhost; empty where it does not,
 *     and the rules leave localhost alone
 */
record NftablesDataplane(Optional<Set<IpFamily>> listeners) implements Dataplane {
  @Override
  public String name() {
    return "nftables";
  }
}
