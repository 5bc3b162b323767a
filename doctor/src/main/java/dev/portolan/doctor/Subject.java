package dev.portolan.doctor;

import dev.portolan.apiserver.ApiAccess;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.ProxyMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is looked at.
 *
 * @param namespace the network namespace of the rules, sockets and settings; empty for this
 *     process's own. The API server is always asked from this process's own
 * @param plan the daemon's configuration
 * @param configured whether {@code plan} was given, rather than being what a daemon has by default
 * @param nftables how the daemon writes its tables in mode nftables
 * @param iptables how it writes its chains in mode iptables
 * @param socket where a daemon answers about its node
 * @param access the way to the API server
 * @param secrets files that hold credentials: what is in them is never repeated
 */
public record Subject(
    Optional<Path> namespace,
    StartPlan plan,
    boolean configured,
    NftablesOptions nftables,
    IptablesOptions iptables,
    Path socket,
    ApiAccess.Search access,
    List<Path> secrets) {
  public Subject {
    secrets = List.copyOf(secrets);
  }

  ProxyConfiguration configuration() {
    return plan.configuration();
  }

  /** The name of our own nftables tables. */
  public String table() {
    return nftables.table();
  }

  /**
   * The mode to check for: the one in the configuration, else the one in which a daemon runs here,
   * else the one whose rules are here.
   */
  public ProxyMode mode(RunningDaemon daemon) {
    return configured
        ? configuration().mode()
        : daemon.mode().orElseGet(() -> OwnRules.mode(this).orElse(ProxyMode.NFTABLES));
  }
}
