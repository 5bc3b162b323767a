package dev.portolan.takeover;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.mode.Own;
import dev.portolan.mode.Scope;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NamespaceLock;
import dev.portolan.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks for what kube-proxy left. The order of what is found is that of its removal: sets come
 * after the rules that use them, and what IPVS needs after IPVS.
 */
public final class Takeover {
  private Takeover() {}

  /**
   * Looks into every place where some mode of kube-proxy keeps something; changes nothing.
   *
   * @throws BackendException where it cannot be found out whether another Portolan keeps rules, or
   *     where looking fails for now
   */
  public static Leftovers find(TakeoverOptions options) {
    List<Leftover> found = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    boolean tables =
        (options.looksForTables() || options.looksForSockets())
            && (options.own().contains(Own.TABLES) || isFree(Own.TABLES, options, unknown));
    boolean iptables =
        options.own().contains(Own.NFT_CHAINS) || options.own().contains(Own.LEGACY_CHAINS);
    boolean ipvs = options.own().contains(Own.VIRTUAL_SERVERS);
    // First, for what follows these no longer is served by the rules that are still there.
    if (tables && options.looksForSockets()) {
      look(found, unknown, "eBPF programs", () -> SocketPins.find(options));
    }
    if (options.looksForServers() && (ipvs || isFree(Own.VIRTUAL_SERVERS, options, unknown))) {
      servers(options, found, unknown);
    }
    if (tables && options.looksForTables()) {
      look(found, unknown, "nftables tables", () -> ProxyTable.find(options));
    }
    if (options.looksForChains() && (iptables || isFree(Own.NFT_CHAINS, options, unknown))) {
      chains(options, found, unknown);
    }
    if (options.scope() == Scope.EVERYTHING) {
      look(found, unknown, "ipset sets", () -> ProxySets.find(options));
    }
    return new Leftovers(found, unknown);
  }

  /**
   * Our tables beside them are the evidence that virtual servers are our own. They go after the
   * servers, so that all of it is found again if only a part could be removed.
   */
  private static void servers(TakeoverOptions options, List<Leftover> found, List<String> unknown) {
    List<Leftover> tables = new ArrayList<>();
    look(tables, unknown, "nftables tables beside IPVS", () -> ProxyTable.besideIpvs(options));
    boolean ours = !tables.isEmpty() || options.scope() != Scope.OURS;
    if (ours && !options.own().contains(Own.VIRTUAL_SERVERS)) {
      look(found, unknown, "IPVS services", () -> IpvsServices.find(options));
    }
    found.addAll(tables);
  }

  private static void chains(TakeoverOptions options, List<Leftover> found, List<String> unknown) {
    for (AddressFamily family : AddressFamily.values()) {
      look(found, unknown, "iptables chains of " + family, () -> NftChains.find(options, family));
      look(
          found,
          unknown,
          "iptables-legacy chains of " + family,
          () -> LegacyChains.find(options, family));
    }
  }

  /** Whether no living process has the lock of such rules, and so would put them back. */
  private static boolean isFree(Own kind, TakeoverOptions options, List<String> unknown) {
    Optional<NamespaceLock.Holder> holder;
    try {
      holder = NamespaceLock.holder(kind.lock(), options.namespace());
    } catch (NetlinkException e) {
      throw new BackendException(
          ErrorCode.TAKEOVER,
          "cannot tell whether another Portolan keeps the rules of "
              + kind.lock()
              + ", so all that a kube-proxy left stays: "
              + e.getMessage(),
          e);
    }
    holder.ifPresent(it ->
        unknown.add(
            "the rules of "
                + kind.lock()
                + " stay, because another Portolan keeps them: "
                + it
                + "; end one of the two"));
    return holder.isEmpty();
  }

  /** A place to look into. */
  interface Place {
    List<? extends Leftover> find();
  }

  static void look(List<Leftover> found, List<String> unknown, String what, Place place) {
    try {
      found.addAll(place.find());
    } catch (NetlinkException | BackendException e) {
      String sentence = "cannot tell whether kube-proxy left " + what + ": " + e.getMessage();
      if (e instanceof NetlinkException refused && Errno.passes(refused.errno())) {
        throw new BackendException(ErrorCode.TAKEOVER, sentence, e);
      }
      unknown.add(sentence);
    }
  }
}
