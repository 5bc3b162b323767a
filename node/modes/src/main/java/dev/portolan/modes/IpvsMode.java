package dev.portolan.modes;

import dev.portolan.backend.ipvs.IpvsBackend;
import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.backend.ipvs.IpvsText;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.Timeouts;
import dev.portolan.netlink.route.Links;
import dev.portolan.takeover.TakeoverOptions.Own;
import dev.portolan.takeover.TakeoverOptions.Scope;
import java.util.List;
import java.util.Optional;

/** Virtual servers of IPVS, with a table of nftables beside them. */
record IpvsMode() implements KernelMode {
  @Override
  public ProxyMode mode() {
    return ProxyMode.IPVS;
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
  public boolean servesNodePortsEverywhere() {
    return true;
  }

  @Override
  public Scope cleanup() {
    return Scope.VIRTUAL_SERVERS;
  }

  @Override
  public String extension() {
    return "ipvs";
  }

  @Override
  public ModeRules rules(ModeSettings settings) {
    ProxyConfiguration.Ipvs wanted = settings.configuration().ipvs();
    return new Rules(
        new IpvsOptions(
            settings.namespace(),
            wanted.masqueradeBit(),
            wanted.scheduler().isEmpty() ? IpvsOptions.DEFAULT.scheduler() : wanted.scheduler(),
            wanted.strictARP(),
            new Timeouts(
                (int) wanted.tcpTimeout().toSeconds(),
                (int) wanted.tcpFinTimeout().toSeconds(),
                (int) wanted.udpTimeout().toSeconds()),
            wanted.excludeCIDRs().stream().flatMap(text -> Cidr.parse(text).stream()).toList()));
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
          List::of,
          BackendCounters.NONE);
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
    public Own own() {
      return Own.IPVS;
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

    @Override
    public String dump() {
      return IpvsText.ofKernel(options) + TableDump.of(options.namespace(), IpvsOptions.TABLE);
    }
  }
}
