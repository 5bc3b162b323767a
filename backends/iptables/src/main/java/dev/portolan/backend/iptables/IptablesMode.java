package dev.portolan.backend.iptables;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeImage;
import dev.portolan.mode.Fields;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Chains of iptables. */
public record IptablesMode() implements Mode {
  /** Which of the two kinds of iptables is used. */
  public static final Setting<Variant> VARIANT =
      Setting.of(
          "iptables-variant",
          SettingType.choice(
              "VARIANT",
              List.of(Variant.AUTO, Variant.NFT, Variant.LEGACY),
              variant -> variant.name().toLowerCase(Locale.ROOT)),
          "auto",
          "Which iptables to use: nft, legacy, or auto for the one that the host uses.",
          Use.RULES);

  private static final Cidr LOOPBACK = Cidr.of("127.0.0.0/8");

  @Override
  public String name() {
    return "iptables";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(ModeSettings.MASQUERADE_BIT, VARIANT);
  }

  @Override
  public String kernelPart() {
    return "iptables";
  }

  @Override
  public List<String> modules() {
    return List.of(
        "xt_addrtype",
        "xt_comment",
        "xt_conntrack",
        "xt_mark",
        "xt_recent",
        "xt_statistic",
        "xt_MASQUERADE");
  }

  @Override
  public Set<String> capabilities() {
    return Set.of("NET_RAW");
  }

  @Override
  public Optional<Path> hostLock() {
    return Optional.of(Path.of("/run/xtables.lock"));
  }

  @Override
  public boolean routesLocalhost(ModeSettings settings) {
    return settings.fields().truth("iptables.localhostNodePorts");
  }

  @Override
  public Optional<String> forwardChain() {
    return Optional.of(Chains.FORWARD);
  }

  @Override
  public boolean servesNodePortsEverywhere() {
    return true;
  }

  @Override
  public Scope cleanup() {
    return Scope.CHAINS;
  }

  @Override
  public String keepsAffinity() {
    return "iptables for each port of a service, with the module recent";
  }

  @Override
  public String isSeenIn() {
    return "iptables chains that start with KUBE-";
  }

  @Override
  public String extension() {
    return "iptables";
  }

  @Override
  public ModeRules rules(ModeSettings settings) {
    Fields fields = settings.fields();
    IptablesOptions usual = IptablesOptions.DEFAULT;
    return new Rules(
        new IptablesOptions(
            settings.masqueradeBit(section()),
            fields.truth("iptables.localhostNodePorts"),
            settings.of(VARIANT),
            usual.lockWait(),
            fields.duration("syncPeriod"),
            usual.largeClusterEndpoints(),
            fields.truth("linux.conntrack.tcpBeLiberal"),
            settings.namespace(),
            usual.programs()),
        fields.texts("nodePortAddresses"));
  }

  /** The chains; {@code nodePorts} is where nodePorts are served, as configured. */
  private record Rules(IptablesOptions options, List<String> nodePorts) implements ModeRules {
    @Override
    public Dataplane dataplane() {
      return options.dataplane();
    }

    @Override
    public OpenBackend open() {
      IptablesBackend opened = new IptablesBackend(options);
      return new OpenBackend(
          opened.programs(IpFamily.IPV4),
          opened,
          own(opened),
          opened::preview,
          // A chain that nothing jumps to does not count as drift: the next change removes it.
          image ->
              opened.preview(image).stream().filter(line -> !line.startsWith("- chain ")).toList(),
          () -> opened.tookOver() ? List.of("iptables chains") : List.of());
    }

    @Override
    public List<String> init() {
      if (!options.localhostNodePorts() || !reachesLocalhost(nodePorts)) {
        return List.of();
      }
      try (IptablesBackend backend = new IptablesBackend(options)) {
        backend.openLocalhost();
      }
      return List.of("nodePorts on localhost are guarded, and route_localnet is 1");
    }

