package dev.portolan.backend.nftables;

import static dev.portolan.nftables.table.PacketField.DESTINATION;
import static dev.portolan.nftables.table.PacketField.PORT;
import static dev.portolan.nftables.table.PacketField.PROTOCOL;

import dev.portolan.core.net.IpFamily;
import dev.portolan.nftables.table.KernelTables;
import dev.portolan.nftables.table.SetType;
import dev.portolan.nftables.table.TableState;
import java.util.Arrays;

/**
 * The maps in which a connection finds its service.
 *
 * <p>The kernel cannot start to count in a map that does not count yet, so maps that count have
 * other names. Switching to them is a change like any other: packets use the old maps until the
 * rules lead to the new ones, and the old ones go with the next transaction.
 *
 * @param serviceIps how each service address is served
 * @param nodePorts how each nodePort is served
 * @param noEndpoints what becomes of connections to service addresses without endpoints
 * @param noEndpointsNodePorts the same for nodePorts
 * @param count whether their elements count connections
 */
record ServiceMaps(
    String serviceIps,
    String nodePorts,
    String noEndpoints,
    String noEndpointsNodePorts,
    boolean count) {
  private static final ServiceMaps PLAIN = named("", false);
  private static final ServiceMaps COUNTING = named("-counted", true);

  /** The maps that count, or those that do not. */
  static ServiceMaps counting(boolean whether) {
    return whether ? COUNTING : PLAIN;
  }

  /** Whether the tables that are {@code there} count. */
  static boolean count(KernelTables there) {
    return Arrays.stream(IpFamily.values())
        .flatMap(family -> there.sets(family).stream())
        .anyMatch(set -> set.name().equals(COUNTING.serviceIps));
  }

  private static ServiceMaps named(String suffix, boolean count) {
    return new ServiceMaps(
        "service-ips" + suffix,
        "nodeports" + suffix,
        "no-endpoints" + suffix,
        "no-endpoints-nodeports" + suffix,
        count);
  }

  /** Adds them to {@code table}, empty. */
  void lay(TableState table) {
    table.add(
        serviceIps,
        SetType.verdicts("how each service address is served", DESTINATION, PROTOCOL, PORT)
            .counting(count));
    table.add(
        nodePorts, SetType.verdicts("how each nodePort is served", PROTOCOL, PORT).counting(count));
    table.add(
        noEndpoints,
        SetType.verdicts("service addresses without endpoints", DESTINATION, PROTOCOL, PORT)
            .counting(count));
    table.add(
        noEndpointsNodePorts,
        SetType.verdicts("nodePorts without endpoints", PROTOCOL, PORT).counting(count));
  }
}
