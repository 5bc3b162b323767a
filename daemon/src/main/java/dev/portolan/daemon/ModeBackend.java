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
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import dev.portolan.daemon.metrics.BackendMetrics;
import dev.portolan.daemon.metrics.RestoreStatus;
import dev.portolan.nftables.Nftables.TableInfo;
import dev.portolan.takeover.TakeoverOptions.Own;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The backend of a mode, and what of it the daemon has to know.
 *
 * @param own what it writes itself, which is not a leftover
 * @param dataplane what its rules do with packets that no endpoint gets
 * @param replaced what of another program's the first sync replaced
 * @param counting has counters that are read on request
 */
record ModeBackend(
    Backend backend,
    Own own,
    Dataplane dataplane,
    Supplier<List<String>> replaced,
    Consumer<BackendMetrics> counting) {
  private static final Cidr LOOPBACK = Cidr.of("127.0.0.0/8");

  /**
   * Opens the backend of the configured mode; nothing is written yet.
   *
   * @param options how mode nftables writes its tables
   */
  static ModeBackend open(ProxyConfiguration configuration, NftablesOptions options) {
    if (configuration.mode() == ProxyMode.IPTABLES) {
      IptablesOptions wanted = ConfiguredRules.iptables(configuration);
      IptablesBackend backend = new IptablesBackend(wanted);
      return new ModeBackend(
          backend,
          backend.variant() == Variant.NFT ? Own.IPTABLES_NFT : Own.IPTABLES_LEGACY,
          wanted.dataplane(),
          () -> backend.tookOver() ? List.of("iptables chains") : List.of(),
          metrics -> count(backend.counts(), metrics));
    }
    NftablesBackend backend = new NftablesBackend(options);
    return new ModeBackend(
        backend,
        Own.NFTABLES,
        options.dataplane(),
        () -> backend.foreignTables().stream().map(TableInfo::toString).toList(),
        metrics -> countRejected(options, metrics));
  }

  private static void countRejected(NftablesOptions options, BackendMetrics metrics) {
    metrics.rejectedOnLocalhost(samples ->
        options
            .rejectedOnLocalhost()
            .forEach((family, protocols) -> {
              for (Protocol protocol : protocols) {
                NftablesBackend.rejectedOnLocalhost(options, family, protocol)
                    .ifPresent(
                        packets -> samples.add(packets, family.toString(), protocol.toString()));
              }
            }));
  }

  /**
   * Does what the mode needs of the host and what the daemon itself may lack the privilege for;
   * returns what was done, in sentences.
   */
  static List<String> init(ProxyConfiguration configuration) {
    if (configuration.mode() != ProxyMode.IPTABLES
        || !configuration.iptables().localhostNodePorts()
        || !reachesLocalhost(configuration.nodePortAddresses())) {
      return List.of();
    }
    try (IptablesBackend backend = new IptablesBackend(ConfiguredRules.iptables(configuration))) {
      backend.openLocalhost();
    }
    return List.of("nodePorts on localhost are guarded, and route_localnet is 1");
  }

  /** Whether nodePorts are served on 127.0.0.0/8; without a choice they are everywhere. */
  private static boolean reachesLocalhost(List<String> addresses) {
    List<Cidr> ranges = addresses.stream().flatMap(text -> Cidr.parse(text).stream()).toList();
    boolean ofFamily = ranges.stream().anyMatch(range -> range.family() == IpFamily.IPV4);
    return ofFamily
        ? ranges.stream().anyMatch(range -> range.contains(LOOPBACK) || LOOPBACK.contains(range))
        : !addresses.contains("primary");
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
