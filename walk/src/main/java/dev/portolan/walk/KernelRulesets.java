package dev.portolan.walk;

import dev.portolan.backend.ebpf.EbpfOptions;
import dev.portolan.walk.ebpf.EbpfRuleset;
import dev.portolan.walk.iptables.IptablesRuleset;
import dev.portolan.walk.ipvs.IpvsRuleset;
import dev.portolan.walk.nft.NftRuleset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the rules of a node, whichever program and mode they are of. */
public final class KernelRulesets {
  /** What the interfaces of pods are on this side. */
  private static final Set<String> POD_LINKS = Set.of("veth", "bridge", "ipvlan", "macvlan");

  private KernelRulesets() {}

  /**
   * The rules for services in this process's network namespace, or in the one that {@code
   * namespace} stands for; empty where there are none. More than one means that two modes or
   * programs serve services on this node.
   */
  public static List<Ruleset> read(Optional<Path> namespace) {
    List<Ruleset> found = new ArrayList<>();
    NftRuleset nftables = NftRuleset.read(namespace);
    Optional<EbpfRuleset> sockets = sockets(nftables, namespace);
    if (sockets.isPresent()) {
      found.add(sockets.get());
    } else if (!nftables.serviceTables().isEmpty()) {
      found.add(nftables);
    }
    // Virtual servers have the rules of iptables beside them.
    IpvsRuleset.read(namespace)
        .ifPresentOrElse(found::add, () -> found.addAll(IptablesRuleset.read(namespace)));
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

  /** Programs for sockets are the whole machine's, and belong to its own network. */
  private static Optional<EbpfRuleset> sockets(NftRuleset rules, Optional<Path> namespace) {
    NodeNetwork network = rules.network();
    return namespace.isPresent()
        ? Optional.empty()
        : EbpfRuleset.read(
            EbpfOptions.DEFAULT,
            rules,
            packet ->
                packet.arrivesThrough().isEmpty()
                    || packet
                        .arrivesThrough()
                        .flatMap(network::link)
                        .filter(link -> POD_LINKS.contains(link.kind()))
                        .isPresent());
  }
}