    @Override
    public String text(NodeImage image, IpFamily family) {
      return IptablesText.titled(image, family, options);
    }

    /** None that is its own: iptables-nft has tables that all programs write to. */
    @Override
    public List<String> tables() {
      return List.of();
    }

    /** That of the kind of iptables which the host uses. */
    @Override
    public Set<Own> own() {
      try (IptablesBackend backend = new IptablesBackend(options)) {
        return own(backend);
      } catch (BackendException e) {
        return Set.of(Own.NFT_CHAINS);
      }
    }

    private static Set<Own> own(IptablesBackend backend) {
      return Set.of(backend.variant() == Variant.NFT ? Own.NFT_CHAINS : Own.LEGACY_CHAINS);
    }

    @Override
    public boolean arePresent() {
      try (Nftables kernel = new Nftables(options.namespace())) {
        return kernel.chains(AddressFamily.IPV4, Chains.NAT).stream()
            .anyMatch(chain -> chain.name().equals(Chains.SERVICES));
      }
    }

    /** Which of the two kinds of iptables are installed and work. */
    @Override
    public KernelProbe probe(NodeImage sample, boolean used) {
      List<String> there = new ArrayList<>();
      List<String> problems = new ArrayList<>();
      for (Variant variant : List.of(Variant.AUTO, Variant.NFT, Variant.LEGACY)) {
        try (IptablesBackend backend =
            new IptablesBackend(IptablesOptions.DEFAULT.in(options.namespace()).with(variant))) {
          String found = backend.programs(IpFamily.IPV4);
          if (!there.contains(found)) {
            there.add(found);
          }
        } catch (BackendException e) {
          problems.add(String.valueOf(e.getMessage()));
        }
      }
      return there.isEmpty()
          ? new KernelProbe.Lacks(
              problems.getFirst(), "install the package iptables, or use mode nftables")
          : new KernelProbe.Works(
              "in use: "
                  + there.getFirst()
                  + (there.size() > 1 ? "; also installed: " + there.getLast() : ""));
    }

    @Override
    public List<ModeMetric> measured() {
      return IptablesCounts.measured();
    }

    /** Our chains, as iptables' own program prints them. */
    @Override
    public String dump() {
      StringBuilder text = new StringBuilder();
      for (String program : List.of("iptables-save", "ip6tables-save")) {
        IptablesProgram.find(IptablesOptions.USUAL_FOLDERS, program, options.namespace())
            .ifPresent(save -> {
              text.append("# ").append(program).append('\n');
              String[] in = {""};
              IptablesProgram.Result result =
                  save.read(
                      line -> {
                        if (line.startsWith("*")) {
                          in[0] = line.substring(1).strip();
                          text.append(line).append('\n');
                        } else if (isOwn(in[0], line)) {
                          text.append(line).append('\n');
                        }
                      },
                      List.of());
              if (!result.succeeded()) {
                text.append("# failed: ").append(result.words()).append('\n');
              }
            });
      }
      return text.isEmpty() ? "iptables is not installed\n" : text.toString();
    }

    private static boolean isOwn(String table, String line) {
      String[] words = line.split(" ", 3);
      String chain =
          line.startsWith(":") ? words[0].substring(1) : words.length > 1 ? words[1] : "";
      return Chains.isOwned(table, chain);
    }
  }

  /** Whether nodePorts are served on 127.0.0.0/8; without a choice they are everywhere. */
  private static boolean reachesLocalhost(List<String> addresses) {
    List<Cidr> ranges = addresses.stream().flatMap(text -> Cidr.parse(text).stream()).toList();
    boolean ofFamily = ranges.stream().anyMatch(range -> range.family() == IpFamily.IPV4);
    return ofFamily
        ? ranges.stream().anyMatch(range -> range.contains(LOOPBACK) || LOOPBACK.contains(range))
        : !addresses.contains("primary");
  }
}
