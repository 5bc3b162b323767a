package dev.portolan.daemon;

import dev.portolan.backend.iptables.IptablesBackend;
import dev.portolan.backend.iptables.IptablesCounts;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.net.IpFamily;
import dev.portolan.daemon.metrics.BackendMetrics;
import dev.portolan.daemon.metrics.RestoreStatus;
import dev.portolan.netlink.nftables.Nftables.TableInfo;
import dev.portolan.takeover.TakeoverOptions.Own;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The backend of a mode, and what of it the daemon has to know.
 *
 * @param own what it writes itself, which is not a leftover
 * @param replaced what of another program's the first sync replaced
 * @param counting has counters that are read on request
 */
record ModeBackend(
    Backend backend, Own own, Supplier<List<String>> replaced, Consumer<BackendMetrics> counting) {
  /** Opens the backend of the configured mode; nothing is written yet. */
  static ModeBackend open(ProxyConfiguration configuration, String table) {
    if (configuration.mode() == ProxyMode.IPTABLES) {
      IptablesBackend backend = new IptablesBackend(iptables(configuration));
      return new ModeBackend(
          backend,
          backend.variant() == Variant.NFT ? Own.IPTABLES_NFT : Own.IPTABLES_LEGACY,
          () -> backend.tookOver() ? List.of("iptables chains") : List.of(),
          metrics -> count(backend.counts(), metrics));
    }
    NftablesOptions options =
        new NftablesOptions(table, configuration.nftables().masqueradeBit(), Optional.empty());
    NftablesBackend backend = new NftablesBackend(options);
    return new ModeBackend(
        backend,
        Own.NFTABLES,
        () -> backend.foreignTables().stream().map(TableInfo::toString).toList(),
        metrics -> {});
  }

  private static IptablesOptions iptables(ProxyConfiguration configuration) {
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

  private static void count(IptablesCounts counts, BackendMetrics metrics) {
    metrics.restores(() ->
        Arrays.stream(IpFamily.values()).map(family -> status(family, counts.of(family))).toList());
    metrics.droppedInvalid(counts::invalidPacketsDropped);
    metrics.acceptedOnLocalhost(counts::localhostNodePortPackets);
  }

  private static RestoreStatus status(IpFamily family, IptablesCounts.OfFamily counts) {
    return new RestoreStatus(
        family,
        counts.restoreFailures(),
        counts.partialRestoreFailures(),
        counts::rules,
        counts::rulesWritten);
  }
}
