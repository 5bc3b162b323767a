package dev.portolan.backend.userspace;

import dev.portolan.backend.nftables.BesideNftables;
import dev.portolan.backend.nftables.NftablesMode;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.text.GoDuration;
import dev.portolan.mode.KernelProbe;
import dev.portolan.mode.ModeMetric;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.OpenBackend;
import dev.portolan.mode.Own;
import dev.portolan.mode.Setting;
import dev.portolan.mode.Setting.Use;
import dev.portolan.mode.SettingType;
import dev.portolan.telemetry.metrics.MetricRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Sockets of this process, and tables of nftables that lead to them unless clients do without. */
public record UserspaceMode(NftablesMode nftables) implements BesideNftables {
  /** How clients come to it. */
  public static final Setting<Portals> PORTALS =
      Setting.of(
          "portals",
          SettingType.choice("HOW", List.of(Portals.values()), Portals::toString),
          UserspaceOptions.DEFAULT.portals().toString(),
          "With --backend userspace, how clients come to this process: nftables, or listen, which"
              + " needs no root and prints where each service is served.",
          Use.RULES);

  /** Whether connections are logged. */
  public static final Setting<Boolean> ACCESS_LOG =
      Setting.truth(
          "access-log",
          "Logs each connection that has ended in mode userspace, one line for each: protocol,"
              + " service, client, endpoint, bytes, time and how it ended; 'portolan run' prints"
              + " them to standard output.",
          Use.DAEMON,
          Use.RULES);

  /** After how long without a packet a client of UDP is forgotten. */
  public static final Setting<Duration> UDP_IDLE =
      Setting.of(
          "udp-idle-timeout",
          SettingType.DURATION,
          GoDuration.format(UserspaceOptions.DEFAULT.udpIdle()),
          "With --backend userspace: after how long without packets a UDP client is forgotten.",
          Use.RULES);

  /** How long open connections may go on when it stops. */
  public static final Setting<Duration> DRAIN =
      Setting.of(
          "drain-timeout",
          SettingType.DURATION,
          GoDuration.format(UserspaceOptions.DEFAULT.drain()),
          "With --backend userspace: how long open connections may go on when it stops.",
          Use.RULES);

  @Override
  public List<Setting<?>> ownSettings() {
    return List.of(PORTALS, ACCESS_LOG, UDP_IDLE, DRAIN);
  }

  @Override
  public String name() {
    return "userspace";
  }

  @Override
  public String kernelPart() {
    return "sockets";
  }

  @Override
  public boolean outlivesItsProcess() {
    return false;
  }

  @Override
  public String keepsAffinity() {
    return "the proxy itself for each port of a service, in its memory";
  }

  @Override
  public ModeRules rules(ModeSettings settings) {
    return new Rules(
        new UserspaceOptions(
            NftablesMode.options(settings),
            settings.of(PORTALS),
            settings.of(UDP_IDLE),
            settings.of(DRAIN),
            UserspaceOptions.DEFAULT.reached(),
            settings.of(ACCESS_LOG)
                ? entry -> settings.listener().connection(entry.toString())
                : UserspaceOptions.DEFAULT.access(),
            settings.listener()::say),
        nftables.rules(settings),
        settings.force());
  }

  /** {@code rules} answers what concerns the tables alone. */
  private record Rules(UserspaceOptions options, ModeRules rules, boolean force)
      implements ModeRules {
    @Override
    public Dataplane dataplane() {
      return options.dataplane();
    }

    @Override
    public boolean areOfKernel() {
      return options.portals() == Portals.NFTABLES;
    }

    @Override
    public OpenBackend open() {
      UserspaceBackend opened = new UserspaceBackend(options, force);
      return new OpenBackend(
          areOfKernel()
              ? "userspace, table " + options.nftables().table()
              : "userspace, without rules",
          opened,
          own(),
          opened::preview,
          opened::preview,
          opened::foreignTables);
    }

    @Override
    public List<String> init() {
      return rules.init();
    }

    /** What nft loads; portals take other ports where these are not free. */
    @Override
    public String text(NodeImage image, IpFamily family) {
      return rules.text(UserspaceBackend.expected(image), family);
    }

    @Override
    public List<String> tables() {
      return areOfKernel() ? rules.tables() : List.of();
    }

    @Override
    public Set<Own> own() {
      return rules.own();
    }

    /** Only a look into the tables distinguishes them from those of mode nftables. */
    @Override
    public boolean arePresent() {
      return false;
    }

    @Override
    public KernelProbe probe(NodeImage sample, boolean used) {
      if (!areOfKernel()) {
        return new KernelProbe.Works("nothing is needed of the kernel");
      }
      KernelProbe ofRules = rules.probe(sample, used);
      return ofRules instanceof KernelProbe.Works
          ? new KernelProbe.Works("the kernel accepts the rules that lead to the proxy's sockets")
          : ofRules;
    }

    @Override
    public List<ModeMetric> measured() {
      List<ModeMetric> measured = new ArrayList<>(rules.measured());
      measured.add(
          ModeMetric.read(
              MetricRow.of("portolan_userspace_connections"),
              UserspaceBackend.class,
              (backend, samples) -> samples.add(backend.connections())));
      measured.add(
          ModeMetric.read(
              MetricRow.of("portolan_userspace_portals"),
              UserspaceBackend.class,
              (backend, samples) -> samples.add(backend.portals())));
      return measured;
    }

    @Override
    public String dump() {
      return rules.dump();
    }
  }
}
