package dev.portolan.takeover;

import dev.portolan.backend.ebpf.EbpfOptions;
import dev.portolan.backend.iptables.Chains;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.core.net.Cidr;
import dev.portolan.mode.Own;
import dev.portolan.mode.Scope;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where to look, and what to leave alone.
 *
 * @param namespace the network namespace; empty for this process's own
 * @param ownTable the name of our own nftables tables
 * @param own what we write ourselves, which is not a leftover
 * @param scope how much of the rest counts
 * @param excluded addresses whose IPVS services are not kube-proxy's: {@code ipvs.excludeCIDRs}
 * @param pins where mode ebpf pins its programs and maps
 * @param programs the folders that may hold iptables' programs
 */
public record TakeoverOptions(
    Optional<Path> namespace,
    String ownTable,
    Set<Own> own,
    Scope scope,
    List<Cidr> excluded,
    Path pins,
    List<Path> programs) {
  public TakeoverOptions {
    own = Set.copyOf(own);
    excluded = List.copyOf(excluded);
    programs = List.copyOf(programs);
  }

  /** This process's network namespace, and the usual folders for programs. */
  public static TakeoverOptions of(String ownTable, Set<Own> own, List<Cidr> excluded) {
    return new TakeoverOptions(
        Optional.empty(),
        ownTable,
        own,
        Scope.EVERYTHING,
        excluded,
        EbpfOptions.DEFAULT.folder(),
        IptablesOptions.USUAL_FOLDERS);
  }

  /** The same with the pins of mode ebpf elsewhere. */
  public TakeoverOptions pinnedTo(Path folder) {
    return new TakeoverOptions(namespace, ownTable, own, scope, excluded, folder, programs);
  }

  /** The same in another network namespace. */
  public TakeoverOptions in(Optional<Path> namespace) {
    return new TakeoverOptions(namespace, ownTable, own, scope, excluded, pins, programs);
  }

  /** The same, looking for more or less. */
  public TakeoverOptions of(Scope other) {
    return new TakeoverOptions(namespace, ownTable, own, other, excluded, pins, programs);
  }

  /** Whether a chain of iptables stays, out of those that {@code kind} of iptables has. */
  boolean keeps(Own kind, String table, String chain) {
    return own.contains(kind) && Chains.isOwned(table, chain);
  }

  boolean looksForTables() {
    return scope != Scope.CHAINS && scope != Scope.VIRTUAL_SERVERS && scope != Scope.SOCKETS;
  }

  boolean looksForSockets() {
    return !own.contains(Own.SOCKETS)
        && (scope == Scope.SOCKETS || (looksForTables() && scope != Scope.TABLES_OF_NAME));
  }

  boolean looksForChains() {
    return scope != Scope.OUR_TABLES
        && scope != Scope.TABLES_OF_NAME
        && scope != Scope.SOCKETS
        && scope != Scope.VIRTUAL_SERVERS;
  }

  boolean looksForServers() {
    return scope == Scope.EVERYTHING || scope == Scope.OURS || scope == Scope.VIRTUAL_SERVERS;
  }

  /** Whether other rules of ours serve, so that connections through IPVS may go on for a while. */
  boolean drains() {
    return !own.isEmpty() && !own.contains(Own.VIRTUAL_SERVERS);
  }

  /** Whether only what carries our mark counts. */
  boolean onlyOurs() {
    return scope == Scope.OURS || scope == Scope.OUR_TABLES;
  }
}
