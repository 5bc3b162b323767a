package dev.portolan.config.validation;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Conversion;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.text.GoDuration;
import dev.portolan.text.syntax.DoubleQuotes;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The errors of a configuration: the rules that every one must keep, across all fields.
 *
 * <p>All errors are found at once. Each names the field as the version of the file does, the value
 * and the rule.
 */
public final class ErrorChecks {
  private static final List<String> LOCAL_MODES =
      List.of("ClusterCIDR", "NodeCIDR", "BridgeInterface", "InterfaceNamePrefix", "");
  private static final List<String> FAMILY_POLICIES =
      List.of("SingleStack", "PreferDualStack", "RequireDualStack", "");
  private static final Set<String> KEYWORDS = Set.of("primary", "localhost", "all");

  private final FieldChecks checks;

  /** The gate that permits endpoints on Windows to answer clients themselves. */
  private static final String DSR_GATE = "WinDSR";

  private final Settings settings;
  private final Platform platform;
  private final FeatureGates gates;

  private ErrorChecks(
      Settings settings, Platform platform, FeatureGates gates, ConfigVersion version) {
    this.settings = settings;
    this.platform = platform;
    this.gates = gates;
    this.checks = new FieldChecks(settings, version);
  }

  /**
   * What is wrong with {@code written}, in the words of its version.
   *
   * @param gates those of the emulated version and the flags, without those of the configuration
   */
  public static List<Finding> errors(Settings written, Platform platform, FeatureGates gates) {
    Settings latest = Conversion.convert(written, ConfigVersion.latest()).settings();
    ErrorChecks checks = new ErrorChecks(latest, platform, gates, written.version());
    return checks.run();
  }

  private List<Finding> run() {
    FeatureGates all = featureGates();
    mode(all);
    numbers();
    durations();
    addresses();
    nodePortAddresses();
    detectLocal();
    windows(all);
    LoggingChecks.check(checks, settings, all);
    hiddenMetrics();
    return checks.findings();
  }

  /** The gates with those of the configuration, as far as they can be set. */
  private FeatureGates featureGates() {
    List<Finding> wrong = gates.errors(settings.gates());
    if (wrong.isEmpty()) {
      return gates.with(settings.gates());
    }
    for (Finding finding : wrong) {
      checks.invalid(
          "featureGates",
          "." + finding.path(),
          settings.gates().get(finding.path()),
          finding.text());
    }
    return gates;
  }

  private void mode(FeatureGates all) {
    String mode = settings.text("mode");
    boolean allowed =
        ProxyMode.parse(mode)
            .filter(one -> one == ProxyMode.UNSET || ProxyMode.allowed(platform, all).contains(one))
            .isPresent();
    if (!allowed) {
      checks.invalid("mode", ProxyMode.rule(mode, platform, all));
    }
  }

  private void windows(FeatureGates all) {
    if (platform != Platform.WINDOWS) {
      return;
    }
    String sourceVip = settings.text("winkernel.sourceVip");
    if (!sourceVip.isEmpty() && Ip.parse(sourceVip).isEmpty()) {
      checks.invalid("winkernel.sourceVip", "must be an IP address");
    }
    if (settings.truth("winkernel.enableDSR") && !all.isOn(DSR_GATE)) {
      checks.invalid(
          "winkernel.enableDSR",
          "the feature gate " + DSR_GATE + " is off: turn it on, or emulate a newer release");
    }
  }

  private void numbers() {
    checks.range("iptables.masqueradeBit", 0, 31);
    if (settings.isMode(ProxyMode.IPVS)) {
      checks.range("ipvs.masqueradeBit", 0, 31);
    }
    if (ProxyMode.parse(settings.text("mode")).filter(ProxyMode::isNftables).isPresent()) {
      checks.range("nftables.masqueradeBit", 0, 31);
    }
    checks.range("linux.oomScoreAdj", -1000, 1000);
    checks.notNegative("linux.conntrack.maxPerCore");
    checks.notNegative("linux.conntrack.min");
    checks.notNegative("clientConnection.burst");
  }

