package dev.portolan.config.validation;

import dev.portolan.config.fields.Defaults;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.FeatureGate;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import java.util.ArrayList;
import java.util.List;

/** Warnings about modes and options that are on their way out. */
public final class Retirement {
  private Retirement() {}

  /**
   * A warning about the mode.
   *
   * @param reason the reason of the Node's event, as kube-proxy has it
   */
  public record Notice(String reason, String text) {}

  /** What goes away in {@code written}: the mode ipvs, its options, the default mode. */
  public static List<Finding> warnings(Settings written, Platform platform, FeatureGates gates) {
    List<Finding> warnings = new ArrayList<>();
    if (!written.isMode(ProxyMode.IPVS)) {
      noOps(written, warnings);
    }
    notices(written, platform, gates)
        .forEach(
            notice -> warnings.add(Finding.of(FindingSeverity.WARNING, "mode", notice.text())));
    return List.copyOf(warnings);
  }

  /** What is to be said about the mode, for people and for the Node's events. */
  public static List<Notice> notices(Settings written, Platform platform, FeatureGates gates) {
    if (written.isMode(ProxyMode.IPVS) && gates.isOn(ProxyMode.IPVS_GATE)) {
      return List.of(new Notice("IPVSDeprecation", ipvs(gates)));
    }
    if (written.isMode(ProxyMode.UNSET) && platform == Platform.LINUX) {
      return List.of(new Notice("KubeProxyDefaultMode", unset(gates)));
    }
    return List.of();
  }

  private static String ipvs(FeatureGates gates) {
    FeatureGate gate = FeatureGate.named(ProxyMode.IPVS_GATE);
    KubeVersion off = gate.off().orElseThrow();
    return "ipvs is deprecated"
        + (gates.emulated().atLeast(off) ? "" : ": it is off by default from " + off)
        + " and removed in "
        + gate.locked().orElseThrow()
        + "; move to nftables ('portolan migrate' reports what changes)";
  }

  private static String unset(FeatureGates gates) {
    if (gates.emulated().atLeast(ProxyMode.NFTABLES_BY_DEFAULT)) {
      return "not set, so nftables is used, the default from 1.40 on; set it to nftables to be"
          + " explicit, or to iptables to keep iptables";
    }
    return "not set, so iptables is used; from 1.40 on the default is nftables; set it to iptables"
        + " to keep it, or to nftables to move now";
  }

  /** Zeros, empty texts and lists count as not set: kubeadm and written files name every field. */
  private static void noOps(Settings written, List<Finding> warnings) {
    Settings full = Defaults.apply(written);
    Settings nothing = Settings.empty(written.version());
    String mode = written.text("mode");
    for (String path : written.values().keySet()) {
      if (path.startsWith("ipvs.")
          && !written.value(path).equals(nothing.value(path))
          && !isCarriedAlong(path, full)) {
        warnings.add(Finding.of(FindingSeverity.WARNING, path, noEffect(mode)));
      }
    }
  }

  /** The conversion from v1alpha1 gives ipvs the bit of iptables, whatever the mode. */
  private static boolean isCarriedAlong(String path, Settings full) {
    return path.equals("ipvs.masqueradeBit")
        && full.value(path).equals(full.value("iptables.masqueradeBit"));
  }

  /** Why an option of ipvs does nothing. */
  public static String noEffect(String mode) {
    return "has no effect: it applies to mode ipvs, and the mode is "
        + (mode.isEmpty() ? "not set" : mode)
        + "; remove it";
  }
}
