package dev.portolan.backend.nftables;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.mode.KernelProbe;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeMetric;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.OpenBackend;
import dev.portolan.mode.Own;
import dev.portolan.mode.Scope;
import dev.portolan.mode.Setting;
import dev.portolan.mode.Setting.Use;
import dev.portolan.mode.SettingType;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.Nftables.TableInfo;
import dev.portolan.nftables.TableDump;
import dev.portolan.nftables.table.TableText;
import dev.portolan.telemetry.metrics.MetricRegistry.Samples;
import dev.portolan.telemetry.metrics.MetricRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Tables of nftables. */
public record NftablesMode() implements Mode {
  /** The name of the tables. */
  public static final Setting<String> TABLE =
      Setting.of(
          "nftables-table",
          SettingType.text("NAME", NftablesMode::table),
          NftablesOptions.DEFAULT.table(),
          "The name of our tables in the modes nftables, ebpf and userspace; use kube-proxy for tools"
              + " that expect that name.",
          Use.DAEMON,
          Use.RULES);

  /** Whether the traffic of services is counted. */
  public static final Setting<Boolean> COUNTING =
      Setting.truth(
          "traffic-counters",
          "Counts the connections of each service for portolan top, and in the daemon as the metrics"
              + " portolan_service_*: in the rules of modes nftables and ebpf; ipvs and userspace"
              + " have counts anyway, iptables, kernelspace and exec none.",
          Use.DAEMON,
          Use.RULES);

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");
  private static final String PROBED_TABLE = "portolan-doctor";

  /** The name of a table, if it is one that nft can read too. */
  private static String table(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "is not a valid table name: a letter, then letters, digits, '-' and '_', at most 63"
              + " characters");
    }
    return name;
  }

  @Override
  public String name() {
    return "nftables";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(ModeSettings.MASQUERADE_BIT, TABLE, COUNTING);
  }

  @Override
  public String kernelPart() {
    return "nf_tables";
  }

  @Override
  public List<String> modules() {
    return List.of("nf_tables", "nft_ct", "nft_numgen");
  }

  @Override
  public String leastKernel() {
    return "5.13";
  }

  @Override
  public boolean servesNodePortsEverywhere() {
    return false;
  }

  @Override
  public Scope cleanup() {
    return Scope.OUR_TABLES;
  }

  @Override
  public String keepsAffinity() {
    return "nftables for each port of a service, in sets";
  }

  @Override
  public String isSeenIn() {
    return "nftables tables";
  }

  @Override
  public String extension() {
    return "nft";
  }

  @Override
  public ModeRules rules(ModeSettings settings) {
    return new Rules(options(settings), settings.force());
  }

  /** How the backend works with these settings. */
  public static NftablesOptions options(ModeSettings settings) {
    return new NftablesOptions(
            settings.of(TABLE), settings.masqueradeBit("nftables"), settings.namespace())
        .rejectingOnLocalhost(settings.rejectedOnLocalhost())
        .counting(settings.of(COUNTING));
  }

  private record Rules(NftablesOptions options, boolean force) implements ModeRules {
    @Override
    public Dataplane dataplane() {
      return options.dataplane();
    }

    @Override
    public OpenBackend open() {
      NftablesBackend opened =
          force ? NftablesBackend.forced(options) : new NftablesBackend(options);
      return new OpenBackend(
          "nftables, table " + options.table(),
          opened,
          own(),
          opened::preview,
          opened::drift,
          () -> opened.foreignTables().stream().map(TableInfo::toString).toList());
    }

    @Override
    public List<String> init() {
      return List.of();
    }

    @Override
    public String text(NodeImage image, IpFamily family) {
      StringBuilder text = new StringBuilder();
      TableText.print(NftablesBackend.render(image, family, options), options.table(), text);
      return text.toString();
    }

    @Override
    public List<String> tables() {
      return List.of(options.table());
    }

    @Override
    public Set<Own> own() {
      return Set.of(Own.TABLES);
    }

    @Override
    public boolean arePresent() {
      try (Nftables kernel = new Nftables(options.namespace())) {
        for (AddressFamily family : AddressFamily.values()) {
          if (kernel.tables(family).contains(options.table())) {
            return true;
          }
        }
        return false;
      }
    }

    /** Has the kernel check every kind of set, map and rule that we write, without keeping any. */
    @Override
    public KernelProbe probe(NodeImage sample, boolean used) {
      NftablesOptions probed =
          new NftablesOptions(PROBED_TABLE, options.masqueradeBit(), options.namespace())
              .counting(options.counting());
      Optional<String> refused;
      try {
        refused = NftablesBackend.refusal(sample, probed);
      } catch (BackendException e) {
        return ErrorCode.of(e) == ErrorCode.PRIVILEGES
            ? new KernelProbe.Forbidden()
            : new KernelProbe.Lacks(
                String.valueOf(e.getMessage()), "load the module nf_tables, or use mode iptables");
      }
      if (refused.isEmpty()) {
        return new KernelProbe.Works(
            "the kernel accepts every kind of set, map and rule that is used");
      }
      return refused.get().contains("EPERM")
          ? new KernelProbe.Forbidden()
          : new KernelProbe.Lacks(
              "the kernel refuses a rule: " + refused.get(),
              "load the modules nft_chain_nat, nft_ct, nft_fib, nft_masq, nft_nat, nft_numgen and"
                  + " nft_reject, or use a kernel that has them");
    }

    @Override
    public List<TrafficCount> traffic() {
      return NftablesBackend.traffic(options.counting(true));
    }

    @Override
    public List<ModeMetric> measured() {
      List<ModeMetric> measured =
          new ArrayList<>(
              List.of(
                  ModeMetric.fullSyncs(),
                  ModeMetric.partialSyncs(),
                  ModeMetric.failedSyncs(
                      MetricRow.of("kubeproxy_sync_proxy_rules_nftables_sync_failures_total")),
                  ModeMetric.failedTidying(
                      MetricRow.of("kubeproxy_sync_proxy_rules_nftables_cleanup_failures_total"))));
      if (!options.rejectedOnLocalhost().isEmpty()) {
        measured.add(
            ModeMetric.read(
                MetricRow.of("kubeproxy_nftables_localhost_nodeport_rejected_packets_total"),
                this::rejectedOnLocalhost));
      }
      return measured;
    }

    private void rejectedOnLocalhost(Samples samples) {
      options
          .rejectedOnLocalhost()
          .forEach((family, protocols) -> {
            for (Protocol protocol : protocols) {
              NftablesBackend.rejectedOnLocalhost(options, family, protocol)
                  .ifPresent(
                      packets -> samples.add(packets, family.toString(), protocol.toString()));
            }
          });
    }

    @Override
    public String dump() {
      return TableDump.of(options.namespace(), options.table());
    }
  }
}
