package dev.portolan.daemon;

import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.localhost.LocalhostFamilies;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How the daemon writes rules with a configuration, for it and for the commands that print, check
 * or write the same rules.
 */
public final class ConfiguredRules {
  private static final String LOCALHOST_GATE = "KubeProxyNFTablesLocalhostNodePorts";

  private ConfiguredRules() {}

  /** How mode nftables writes its tables in {@code namespace}. */
  public static NftablesOptions nftables(StartPlan plan, Optional<Path> namespace) {
    return new NftablesOptions(
            KubeProxy.table(plan), plan.configuration().nftables().masqueradeBit(), namespace)
        .rejectingOnLocalhost(localhost(plan).map(LocalhostFamilies::rejected).orElse(Map.of()));
  }

  /** Where the daemon itself serves nodePorts on localhost, if mode nftables does by the gate. */
  public static Optional<LocalhostFamilies> localhost(StartPlan plan) {
    ProxyConfiguration configuration = plan.configuration();
    return configuration.mode() == ProxyMode.NFTABLES && plan.gates().isOn(LOCALHOST_GATE)
        ? Optional.of(LocalhostFamilies.of(configuration.nodePortAddresses()))
        : Optional.empty();
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
