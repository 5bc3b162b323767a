package dev.portolan.walk.kernel;

import dev.portolan.backend.ebpf.EbpfOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.core.net.IpFamily;
import dev.portolan.walk.HookedRules;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.iptables.IptablesRuleset;
import dev.portolan.walk.ipvs.IpvsRuleset;
import dev.portolan.walk.nft.NftRuleset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the rules of a node, whichever program and mode they are of. */
public final class KernelRulesets {
  /** What {@link #mode} says. */
  public static final List<String> MODES = List.of("nftables", "ebpf", "iptables", "ipvs");

  private KernelRulesets() {}

  /**
   * The rules for services in this process's network namespace, or in the one that {@code
   * namespace} stands for; empty where there are none. More than one means that two modes or
   * programs serve services on this node.
   */
  public static List<Ruleset> read(Optional<Path> namespace) {
    List<Ruleset> found = new ArrayList<>();
    NftRuleset nftables = NftRuleset.read(namespace);
    Optional<IpvsRuleset> ipvs = ipvs(namespace, nftables);
    ipvs.ifPresent(found::add);
    if (!nftables.serviceTables().isEmpty()) {
      found.add(withSockets(namespace, nftables));
    }
    if (ipvs.isEmpty()) {
      found.addAll(IptablesRuleset.read(namespace));
    }
    return found;
  }

  /** The mode of Portolan, or of kube-proxy, that writes such rules. */
  public static String mode(Ruleset rules) {
    return switch (rules) {
      case EbpfRuleset _ -> "ebpf";
      case IptablesRuleset _ -> "iptables";
      case IpvsRuleset _ -> "ipvs";
      default -> "nftables";
    };
  }

  /**
   * What packets of a network namespace meet beside {@code rules} and is not followed with them,
   * because it is of another kind, for a person: {@code iptables-legacy}, {@code nftables, table
   * inet firewall}. Such rules may drop what these forward.
   */
  public static List<String> unseen(Ruleset rules, Optional<Path> namespace) {
    return switch (rules) {
      case EbpfRuleset sockets -> unseen(sockets.rules(), namespace);
      case NftRuleset nftables -> {
        List<String> unseen = new ArrayList<>();
        nftables.skippedTables().forEach(table -> unseen.add("iptables-nft, table " + table));
        unseen.addAll(iptables(Variant.LEGACY, namespace));
        yield unseen;
      }
      case IptablesRuleset iptables -> {
        List<String> unseen = new ArrayList<>();
        NftRuleset.read(namespace)
            .hookedTables()
            .forEach(table -> unseen.add("nftables, table " + table));
        boolean newer = iptables.kind().equals("iptables-nft");
        unseen.addAll(iptables(newer ? Variant.LEGACY : Variant.NFT, namespace));
        yield unseen;
      }
      default -> List.of();
    };
  }

  private static List<String> iptables(Variant variant, Optional<Path> namespace) {
    return IptablesRuleset.read(variant, namespace)
        .filter(IptablesRuleset::hasRules)
        .map(IptablesRuleset::kind)
        .stream()
        .toList();
  }

  private static Optional<IpvsRuleset> ipvs(Optional<Path> namespace, NftRuleset nftables) {
    Map<IpFamily, HookedRules> beside = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      beside.put(family, nftables.hooks(family));
    }
    boolean ours = nftables.hasTable(IpvsOptions.TABLE);
    return IpvsRuleset.read(namespace, ours ? "table " + IpvsOptions.TABLE : "", beside);
  }

  /** The rules as packets meet them whose sockets may have been connected to an endpoint. */
  private static Ruleset withSockets(Optional<Path> namespace, NftRuleset nftables) {
    NodeNetwork network = NodeNetwork.read(namespace);
    Optional<EbpfRuleset> sockets =
        EbpfRuleset.read(
            EbpfOptions.DEFAULT.in(namespace),
            nftables,
            packet -> packet.isFromNode() || network.isPodHere(packet.source()));
    return sockets.isPresent() ? sockets.get() : nftables;
  }
}
