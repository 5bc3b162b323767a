package dev.portolan.modes;

import dev.portolan.backend.ebpf.EbpfOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.backend.userspace.Portals;
import dev.portolan.backend.userspace.UserspaceOptions;
import dev.portolan.config.Start;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.localhost.LocalhostFamilies;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What rules are written with; each mode takes its own part of it.
 *
 * @param configuration as in a configuration file
 * @param table the name of the tables of the modes nftables, ebpf and userspace
 * @param rejectedOnLocalhost of which protocols mode nftables rejects nodePorts on the loopback
 *     addresses of a family
 * @param sockets where mode ebpf works
 * @param proxy how mode userspace works
 * @param gates the feature gates in effect
 * @param variant which of the two kinds of iptables mode iptables uses
 * @param namespace the network namespace to work in, if not this process's own
 * @param force whether tables of another program may be replaced
 * @param counting whether the traffic of services is counted where that takes other rules
 */
public record ModeSettings(
    ProxyConfiguration configuration,
    String table,
    Map<IpFamily, Set<Protocol>> rejectedOnLocalhost,
    Sockets sockets,
    Proxy proxy,
    FeatureGates gates,
    Variant variant,
    Optional<Path> namespace,
    boolean force,
    boolean counting) {
  private static final String LOCALHOST_GATE = "KubeProxyNFTablesLocalhostNodePorts";

  /**
   * Where mode ebpf works.
   *
   * @param cgroup whose processes' sockets are translated; empty for those of all
   * @param pins where programs and maps are pinned
   */
  public record Sockets(Optional<Path> cgroup, Path pins) {
    /** Where it works by default. */
    public static final Sockets DEFAULT =
        new Sockets(EbpfOptions.DEFAULT.cgroup(), EbpfOptions.DEFAULT.folder());
  }

  /**
   * How mode userspace works.
   *
   * @param portals how clients come to it
   * @param udpIdle after how long without a packet a client of UDP is forgotten
   * @param drain how long open connections may go on when it stops
   * @param access is given a line for each connection that has ended; must not wait
   * @param log is given what an operator should know, as sentences
   */
  public record Proxy(
      Portals portals,
      Duration udpIdle,
      Duration drain,
      Consumer<String> access,
      Consumer<String> log) {
    /** How it works by default. */
    public static final Proxy DEFAULT =
        new Proxy(
            UserspaceOptions.DEFAULT.portals(),
            UserspaceOptions.DEFAULT.udpIdle(),
            UserspaceOptions.DEFAULT.drain(),
            line -> {},
            line -> {});

    /** The same with an access log, and with a listener. */
    public Proxy telling(Consumer<String> ofConnections, Consumer<String> sentences) {
      return new Proxy(portals, udpIdle, drain, ofConnections, sentences);
    }
  }

  public ModeSettings {
    rejectedOnLocalhost = Map.copyOf(rejectedOnLocalhost);
  }

  /** As the daemon writes rules with {@code plan}. */
  public static ModeSettings of(StartPlan plan) {
    return new ModeSettings(
        plan.configuration(),
        plan.flags().text("nftables-table"),
        localhost(plan).map(LocalhostFamilies::rejected).orElse(Map.of()),
        new Sockets(
            Optional.of(plan.flags().text("ebpf-cgroup"))
                .filter(text -> !text.isEmpty())
                .map(Path::of),
            Path.of(plan.flags().text("ebpf-pins"))),
        Proxy.DEFAULT,
        plan.gates(),
        Variant.AUTO,
        Optional.empty(),
        false,
        plan.flags().truth("traffic-counters"));
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
        configuration,
        NftablesOptions.DEFAULT.table(),
        Map.of(),
        Sockets.DEFAULT,
        Proxy.DEFAULT,
        gates,
        Variant.AUTO,
        Optional.empty(),
        false,
        false);
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

  private Draft change() {
    return new Draft(this);
  }

  /** Settings while some of them are replaced. */
  private static final class Draft {
    ProxyConfiguration configuration;
    String table;
    final Map<IpFamily, Set<Protocol>> rejectedOnLocalhost;
    Sockets sockets;
    Proxy proxy;
    final FeatureGates gates;
    Variant variant;
    Optional<Path> namespace;
    boolean force;
    boolean counting;

    Draft(ModeSettings from) {
      configuration = from.configuration;
      table = from.table;
      rejectedOnLocalhost = from.rejectedOnLocalhost;
      sockets = from.sockets;
      proxy = from.proxy;
      gates = from.gates;
      variant = from.variant;
      namespace = from.namespace;
      force = from.force;
      counting = from.counting;
    }

    ModeSettings with(Consumer<Draft> replacement) {
      replacement.accept(this);
      return new ModeSettings(
          configuration,
          table,
          rejectedOnLocalhost,
          sockets,
          proxy,
          gates,
          variant,
          namespace,
          force,
          counting);
    }
  }

  /** The same in another network namespace. */
  public ModeSettings in(Optional<Path> place) {
    return change().with(draft -> draft.namespace = place);
  }

  /** The same with tables of this name. */
  public ModeSettings withTable(String name) {
    return change().with(draft -> draft.table = name);
  }

  /** The same with sockets translated elsewhere. */
  public ModeSettings with(Sockets place) {
    return change().with(draft -> draft.sockets = place);
  }

  /** The same with another proxy. */
  public ModeSettings with(Proxy other) {
    return change().with(draft -> draft.proxy = other);
  }

  /** The same with one kind of iptables. */
  public ModeSettings with(Variant kind) {
    return change().with(draft -> draft.variant = kind);
  }

  /** The same, where {@code allowed} replacing the tables of another program. */
  public ModeSettings forced(boolean allowed) {
    return change().with(draft -> draft.force = allowed);
  }

  /** The same, which counts the traffic of services, or does not. */
  public ModeSettings counting(boolean whether) {
    return change().with(draft -> draft.counting = whether);
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
    ProxyConfiguration configured = ProxyConfiguration.of(changed);
    return change().with(draft -> draft.configuration = configured);
  }
}
