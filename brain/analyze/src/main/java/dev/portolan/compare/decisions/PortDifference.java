package dev.portolan.compare.decisions;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePortName;
import java.util.List;
import java.util.function.Predicate;

/**
 * What differs for one port of a service in one family.
 *
 * @param clusterIp where it is, or was
 * @param nodes the nodes on which anything differs
 * @param stopped endpoints that do not serve any more: what becomes of connections to them depends
 *     on the protocol, see {@link #endsFlows}
 */
public record PortDifference(
    ServicePortName name,
    IpFamily family,
    ServiceAddress clusterIp,
    Presence presence,
    NodeSet nodes,
    List<AddressChange> addressesGained,
    List<AddressChange> addressesLost,
    List<PropertyChange> properties,
    List<TrafficDifference> traffic,
    List<EndpointChange> stopped) {
  public PortDifference {
    addressesGained = List.copyOf(addressesGained);
    addressesLost = List.copyOf(addressesLost);
    properties = List.copyOf(properties);
    traffic = List.copyOf(traffic);
    stopped = List.copyOf(stopped);
  }

  /**
   * Whether flows to endpoints that do not serve any more, and to addresses that are gone, are
   * ended at once. Connections of other protocols last for as long as both ends keep them.
   */
  public boolean endsFlows() {
    return name.protocol() == Protocol.UDP;
  }

  /** How much it matters. */
  public Gravity gravity() {
    if (verdictsMatch(VerdictChange::breaks)) {
      return Gravity.BREAKS;
    }
    if (verdictsMatch(VerdictChange::mends)) {
      return Gravity.MENDS;
    }
    return traffic.isEmpty() ? Gravity.ADJUSTS : Gravity.MOVES;
  }

  private boolean verdictsMatch(Predicate<VerdictChange> condition) {
    return traffic.stream().flatMap(kind -> kind.verdicts().stream()).anyMatch(condition);
  }
}
