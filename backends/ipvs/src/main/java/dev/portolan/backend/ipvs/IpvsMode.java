package dev.portolan.backend.ipvs;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.mode.Fields;
import dev.portolan.mode.Forwarded;
import dev.portolan.mode.KernelProbe;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeMetric;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.OpenBackend;
import dev.portolan.mode.Own;
import dev.portolan.mode.Scope;
import dev.portolan.mode.Setting;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.Timeouts;
import dev.portolan.netlink.route.Links;
import dev.portolan.nftables.TableDump;
import dev.portolan.telemetry.metrics.MetricRow;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Virtual servers of IPVS, with a table of nftables beside them. */
public record IpvsMode() implements Mode {
  @Override
  public String name() {
    return "ipvs";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(ModeSettings.MASQUERADE_BIT);
  }

  @Override
  public List<String> fields() {
    return List.of(
        "ipvs.scheduler",
        "ipvs.strictARP",
        "ipvs.excludeCIDRs",
        "ipvs.tcpTimeout",
        "ipvs.tcpFinTimeout",
        "ipvs.udpTimeout");
  }

  @Override
  public String kernelPart() {
    return "ip_vs";
  }

  @Override
  public List<String> modules() {
    return List.of("ip_vs", "dummy", "nf_tables", "nft_ct", "nft_masq");
  }

  @Override
  public Forwarded forwarded() {
    return Forwarded.ANSWERS;
  }

  @Override
  public boolean servesNodePortsEverywhere() {
    return true;
  }

  @Override
  public Scope cleanup() {
    return Scope.VIRTUAL_SERVERS;
  }

  @Override
  public String keepsAffinity() {
    return "IPVS for each address and port, and for as long as it has connections";
  }

  @Override
  public String isSeenIn() {
    return "ipvsadm, in ipsets and in iptables chains that start with KUBE-";
  }

  @Override
  public String extension() {
    return "ipvs";
  }

  @Override
  public ModeRules rules(ModeSettings settings) {
    Fields fields = settings.fields();
    String scheduler = fields.text("ipvs.scheduler");
    return new Rules(
        new IpvsOptions(
            settings.namespace(),
            settings.masqueradeBit(section()),
            scheduler.isEmpty() ? IpvsOptions.DEFAULT.scheduler() : scheduler,
            fields.truth("ipvs.strictARP"),
            new Timeouts(
                (int) fields.duration("ipvs.tcpTimeout").toSeconds(),
                (int) fields.duration("ipvs.tcpFinTimeout").toSeconds(),
                (int) fields.duration("ipvs.udpTimeout").toSeconds()),
            fields.texts("ipvs.excludeCIDRs").stream()
                .flatMap(text -> Cidr.parse(text).stream())
                .toList()));
  }

  private record Rules(IpvsOptions options) implements ModeRules {
    @Override
    public Dataplane dataplane() {
      return options.dataplane();
    }

    @Override
    public OpenBackend open() {
      IpvsBackend opened = new IpvsBackend(options);
      return new OpenBackend(
          "ipvs, scheduler " + options.scheduler() + ", device " + IpvsOptions.DEVICE,
          opened,
          own(),
          opened::preview,
          opened::drift,
          List::of);
    }

    /** Loads the module and that of the scheduler, and sets what the kernel needs. */
    @Override
    public List<String> init() {
      try (IpvsBackend backend = new IpvsBackend(options)) {
        return backend.init();
      }
    }

    @Override
    public String text(NodeImage image, IpFamily family) {
      return IpvsText.of(image, family, options);
    }

    @Override
    public List<String> tables() {
      return List.of(IpvsOptions.TABLE);
    }

    @Override
    public Set<Own> own() {
      return Set.of(Own.VIRTUAL_SERVERS);
    }

    @Override
    public boolean arePresent() {
      try (Links links = new Links(options.namespace())) {
        return links.named(IpvsOptions.DEVICE).isPresent();
      }
    }

    @Override
    public KernelProbe probe(NodeImage sample, boolean used) {
      if (!used) {
        return loaded();
      }
      try (IpvsBackend _ = new IpvsBackend(options)) {
        return new KernelProbe.Works(
            "the kernel has IPVS and the scheduler " + options.scheduler());
      } catch (BackendException e) {
        return e.code() == ErrorCode.PRIVILEGES
            ? new KernelProbe.Forbidden()
            : new KernelProbe.Lacks(
                String.valueOf(e.getMessage()), "load the modules, or use mode nftables");
      }
    }

    private KernelProbe loaded() {
      Optional<Ipvs> opened = Ipvs.open(options.namespace());
      opened.ifPresent(Ipvs::close);
      return opened.isPresent()
          ? new KernelProbe.Works("the module ip_vs is loaded")
          : new KernelProbe.Lacks("the module ip_vs is not loaded", "modprobe ip_vs");
    }

    /** kube-proxy has chains of iptables beside its virtual servers, and so this metric. */
    @Override
    public List<ModeMetric> measured() {
      return List.of(
          ModeMetric.failedSyncs(
              MetricRow.of("kubeproxy_sync_proxy_rules_iptables_restore_failures_total")
                  .helping("Syncs that the kernel refused, or a part of them.")));
    }

    @Override
    public String dump() {
      return IpvsText.ofKernel(options) + TableDump.of(options.namespace(), IpvsOptions.TABLE);
    }
  }
}
