package dev.portolan.backend.ebpf;

import dev.portolan.backend.nftables.BesideNftables;
import dev.portolan.backend.nftables.NftablesMode;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.mode.KernelProbe;
import dev.portolan.mode.ModeMetric;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.OpenBackend;
import dev.portolan.mode.Own;
import dev.portolan.mode.Setting;
import dev.portolan.mode.Setting.Use;
import dev.portolan.mode.SettingType;
import dev.portolan.nftables.Nftables.TableInfo;
import dev.portolan.telemetry.metrics.MetricRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Sockets that are translated when they connect, and the tables of nftables for the rest. */
public record EbpfMode(NftablesMode nftables) implements BesideNftables {
  /** Whose processes' sockets are translated. */
  public static final Setting<Path> CGROUP =
      Setting.of(
          "ebpf-cgroup",
          SettingType.PATH_OR_NONE,
          "",
          "The cgroup whose processes' sockets are translated in mode ebpf; empty: all, the root of"
              + " cgroup2.",
          Use.DAEMON,
          Use.RULES,
          Use.NODE);

  static final String USUAL_PINS = "/sys/fs/bpf/portolan";

  /** Where programs and maps are pinned. */
  public static final Setting<Path> PINS =
      Setting.of(
          "ebpf-pins",
          SettingType.PATH,
          USUAL_PINS,
          "The folder in a bpffs where mode ebpf pins its programs and maps; another mode removes"
              + " them from there.",
          Use.DAEMON,
          Use.RULES,
          Use.NODE,
          Use.REMOVAL,
          Use.OTHER_MODES);

  @Override
  public List<Setting<?>> ownSettings() {
    return List.of(CGROUP, PINS);
  }

  @Override
  public String name() {
    return "ebpf";
  }

  @Override
  public Set<String> capabilities() {
    return Set.of("BPF");
  }

  @Override
  public String kernelPart() {
    return "bpf";
  }

  @Override
  public String isSeenIn() {
    return "nftables tables, and in eBPF maps";
  }

  @Override
  public ModeRules rules(ModeSettings settings) {
    NftablesOptions tables = NftablesMode.options(settings);
    return new Rules(
        new EbpfOptions(
            tables,
            Optional.of(settings.of(CGROUP)).filter(path -> !path.toString().isEmpty()),
            settings.of(PINS)),
        nftables.rules(settings),
        settings.force());
  }

  /** {@code rules} answers what concerns the tables alone. */
  private record Rules(EbpfOptions options, ModeRules rules, boolean force) implements ModeRules {
    @Override
    public Dataplane dataplane() {
      return options.dataplane();
    }

    @Override
    public OpenBackend open() {
      return open(obstacle -> {});
    }

    @Override
    public OpenBackend open(Consumer<Optional<String>> obstacles) {
      EbpfBackend opened = new EbpfBackend(options, force, obstacles);
      return new OpenBackend(
          "ebpf, table " + options.nftables().table(),
          opened,
          own(),
          opened::preview,
          opened::drift,
          () -> opened.nftables().foreignTables().stream().map(TableInfo::toString).toList());
    }

    @Override
    public List<String> init() {
      return rules.init();
    }

    /** What nft loads, and the rest as comments in it. */
    @Override
    public String text(NodeImage image, IpFamily family) {
      return rules.text(image, family)
          + "\n"
          + (EbpfText.maps(image, family) + EbpfText.programs(family))
              .lines()
              .map(line -> "# " + line + "\n")
              .collect(Collectors.joining());
    }

    @Override
    public List<String> tables() {
      return rules.tables();
    }

    @Override
    public Set<Own> own() {
      return Set.of(Own.TABLES, Own.SOCKETS);
    }

    @Override
    public boolean arePresent() {
      return EbpfBackend.isPresent(options);
    }

    /** Has the kernel check the programs, without attaching any. */
    @Override
    public KernelProbe probe(NodeImage sample, boolean used) {
      Optional<String> refused = EbpfBackend.refusal(options);
      if (refused.isEmpty()) {
        return new KernelProbe.Works("the kernel accepts every program and map that is used");
      }
      return refused.get().contains("EPERM")
          ? new KernelProbe.Forbidden()
          : new KernelProbe.LacksPart(
              (used ? "sockets are not translated, nftables does it all: " : "") + refused.get(),
              "see docs/ebpf.md for what the kernel must have, or use mode nftables");
    }

    @Override
    public List<ModeMetric> measured() {
      List<ModeMetric> measured = new ArrayList<>(rules.measured());
      measured.add(
          ModeMetric.read(
              MetricRow.of("portolan_ebpf_active"),
              EbpfBackend.class,
              (backend, samples) -> samples.add(backend.isTranslating() ? 1 : 0)));
      measured.add(
          ModeMetric.read(
              MetricRow.of("portolan_ebpf_map_entries"),
              EbpfBackend.class,
              (backend, samples) -> samples.add(backend.entries())));
      measured.add(ModeMetric.socketsEnded(MetricRow.of("portolan_ebpf_sockets_ended_total")));
      return measured;
    }

    @Override
    public String dump() {
      return EbpfText.ofKernel(options);
    }
  }
}
