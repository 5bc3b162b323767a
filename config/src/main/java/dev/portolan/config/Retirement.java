package dev.portolan.config;

import java.util.ArrayList;
import java.util.List;

/** Warnings about modes and options that are on their way out. */
public final class Retirement {
  private Retirement() {}

  /** What goes away in {@code written}: the mode ipvs, its options, the default mode. */
  public static List<Finding> warnings(Settings written, Platform platform, FeatureGates gates) {
    List<Finding> warnings = new ArrayList<>();
    String mode = written.text("mode");
    if (mode.equals("ipvs")) {
      if (gates.isOn(ProxyModes.IPVS_GATE)) {
        warnings.add(Finding.of(Severity.WARNING, "mode", ipvs(gates)));
      }
    } else {
      noOps(written, warnings);
    }
    if (mode.isEmpty() && platform == Platform.LINUX) {
      warnings.add(Finding.of(Severity.WARNING, "mode", unset(gates)));
    }
    return List.copyOf(warnings);
  }

  private static String ipvs(FeatureGates gates) {
    FeatureGate gate = FeatureGate.named(ProxyModes.IPVS_GATE);
    KubeVersion off = gate.off().orElseThrow();
    return "ipvs is deprecated"
        + (gates.emulated().atLeast(off) ? "" : ": it is off by default from " + off)
        + " and gone in "
        + gate.locked().orElseThrow()
        + "; move to nftables ('portolan migrate' says what changes)";
  }

  private static String unset(FeatureGates gates) {
    if (gates.emulated().atLeast(ProxyModes.NFTABLES_BY_DEFAULT)) {
      return "no mode is given, so nftables is used, as is the default from 1.40 on; write 'mode:"
          + " nftables', or 'mode: iptables' to keep iptables";
    }
    return "no mode is given, so iptables is used; 1.40 will default to nftables; write 'mode:"
        + " iptables' to keep iptables, or 'mode: nftables' to move now";
  }

  /** Values at their defaults are left alone: kubeadm and written files name every field. */
  private static void noOps(Settings written, List<Finding> warnings) {
    Settings full = Defaults.apply(written);
    Settings defaults = Defaults.apply(Settings.empty(written.version()));
    String mode = written.text("mode");
    for (String path : written.values().keySet()) {
      if (path.startsWith("ipvs.")
          && !full.value(path).equals(defaults.value(path))
          && !isCarriedAlong(path, full)) {
        warnings.add(Finding.of(Severity.WARNING, path, noEffect(mode)));
      }
    }
  }

  /** The conversion from v1alpha1 gives ipvs the bit of iptables, whatever the mode. */
  private static boolean isCarriedAlong(String path, Settings full) {
    return path.equals("ipvs.masqueradeBit")
        && full.value(path).equals(full.value("iptables.masqueradeBit"));
  }

  /** Why an option of ipvs does nothing. */
  static String noEffect(String mode) {
    return "has no effect: it is for the mode ipvs, and the mode is "
        + (mode.isEmpty() ? "not set" : mode)
        + "; remove it";
  }
}
