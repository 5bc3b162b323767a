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
import dev.portolan.core.net.Cidr;
import dev.portolan.text.syntax.DoubleQuotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Warnings about modes and options that are on their way out. */
public final class Retirement {
  /** The first release that warns of ipvs. */
  private static final KubeVersion IPVS_DEPRECATED = new KubeVersion(1, 35);

  /** The first release that warns of an unset mode. */
  private static final KubeVersion UNSET_DEPRECATED = new KubeVersion(1, 37);

  private static final String NOT_DEFAULT =
      "iptables is no longer the default: that is nftables from "
          + ProxyMode.NFTABLES_BY_DEFAULT
          + " on; consider moving there ('portolan migrate' reports what changes)";

  /** Honoured in every mode: by the takeover from a proxy that used ipvs. */
  private static final String EXCLUDED = "ipvs.excludeCIDRs";

  private Retirement() {}

  /**
   * A warning about the mode.
   *
   * @param reason the reason of the Node's event, as kube-proxy has it
   */
  public record Notice(String reason, String text) {}

  /** What goes away in {@code written}: the mode ipvs, its options, iptables as the default. */
  public static List<Finding> warnings(Settings written, Platform platform, FeatureGates gates) {
    List<Finding> warnings = new ArrayList<>();
    if (!written.isMode(ProxyMode.IPVS)) {
      noOps(written, warnings);
    }
    notices(written, platform, gates)
        .forEach(
            notice -> warnings.add(Finding.of(FindingSeverity.WARNING, "mode", notice.text())));
    if (written.isMode(ProxyMode.IPTABLES)
        && platform == Platform.LINUX
        && gates.emulated().atLeast(ProxyMode.NFTABLES_BY_DEFAULT)) {
      warnings.add(Finding.of(FindingSeverity.WARNING, "mode", NOT_DEFAULT));
    }
    return List.copyOf(warnings);
  }

  /** Notices about the mode, for people and for the Node's events. */
  public static List<Notice> notices(Settings written, Platform platform, FeatureGates gates) {
    if (written.isMode(ProxyMode.IPVS) && gates.isOn(ProxyMode.IPVS_GATE)) {
      return ipvs(gates).map(text -> new Notice("IPVSDeprecation", text)).stream().toList();
    }
    if (written.isMode(ProxyMode.UNSET)
        && platform == Platform.LINUX
        && gates.emulated().atLeast(UNSET_DEPRECATED)) {
      return List.of(new Notice("KubeProxyDefaultMode", unset(gates)));
    }
    return List.of();
  }

  /** Whether the field with this path is about ipvs, or about which mode is used. */
  public static boolean concerns(String field) {
    String section = ProxyMode.IPVS.section();
    return field.equals("mode") || field.equals(section) || field.startsWith(section + ".");
  }

  /** How far ipvs is on its way out in the emulated release, and what to do; empty before that. */
  public static Optional<String> ipvs(FeatureGates gates) {
    FeatureGate gate = FeatureGate.named(ProxyMode.IPVS_GATE);
    KubeVersion off = gate.off().orElseThrow();
    KubeVersion gone = gate.locked().orElseThrow();
    if (!gates.emulated().atLeast(IPVS_DEPRECATED)) {
      return Optional.empty();
    }
    String stage =
        gates.emulated().atLeast(gone)
            ? "ipvs was removed in " + gone
            : "ipvs is deprecated: it is off by default from " + off + " and removed in " + gone;
    return Optional.of(stage + "; move to nftables ('portolan migrate' reports what changes)");
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
      if (path.equals(EXCLUDED)) {
        excluded(written.texts(path), warnings);
      } else if (path.startsWith("ipvs.")
          && !written.value(path).equals(nothing.value(path))
          && !isCarriedAlong(path, full)) {
        warnings.add(Finding.of(FindingSeverity.WARNING, path, noEffect(mode)));
      }
    }
  }

  private static void excluded(List<String> cidrs, List<Finding> warnings) {
    for (int i = 0; i < cidrs.size(); i++) {
      if (Cidr.parse(cidrs.get(i)).isEmpty()) {
        warnings.add(
            Finding.of(
                FindingSeverity.WARNING,
                EXCLUDED + "[" + i + "]",
                DoubleQuotes.quote(cidrs.get(i))
                    + " is ignored: it is not a valid CIDR, so virtual servers in it are removed"
                    + " when a proxy in mode ipvs is replaced; correct it"));
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
