package dev.portolan.config.fields;

import dev.portolan.config.gates.FeatureGate;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** What programs the kernel: a mode of kube-proxy, or one of {@link MoreModes}. */
public final class ProxyMode {
  /** None is named; {@link #byDefault} says which one is meant. */
  public static final ProxyMode UNSET = new ProxyMode("", "");

  public static final ProxyMode IPTABLES = of("iptables", "iptables");
  public static final ProxyMode IPVS = of("ipvs", "ipvs");
  public static final ProxyMode NFTABLES = of("nftables", "nftables");
  public static final ProxyMode KERNELSPACE = of("kernelspace", "kernelspace");

  /** The release in which an unset mode means nftables. */
  public static final KubeVersion NFTABLES_BY_DEFAULT = new KubeVersion(1, 40);

  /** The gate that permits ipvs. */
  public static final String IPVS_GATE = "KubeProxyIPVS";

  /** The gate that permits nftables. */
  private static final String NFTABLES_GATE = "NFTablesProxyMode";

  /** Those of kube-proxy, and then those that Linux has besides. */
  private static final List<ProxyMode> ALL =
      Stream.concat(
              Stream.of(UNSET, IPTABLES, IPVS, NFTABLES, KERNELSPACE),
              ServiceLoader.load(MoreModes.class, ProxyMode.class.getClassLoader()).stream()
                  .flatMap(more -> more.get().modes().stream()))
          .toList();

  private final String word;
  private final String section;

  private ProxyMode(String word, String section) {
    this.word = word;
    this.section = section;
  }

  /** A mode that configurations name {@code word}, with its settings in {@code section}. */
  public static ProxyMode of(String word, String section) {
    return new ProxyMode(word, section);
  }

  /** The mode of that name; the empty one is {@link #UNSET}. */
  public static Optional<ProxyMode> parse(String word) {
    return ALL.stream().filter(mode -> mode.word.equals(word)).findFirst();
  }

  /** Those of Linux, in order. */
  private static Stream<ProxyMode> ofLinux() {
    return ALL.stream().filter(mode -> mode != UNSET && mode != KERNELSPACE);
  }

  /** A description with the modes of Linux in the place of {@code {modes}}. */
  public static String naming(String description) {
    List<String> words = ofLinux().map(ProxyMode::toString).toList();
    return description.replace(
        "{modes}",
        String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast());
  }

  /** The modes that may be written, in order. */
  public static List<ProxyMode> allowed(Platform platform, FeatureGates gates) {
    if (platform == Platform.WINDOWS) {
      return List.of(KERNELSPACE);
    }
    return ofLinux()
        .filter(mode -> mode != IPVS || gates.isOn(IPVS_GATE))
        .filter(mode -> mode != NFTABLES || gates.isOn(NFTABLES_GATE))
        .toList();
  }

  /** Whether its rules are the tables of nftables. */
  public boolean isNftables() {
    return section.equals(NFTABLES.word);
  }

  /** The section of a configuration with its settings; modes that share rules share it. */
  public String section() {
    return section;
  }

  /** The mode that an unset one stands for. */
  public static ProxyMode byDefault(Platform platform, KubeVersion version) {
    if (platform == Platform.WINDOWS) {
      return KERNELSPACE;
    }
    return version.atLeast(NFTABLES_BY_DEFAULT) ? NFTABLES : IPTABLES;
  }

  /** The mode as the configuration writes it. */
  @Override
  public String toString() {
    return word;
  }

  /** The rule that the wrong mode {@code word} breaks. */
  public static String rule(String word, Platform platform, FeatureGates gates) {
    ProxyMode byDefault = byDefault(platform, gates.emulated());
    if (platform == Platform.WINDOWS) {
      return "must be kernelspace or blank (blank means the most-available proxy [currently '"
          + byDefault
          + "'])";
    }
    return "must be "
        + String.join(", ", allowed(platform, gates).stream().map(ProxyMode::toString).toList())
        + " or blank (blank means the best-available proxy [currently "
        + byDefault
        + "])"
        + (word.equals(IPVS.word) ? withoutIpvs(gates) : "")
        + (word.equals(NFTABLES.word) ? withoutNftables(gates) : "");
  }

  /** Why nftables is not allowed, and what to do. */
  private static String withoutNftables(FeatureGates gates) {
    KubeVersion first = FeatureGate.named(NFTABLES_GATE).stages().getFirst().since();
    return gates.emulated().atLeast(first)
        ? "; the feature gate " + NFTABLES_GATE + " is off: turn it on, or emulate a newer release"
        : "; nftables came with " + first + ": emulate a newer release";
  }

  /** Why ipvs is not allowed, and what to do. */
  private static String withoutIpvs(FeatureGates gates) {
    FeatureGate gate = FeatureGate.named(IPVS_GATE);
    KubeVersion off = gate.off().orElseThrow();
    KubeVersion gone = gate.locked().orElseThrow();
    if (gates.emulated().atLeast(gone)) {
      return "; ipvs was removed in " + gone + ": move to nftables";
    }
    boolean byDefault = gates.emulated().atLeast(off);
    return byDefault
        ? "; ipvs is off by default from "
            + off
            + " on: move to nftables, or set the feature gate KubeProxyIPVS=true until "
            + gone
        : "; the feature gate KubeProxyIPVS is off: move to nftables, or turn it on until " + gone;
  }
}
