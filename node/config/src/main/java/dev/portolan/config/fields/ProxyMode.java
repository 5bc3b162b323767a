package dev.portolan.config.fields;

import dev.portolan.config.gates.FeatureGate;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What programs the kernel. */
public enum ProxyMode {
  /** None is named; {@link #byDefault} says which one is meant. */
  UNSET(""),
  IPTABLES("iptables"),
  IPVS("ipvs"),
  NFTABLES("nftables"),
  /** Rules of nftables, and sockets that are translated when they connect. */
  EBPF("ebpf"),
  /** Sockets of the proxy itself, and rules of nftables that lead to them. */
  USERSPACE("userspace"),
  KERNELSPACE("kernelspace");

  /** The release in which an unset mode means nftables. */
  public static final KubeVersion NFTABLES_BY_DEFAULT = new KubeVersion(1, 40);

  /** The gate that permits ipvs. */
  public static final String IPVS_GATE = "KubeProxyIPVS";

  /** The gate that permits nftables. */
  private static final String NFTABLES_GATE = "NFTablesProxyMode";

  private final String word;

  ProxyMode(String word) {
    this.word = word;
  }

  /** The mode of that name; the empty one is {@link #UNSET}. */
  public static Optional<ProxyMode> parse(String word) {
    return Arrays.stream(values()).filter(mode -> mode.word.equals(word)).findFirst();
  }

  /** The modes that may be written, in order. */
  public static List<ProxyMode> allowed(Platform platform, FeatureGates gates) {
    if (platform == Platform.WINDOWS) {
      return List.of(KERNELSPACE);
    }
    return Stream.of(IPTABLES, IPVS, NFTABLES, EBPF, USERSPACE)
        .filter(mode -> mode != IPVS || gates.isOn(IPVS_GATE))
        .filter(mode -> mode != NFTABLES || gates.isOn(NFTABLES_GATE))
        .toList();
  }

  /** Whether its rules are the tables of nftables. */
  public boolean isNftables() {
    return this == NFTABLES || this == EBPF || this == USERSPACE;
  }

  /**
   * The section of a configuration with its settings; ebpf and userspace have those of their rules.
   */
  public String section() {
    return isNftables() ? NFTABLES.word : word;
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
