package dev.portolan.takeover;

import dev.portolan.core.backend.BackendException;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for what kube-proxy left. The order of what is found is that of its removal: sets come
 * after the rules that use them.
 */
public final class Takeover {
  private Takeover() {}

  /** Looks into every place where some mode of kube-proxy keeps something; changes nothing. */
  public static Leftovers find(TakeoverOptions options) {
    List<Leftover> found = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    look(found, unknown, "nftables tables", () -> ProxyTable.find(options));
    for (AddressFamily family : AddressFamily.values()) {
      look(found, unknown, "iptables chains of " + family, () -> NftChains.find(options, family));
      look(
          found,
          unknown,
          "iptables-legacy chains of " + family,
          () -> LegacyChains.find(options, family));
    }
    look(found, unknown, "IPVS services", () -> IpvsServices.find(options));
    look(found, unknown, "ipset sets", () -> ProxySets.find(options));
    return new Leftovers(found, unknown);
  }

  private interface Place {
    List<? extends Leftover> find();
  }

  private static void look(List<Leftover> found, List<String> unknown, String what, Place place) {
    try {
      found.addAll(place.find());
    } catch (NetlinkException | BackendException e) {
      unknown.add("cannot tell whether kube-proxy left " + what + ": " + e.getMessage());
    }
  }
}
