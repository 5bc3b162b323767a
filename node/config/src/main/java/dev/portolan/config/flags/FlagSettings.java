package dev.portolan.config.flags;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Conversion;
import dev.portolan.config.fields.Defaults;
import dev.portolan.config.fields.FieldTable;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.Retirement;
import dev.portolan.config.validation.Validator;
import dev.portolan.core.net.Ip;
import dev.portolan.text.syntax.HostPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Turns flags into settings: alone, or on top of a file. */
public final class FlagSettings {
  private FlagSettings() {}

  /**
   * The settings of flags without a file; what is not given behaves as v1alpha1 does by default.
   */
  public static Settings alone(FlagValues flags) {
    Settings settings =
        Conversion.convert(Settings.empty(ConfigVersion.V1ALPHA1), ConfigVersion.latest())
            .settings();
    for (Flag flag : flags.given()) {
      if (flag.path() != null) {
        settings = settings.with(flag.path(), flags.value(flag.name()));
      }
    }
    settings = bindAddress(flags, periods(flags, settings));
    if (flags.has("iptables-masquerade-bit") && settings.isMode(ProxyMode.IPVS)) {
      settings = settings.with("ipvs.masqueradeBit", flags.value("iptables-masquerade-bit"));
    }
    if (!flags.has("write-config-to")) {
      settings = port(flags, settings, "healthz");
      settings = port(flags, settings, "metrics");
    }
    return withoutDefaults(flags, hostname(flags, Defaults.apply(settings)));
  }

  /** Leaves out what v1alpha2 has by default, so that only explicit values count as set. */
  private static Settings withoutDefaults(FlagValues flags, Settings settings) {
    Settings sparse = settings;
    for (String path : FieldTable.paths(settings.version())) {
      Object byDefault = FieldTable.row(settings.version(), path).defaultValue(settings.version());
      boolean isGiven = flags.given().stream().anyMatch(flag -> path.equals(flag.path()));
      if (!isGiven && settings.value(path).equals(byDefault)) {
        sparse = sparse.without(path);
      }
    }
    return sparse;
  }

  /** The settings of a file, with the flags that concern this one instance on top. */
  public static Settings over(ConfigFile file, FlagValues flags) {
    Settings settings = file.convert(ConfigVersion.latest()).settings();
    for (Flag flag : flags.given()) {
      if (flag.path() == null || !flag.appliesWithConfig()) {
        continue;
      }
      Object value = flags.value(flag.name());
      if (flag.type() == FlagType.VMODULE) {
        List<Object> items = new ArrayList<>((List<?>) value);
        items.addAll((List<?>) settings.value(flag.path()));
        value = List.copyOf(items);
      }
      settings = settings.with(flag.path(), value);
    }
    return hostname(flags, settings);
  }

  /** The name of a flag where it stands for the field of a finding. */
  public static Finding named(FlagValues flags, Finding finding) {
    for (Flag flag : flags.given()) {
      if (flags.applies(flag) && isFor(flag, finding)) {
        return Finding.of(finding.severity(), flag.spelling(), finding.text());
      }
    }
    return finding;
  }

  /** The same finding under the name of the flag for its field, whether it was given or not. */
  private static Finding spelled(Finding finding) {
    return Flag.all().values().stream()
        .filter(flag -> isFor(flag, finding))
        .findFirst()
        .map(flag -> Finding.of(finding.severity(), flag.spelling(), finding.text()))
        .orElse(finding);
  }

  private static boolean isFor(Flag flag, Finding finding) {
    String path = flag.path();
    return path != null
        && (finding.path().equals(path)
            || finding.path().startsWith(path + "[")
            || finding.path().startsWith(path + "."));
  }

  /** All findings about flags without a file, in the names of the flags. */
  public static List<Finding> check(FlagValues flags, Platform platform) {
    Settings settings = alone(flags);
    FeatureGates gates = FeatureGates.defaults(flags.emulated());
    List<Finding> findings = new ArrayList<>();
    for (Finding finding : Validator.check(settings, platform, gates)) {
      Finding named = spelled(finding);
      boolean retired =
          named.severity() == FindingSeverity.WARNING
              && named.path().startsWith("--ipvs-")
              && !named.path().equals("--ipvs-exclude-cidrs");
      if (!retired) {
        findings.add(named);
      }
    }
    for (Flag flag : flags.given()) {
      if (flag.isOnlyForIpvs() && !settings.isMode(ProxyMode.IPVS)) {
        String text = Retirement.noEffect(settings.text("mode"));
        findings.add(Finding.of(FindingSeverity.WARNING, flag.spelling(), text));
      }
    }
    return findings;
  }

  private static Settings periods(FlagValues flags, Settings settings) {
    String prefix = settings.isMode(ProxyMode.IPVS) ? "ipvs-" : "iptables-";
    Settings changed = settings;
    if (flags.has(prefix + "sync-period")) {
      changed = changed.with("syncPeriod", flags.value(prefix + "sync-period"));
    }
    if (flags.has(prefix + "min-sync-period")) {
      changed = changed.with("minSyncPeriod", flags.value(prefix + "min-sync-period"));
    }
    return changed;
  }

  private static Settings bindAddress(FlagValues flags, Settings settings) {
    String address = flags.text("bind-address");
    boolean any = address.isEmpty() || Ip.parse(address).filter(Ip::isUnspecified).isPresent();
    return any || flags.has("node-ip-override")
        ? settings
        : settings.with("nodeIPOverride", List.of(address));
  }

  private static Settings port(FlagValues flags, Settings settings, String server) {
    int port = (Integer) flags.value(server + "-port");
    String path = server + "BindAddress";
    if (port == 0) {
      return settings.with(path, "");
    }
    String address = settings.text(path);
    return address.isEmpty() ? settings : settings.with(path, HostPort.appendPort(address, port));
  }

  private static Settings hostname(FlagValues flags, Settings settings) {
    if (!flags.has("hostname-override") || flags.text("hostname-override").isEmpty()) {
      return settings;
    }
    String name = flags.text("hostname-override").strip().toLowerCase(Locale.ROOT);
    if (name.isEmpty()) {
      throw ConfigException.of("--hostname-override", "empty hostname-override is invalid");
    }
    return settings.with("hostnameOverride", name);
  }
}
