package dev.portolan.modes;

import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.localhost.LocalhostFamilies;
import dev.portolan.mode.Chosen;
import dev.portolan.mode.ModeListener;
import dev.portolan.mode.Setting;
import dev.portolan.takeover.TakeoverOptions;
import dev.portolan.takeover.TakeoverOptions.Own;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What rules are written with; each mode takes its own part of it.
 *
 * @param configuration as in a configuration file
 * @param chosen the settings that modes have of their own
 * @param rejectedOnLocalhost of which protocols mode nftables rejects nodePorts on the loopback
 *     addresses of a family
 * @param gates the feature gates in effect
 * @param namespace the network namespace to work in, if not this process's own
 * @param force whether tables of another program may be replaced
 * @param listener is notified of what a backend does beside syncs
 */
public record ModeSettings(
    ProxyConfiguration configuration,
    Chosen chosen,
    Map<IpFamily, Set<Protocol>> rejectedOnLocalhost,
    FeatureGates gates,
    Optional<Path> namespace,
    boolean force,
    ModeListener listener) {
  private static final String LOCALHOST_GATE = "KubeProxyNFTablesLocalhostNodePorts";

  public ModeSettings {
    rejectedOnLocalhost = Map.copyOf(rejectedOnLocalhost);
  }

  /** As the daemon writes rules with {@code plan}. */
  public static ModeSettings of(StartPlan plan) {
    Map<String, Object> given = new HashMap<>();
    for (Setting<?> setting : KernelModes.settings(Setting.Use.DAEMON)) {
      plan.flags().given(setting.name()).ifPresent(value -> given.put(setting.name(), value));
    }
    return new ModeSettings(
        plan.configuration(),
        Chosen.NOTHING.with(given),
        localhost(plan).map(LocalhostFamilies::rejected).orElse(Map.of()),
        plan.gates(),
        Optional.empty(),
        false,
        ModeListener.NONE);
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
    return new ModeSettings(
        configuration, Chosen.NOTHING, Map.of(), gates, Optional.empty(), false, ModeListener.NONE);
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

  /** The value of a setting that modes have of their own. */
  public <T> T of(Setting<T> setting) {
    return chosen.of(setting);
  }

  /** The name of our own tables of nftables. */
  public String table() {
    return of(NftablesMode.TABLE);
  }

  /** Where to look for leftovers beside {@code own}; virtual servers in {@code excluded} stay. */
  public TakeoverOptions leftovers(Own own, List<Cidr> excluded) {
    return TakeoverOptions.of(table(), own, excluded).pinnedTo(of(EbpfMode.PINS)).in(namespace);
  }

  /** The same in another network namespace. */
  public ModeSettings in(Optional<Path> place) {
    return new ModeSettings(
        configuration, chosen, rejectedOnLocalhost, gates, place, force, listener);
  }

  /** The same with another value of a setting. */
  public <T> ModeSettings with(Setting<T> setting, T value) {
    return choosing(Map.of(setting.name(), value));
  }

  /** The same with these values of settings, by their names. */
  public ModeSettings choosing(Map<String, ?> values) {
    return new ModeSettings(
        configuration, chosen.with(values), rejectedOnLocalhost, gates, namespace, force, listener);
  }

  /** The same, where {@code allowed} replacing the tables of another program. */
  public ModeSettings forced(boolean allowed) {
    return new ModeSettings(
        configuration, chosen, rejectedOnLocalhost, gates, namespace, allowed, listener);
  }

  /** The same with a listener. */
  public ModeSettings telling(ModeListener other) {
    return new ModeSettings(
        configuration, chosen, rejectedOnLocalhost, gates, namespace, force, other);
  }

  /** The same with these values in the configuration, by their paths in its latest version. */
  public ModeSettings with(Map<String, Object> values) {
    if (values.isEmpty()) {
      return this;
    }
    Settings changed = configuration.settings();
    for (Map.Entry<String, Object> value : values.entrySet()) {
      changed = changed.with(value.getKey(), value.getValue());
    }
    return new ModeSettings(
        ProxyConfiguration.of(changed),
        chosen,
        rejectedOnLocalhost,
        gates,
        namespace,
        force,
        listener);
  }
}
