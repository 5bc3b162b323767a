package dev.portolan.daemon;

import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.config.fields.ProxyConfiguration;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How the daemon writes rules with a configuration, for it and for the commands that print, check
 * or write the same rules.
 */
public final class ConfiguredRules {
  private ConfiguredRules() {}

  /** How mode nftables writes its tables, which have the name {@code table}. */
  public static NftablesOptions nftables(
      ProxyConfiguration configuration, String table, Optional<Path> namespace) {
    return new NftablesOptions(table, configuration.nftables().masqueradeBit(), namespace);
  }

  /** How mode iptables writes its chains. */
  public static IptablesOptions iptables(ProxyConfiguration configuration) {
    IptablesOptions usual = IptablesOptions.DEFAULT;
    return new IptablesOptions(
        configuration.iptables().masqueradeBit(),
        configuration.iptables().localhostNodePorts(),
        usual.variant(),
        usual.lockWait(),
        configuration.syncPeriod(),
        usual.largeClusterEndpoints(),
        configuration.linux().conntrack().tcpBeLiberal(),
        usual.namespace(),
        usual.programs());
  }
}
