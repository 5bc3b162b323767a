package dev.portolan.config;

import java.util.ArrayList;
import java.util.List;

/** Which modes there are, and which one is meant where none is named. */
public final class ProxyModes {
  /** The release in which an unset mode means nftables. */
  public static final KubeVersion NFTABLES_BY_DEFAULT = new KubeVersion(1, 40);

  /** The gate that permits ipvs. */
  public static final String IPVS_GATE = "KubeProxyIPVS";

  private ProxyModes() {}

  /** The modes that may be written, in order. */
  public static List<String> allowed(Platform platform, FeatureGates gates) {
    if (platform == Platform.WINDOWS) {
      return List.of("kernelspace");
    }
    List<String> modes = new ArrayList<>(List.of("iptables", "ipvs", "nftables"));
    if (!gates.isOn(IPVS_GATE)) {
      modes.remove("ipvs");
    }
    return modes;
  }

  /** The mode that an empty one stands for. */
  public static String byDefault(Platform platform, KubeVersion version) {
    if (platform == Platform.WINDOWS) {
      return "kernelspace";
    }
    return version.atLeast(NFTABLES_BY_DEFAULT) ? "nftables" : "iptables";
  }

  /** The rule that a wrong mode breaks. */
  static String rule(String mode, Platform platform, FeatureGates gates) {
    String byDefault = byDefault(platform, gates.emulated());
    if (platform == Platform.WINDOWS) {
      return "must be kernelspace or blank (blank means the most-available proxy [currently '"
          + byDefault
          + "'])";
    }
    return "must be "
        + String.join(", ", allowed(platform, gates))
        + " or blank (blank means the best-available proxy [currently "
        + byDefault
        + "])"
        + (mode.equals("ipvs") ? withoutIpvs(gates) : "");
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
