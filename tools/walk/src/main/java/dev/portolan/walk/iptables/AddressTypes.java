package dev.portolan.walk.iptables;

import dev.portolan.core.net.Ip;
import dev.portolan.walk.NodeNetwork;
import java.util.List;
import java.util.Set;

/** The types of {@code -m addrtype}, as the routes of a host tell them apart. */
final class AddressTypes {
  private static final Set<String> KNOWN =
      Set.of("UNSPEC", "UNICAST", "LOCAL", "BROADCAST", "MULTICAST");
  private static final Ip BROADCAST = Ip.of("255.255.255.255");

  private AddressTypes() {}

  /** Adds a remark for types that cannot be determined here. */
  static void check(String types) {
    if (!KNOWN.containsAll(List.of(types.split(",", -1)))) {
      throw new IllegalArgumentException("not a known type of address: " + types);
    }
  }

  /** Whether {@code address} is of one of {@code types}. */
  static boolean has(String types, Ip address, NodeNetwork network) {
    String type =
        address.isUnspecified()
            ? "UNSPEC"
            : network.isLocal(address)
                ? "LOCAL"
                : address.isMulticast()
                    ? "MULTICAST"
                    : address.equals(BROADCAST) ? "BROADCAST" : "UNICAST";
    return types.equals(type) || List.of(types.split(",", -1)).contains(type);
  }
}