  private void durations() {
    for (String name :
        List.of("tcpEstablishedTimeout", "tcpCloseWaitTimeout", "udpTimeout", "udpStreamTimeout")) {
      checks.notNegative("linux.conntrack." + name);
    }
    if (settings.isMode(ProxyMode.IPVS)) {
      for (String name : List.of("tcpTimeout", "tcpFinTimeout", "udpTimeout")) {
        checks.notNegative("ipvs." + name);
      }
      checks.cidrs("ipvs.excludeCIDRs", "must be a valid CIDR");
    }
    checks.positive("configSyncPeriod");
    checks.positive("syncPeriod");
    checks.notNegative("minSyncPeriod");
    if (settings.duration("minSyncPeriod").compareTo(settings.duration("syncPeriod")) > 0) {
      checks.invalid(
          "syncPeriod",
          "must be greater than or equal to "
              + checks.path("minSyncPeriod")
              + ", which is "
              + GoDuration.format(settings.duration("minSyncPeriod")));
    }
  }

  private void addresses() {
    String path = "nodeIPOverride";
    Set<IpFamily> families = new HashSet<>();
    checks.each(
        path,
        (step, text) -> {
          Optional<Ip> ip = Ip.parse(text);
          if (ip.isEmpty() || ip.get().isUnspecified()) {
            checks.invalid(path, step, text, checks.addressRule());
          } else if (!families.add(ip.get().family())) {
            checks.invalid(path, step, text, "must not be of the same family as the first");
          }
        });
    if (settings.texts(path).size() > 2) {
      checks.invalid(path, "must have at most one address per family");
    }
    checks.oneOf("ipFamilyPolicy", FAMILY_POLICIES);
    if (!settings.text("healthzBindAddress").isEmpty()) {
      checks.hostPort("healthzBindAddress");
    }
    checks.hostPort("metricsBindAddress");
  }

  private void nodePortAddresses() {
    String path = "nodePortAddresses";
    Set<String> seen = new HashSet<>();
    checks.each(
        path,
        (step, address) -> {
          if (KEYWORDS.contains(address)) {
            if (!seen.add(address)) {
              checks.error(path, step, "Duplicate value: " + DoubleQuotes.quote(address));
            }
          } else if (Cidr.parse(address).isEmpty()) {
            checks.invalid(
                path,
                step,
                address,
                "must be a valid CIDR or one of the keywords 'primary', 'localhost', 'all'");
          }
        });
  }

  private void detectLocal() {
    String mode = settings.text("detectLocalMode");
    checks.oneOf("detectLocalMode", LOCAL_MODES);
    switch (mode) {
      case "BridgeInterface" -> checks.notEmpty("detectLocal.bridgeInterface");
      case "InterfaceNamePrefix" -> checks.notEmpty("detectLocal.interfaceNamePrefix");
      case "ClusterCIDR" -> clusterCidrs();
      case "" -> {
        // Only on Linux does an empty mode mean ClusterCIDR.
        if (platform == Platform.LINUX) {
          clusterCidrs();
        }
      }
      default -> {}
    }
  }

  private void clusterCidrs() {
    String path = "detectLocal.clusterCIDRs";
    List<String> cidrs = settings.texts(path);
    List<IpFamily> families =
        cidrs.stream().flatMap(text -> Cidr.parse(text).stream()).map(Cidr::family).toList();
    checks.cidrs(path, "must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)");
    if (cidrs.size() > 2 || (families.size() == 2 && families.getFirst() == families.getLast())) {
      checks.invalid(
          path,
          "must be either a single CIDR or dual-stack pair of CIDRs"
              + " (e.g. [10.100.0.0/16, fde4:8dba:82e1::/48])");
    }
  }

  private void hiddenMetrics() {
    String text = settings.text("showHiddenMetricsForVersion");
    KubeVersion now = gates.emulated();
    KubeVersion previous = new KubeVersion(now.major(), now.minor() - 1);
    if (!text.isEmpty() && !text.equals(previous.toString())) {
      checks.invalid(
          "showHiddenMetricsForVersion",
          "invalid showHiddenMetricsForVersion: must be the previous minor version, " + previous);
    }
  }
}
