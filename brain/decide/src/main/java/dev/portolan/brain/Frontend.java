package dev.portolan.brain;

import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import java.util.List;

/**
 * Where clients find one service port in one family, and what its object asks for. The same on
 * every node.
 *
 * @param addresses the cluster IP first
 */
public record Frontend(
    ServicePortName name,
    List<ServiceAddress> addresses,
    List<Cidr> sourceRanges,
    TrafficPolicy internalPolicy,
    TrafficPolicy externalPolicy,
    int affinitySeconds,
    BalancingRule balancing) {
  public Frontend {
    addresses = List.copyOf(addresses);
    sourceRanges = List.copyOf(sourceRanges);
  }

  /** The same with some of its addresses, in their order. */
  Frontend keeping(List<ServiceAddress> some) {
    return some.size() == addresses.size()
        ? this
        : new Frontend(
            name, some, sourceRanges, internalPolicy, externalPolicy, affinitySeconds, balancing);
  }

  /** The family of all its addresses. */
  public IpFamily family() {
    return addresses.getFirst().family();
  }

  /** Whether clients outside the cluster have an address to use. */
  boolean isExternallyAccessible() {
    return addresses.getLast().isExternal();
  }

  /** Which endpoints the policies leave to {@code traffic}. */
  public Pool pool(Traffic traffic) {
    return switch (traffic) {
      case INTERNAL -> pool(internalPolicy);
      case EXTERNAL -> pool(externalPolicy);
      case SHORT_CIRCUIT -> Pool.CLUSTER;
    };
  }

  private static Pool pool(TrafficPolicy policy) {
    return switch (policy) {
      case CLUSTER -> Pool.CLUSTER;
      case LOCAL -> Pool.LOCAL;
    };
  }

  /** Whether some traffic may go to endpoints on any node. */
  boolean usesClusterEndpoints() {
    return internalPolicy == TrafficPolicy.CLUSTER || isExternallyAccessible();
  }

  /** Whether some traffic must go to endpoints on this node. */
  boolean usesLocalEndpoints() {
    return internalPolicy == TrafficPolicy.LOCAL
        || (externalPolicy == TrafficPolicy.LOCAL && isExternallyAccessible());
  }
}
