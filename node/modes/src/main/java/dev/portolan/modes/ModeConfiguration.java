package dev.portolan.modes;

import dev.portolan.backend.ebpf.EbpfMode;
import dev.portolan.backend.nftables.NftablesMode;
import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.Cidr;
import dev.portolan.localhost.LocalhostFamilies;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.Own;
import dev.portolan.mode.Setting;
import dev.portolan.takeover.TakeoverOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a configuration and the flags of a daemon say of how rules are written. */
public final class ModeConfiguration {
  private static final String LOCALHOST_GATE = "KubeProxyNFTablesLocalhostNodePorts";

  private ModeConfiguration() {}

  /** As the daemon writes rules with {@code plan}. */
  public static ModeSettings of(StartPlan plan) {
    Map<String, Object> given = new HashMap<>();
    for (Setting<?> setting : KernelModes.settings(Setting.Use.DAEMON)) {
      plan.flags().given(setting.name()).ifPresent(value -> given.put(setting.name(), value));
    }
    return withoutDaemon(plan)
        .choosing(given)
        .rejectingOnLocalhost(localhost(plan).map(LocalhostFamilies::rejected).orElse(Map.of()));
  }

  /** As rules are written where no daemon serves nodePorts on localhost. */
  public static ModeSettings withoutDaemon(StartPlan plan) {
    return of(plan.configuration(), plan.gates());
  }

  /** The same with the feature gates that a configuration leaves as they are. */
  public static ModeSettings of(ProxyConfiguration configuration) {
    return of(configuration, FeatureGates.defaults(KubeVersion.CURRENT));
  }

  private static ModeSettings of(ProxyConfiguration configuration, FeatureGates gates) {
    return ModeSettings.of(configuration.settings()::value, gates::isOn);
  }

  /** As rules are written where no configuration says anything. */
  public static ModeSettings byDefault() {
    return withoutDaemon((StartPlan) Start.of(List.of(), _ -> "", Platform.current()));
  }

  /**
   * Where the daemon itself serves nodePorts on localhost, if a mode with tables of nftables does
   * by the gate.
   */
  public static Optional<LocalhostFamilies> localhost(StartPlan plan) {
    ProxyConfiguration configuration = plan.configuration();
    return configuration.mode().isNftables() && plan.gates().isOn(LOCALHOST_GATE)
        ? Optional.of(LocalhostFamilies.of(configuration.nodePortAddresses()))
        : Optional.empty();
  }

  /** The name of our own tables of nftables. */
  public static String table(ModeSettings settings) {
    return settings.of(table());
  }

  /** The setting with the name of our own tables. */
  public static Setting<String> table() {
    return NftablesMode.TABLE;
  }

  /** Where programs and maps of eBPF are pinned. */
  public static Path pins(ModeSettings settings) {
    return settings.of(EbpfMode.PINS);
  }

  /** Where to look for leftovers beside {@code own}; virtual servers in {@code excluded} stay. */
  public static TakeoverOptions leftovers(
      ModeSettings settings, Set<Own> own, List<Cidr> excluded) {
    return TakeoverOptions.of(table(settings), own, excluded)
        .pinnedTo(pins(settings))
        .in(settings.namespace());
  }
}
