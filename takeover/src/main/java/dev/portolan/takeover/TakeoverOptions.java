package dev.portolan.takeover;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.core.net.Cidr;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where to look, and what to leave alone.
 *
 * @param namespace the network namespace; empty for this process's own
 * @param ownTable the name of our own nftables tables
 * @param own what we write ourselves, which is not a leftover
 * @param excluded addresses whose IPVS services are not kube-proxy's: {@code ipvs.excludeCIDRs}
 * @param programs the folders that may hold iptables' programs
 */
public record TakeoverOptions(
    Optional<Path> namespace, String ownTable, Own own, List<Cidr> excluded, List<Path> programs) {
  /** What we lay ourselves. */
  public enum Own {
    /** The nftables tables of our name. */
    NFTABLES,
    /** Chains of the newer iptables. */
    IPTABLES_NFT,
    /** Chains of the older iptables. */
    IPTABLES_LEGACY,
    /** Nothing: all of it is to go. */
    NOTHING;

    /** Whether a chain of iptables stays, out of those that {@code kind} of iptables has. */
    boolean keeps(Own kind, String table, String chain) {
      return this == kind && Chains.isOwned(table, chain);
    }
  }

  public TakeoverOptions {
    excluded = List.copyOf(excluded);
    programs = List.copyOf(programs);
  }

  /** This process's network namespace, and the usual folders for programs. */
  public static TakeoverOptions of(String ownTable, Own own, List<Cidr> excluded) {
    return new TakeoverOptions(
        Optional.empty(), ownTable, own, excluded, IptablesOptions.USUAL_FOLDERS);
  }

  /** The same in another network namespace. */
  public TakeoverOptions in(Optional<Path> namespace) {
    return new TakeoverOptions(namespace, ownTable, own, excluded, programs);
  }
}
