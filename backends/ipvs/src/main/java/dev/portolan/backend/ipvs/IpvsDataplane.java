package dev.portolan.backend.ipvs;

import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;

/**
 * Services are virtual servers with addresses of the node. Each has one list of endpoints for all
 * its clients: those of the node where the policy is Local and it has some, otherwise those of all
 * nodes.
 */
record IpvsDataplane() implements Dataplane {
  @Override
  public String name() {
    return "ipvs";
  }

  @Override
  public boolean hasOneListForAll() {
    return true;
  }

  @Override
  public Route route(ServicePort port, Traffic traffic) {
    Route decided = port.route(traffic);
    if (decided.verdict() != Verdict.DROP) {
      return decided;
    }
    return port.cluster().isEmpty()
        ? new Route(Verdict.REJECT, decided.pool(), decided.masquerade())
        : new Route(Verdict.FORWARD, Pool.CLUSTER, decided.masquerade());
  }

  @Override
  public Verdict unassigned() {
    return Verdict.NONE;
  }

  @Override
  public boolean carriesAddresses() {
    return true;
  }
}
