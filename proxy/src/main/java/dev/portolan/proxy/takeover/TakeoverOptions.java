package dev.portolan.proxy.takeover;

import dev.portolan.core.net.Cidr;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where to look, and what to leave alone.
 *
 * @param namespace the network namespace; empty for this process's own
 * @param ownTable the name of our own nftables tables, which are no leftovers
 * @param excluded addresses whose IPVS services are not kube-proxy's: {@code ipvs.excludeCIDRs}
 * @param programs the folders that may hold iptables' programs
 */
public record TakeoverOptions(
    Optional<Path> namespace, String ownTable, List<Cidr> excluded, List<Path> programs) {
  private static final List<Path> USUAL =
      List.of(
          Path.of("/usr/local/sbin"),
          Path.of("/usr/sbin"),
          Path.of("/sbin"),
          Path.of("/usr/bin"),
          Path.of("/bin"));

  public TakeoverOptions {
    excluded = List.copyOf(excluded);
    programs = List.copyOf(programs);
  }

  /** This process's network namespace, and the usual folders for programs. */
  public static TakeoverOptions of(String ownTable, List<Cidr> excluded) {
    return new TakeoverOptions(Optional.empty(), ownTable, excluded, USUAL);
  }

  /** The same in another network namespace. */
  public TakeoverOptions in(Optional<Path> namespace) {
    return new TakeoverOptions(namespace, ownTable, excluded, programs);
  }
}
