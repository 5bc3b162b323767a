package dev.portolan.config.validation;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.FieldTable;
import dev.portolan.config.fields.PlatformDefaults;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.text.syntax.HostPort;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks for a configuration that is valid but probably not what was meant.
 *
 * <p>With {@code configHardFail} each finding is an error; a few always are.
 */
public final class QuestionableChecks {
  private static final String CLUSTER_CIDRS = "detectLocal.clusterCIDRs";

  private final Settings settings;
  private final ConfigVersion version;
  private final @Nullable ClusterShape shape;
  private final List<Finding> findings = new ArrayList<>();

  private QuestionableChecks(
      Settings settings, ConfigVersion version, @Nullable ClusterShape shape) {
    this.settings = settings;
    this.version = version;
    this.shape = shape;
  }

  /** What can be said without a cluster. */
  public static List<Finding> check(Settings written, Platform platform, FeatureGates gates) {
    return run(written, platform, gates, null);
  }

  /** All that can be said in a cluster. */
  public static List<Finding> check(
      Settings written, Platform platform, FeatureGates gates, ClusterShape shape) {
    return run(written, platform, gates, shape);
  }

  private static List<Finding> run(
      Settings written, Platform platform, FeatureGates gates, @Nullable ClusterShape shape) {
    ProxyConfiguration effective =
        PlatformDefaults.apply(ProxyConfiguration.of(written), platform, gates);
    QuestionableChecks checks =
        new QuestionableChecks(effective.settings(), written.version(), shape);
    checks.nodePorts();
    checks.missingClusterCidrs();
    if (shape != null) {
      checks.families(shape);
    }
    return effective.configHardFail()
        ? checks.findings.stream().map(QuestionableChecks::hardened).toList()
        : List.copyOf(checks.findings);
  }

  private static Finding hardened(Finding finding) {
    return finding.severity() == FindingSeverity.ERROR
        ? finding
        : new Finding(
            FindingSeverity.ERROR,
            finding.file(),
            finding.place(),
            finding.path(),
            finding.text() + " (with 'configHardFail: false' this is a warning)");
  }

  private void nodePorts() {
    if (settings.isMode(ProxyMode.KERNELSPACE)) {
      // Windows has them on every address, whatever is set.
      return;
    }
    String path = "nodePortAddresses";
    List<String> addresses = settings.texts(path);
    if (addresses.isEmpty()) {
      add(
          path,
          "not set, so node ports are open on every address of this node; set it to primary for the"
              + " node's own address only, or to all to keep it that way");
      return;
    }
    Set<IpFamily> families = families(addresses);
    boolean allCidrs = addresses.stream().allMatch(text -> Cidr.parse(text).isPresent());
    if (shape == null || !allCidrs || families.size() != 1) {
      return;
    }
    if (families.contains(shape.primary()) && anyDualStack(shape)) {
      add(path, openTo(shape.other(), shape.primary(), "the cluster is dual-stack"));
    } else if (families.contains(shape.other())) {
      add(path, openTo(shape.primary(), shape.other(), "the cluster is " + shape));
    }
  }

  private static String openTo(IpFamily open, IpFamily written, String cluster) {
    return "has only ranges of "
        + written
        + ", but "
        + cluster
        + ": node ports are open on every "
        + open
        + " address of this node; add a range of "
        + open
        + ", or write primary";
  }

  private void missingClusterCidrs() {
    if (settings.text("detectLocalMode").equals("ClusterCIDR")
        && settings.texts(CLUSTER_CIDRS).isEmpty()) {
      add(
          CLUSTER_CIDRS,
          "must contain at least one CIDR, or traffic from pods cannot be distinguished from"
              + " external traffic; set the cluster's pod range, or use another detectLocalMode");
    }
  }

  private void families(ClusterShape shape) {
    String cluster = ", but the cluster is " + shape + "; ";
    String ranges = "has only ranges of " + shape.other() + cluster + "add one of ";
    String address = "is of " + shape.other() + cluster + "write one of " + shape.primary();
    if (hasOnly(settings.texts(CLUSTER_CIDRS), shape.other())) {
      boolean fatal = settings.text("detectLocalMode").equals("ClusterCIDR") && !shape.dualStack();
      add(CLUSTER_CIDRS, ranges + shape.primary(), fatal);
    }
    if (hasOnly(shape.podCidrs(), shape.other())) {
      add(
          "detectLocalMode",
          "this node's podCIDRs are all of family "
              + shape.other()
              + cluster
              + "fix the Node object, or use another detectLocalMode",
          settings.text("detectLocalMode").equals("NodeCIDR"));
    }
    Optional<Ip> sourceVip = Ip.parse(settings.text("winkernel.sourceVip"));
    if (sourceVip.filter(ip -> ip.family() == shape.other()).isPresent()) {
      add("winkernel.sourceVip", address);
    }
    if (shape.dualStack()) {
      return;
    }
    if (hasOnly(settings.texts("ipvs.excludeCIDRs"), shape.other())) {
      add("ipvs.excludeCIDRs", ranges + shape.primary());
    }
    for (String path : List.of("healthzBindAddress", "metricsBindAddress")) {
      boolean wrong =
          HostPort.split(settings.text(path))
              .flatMap(parts -> Ip.parse(parts.host()))
              .filter(ip -> ip.family() == shape.other() && !ip.isUnspecified())
              .isPresent();
      if (wrong && !isDefault(path)) {
        add(path, address);
      }
    }
  }

  /** No warning for an address that the user did not set. */
  private boolean isDefault(String path) {
    ConfigVersion latest = ConfigVersion.latest();
    return settings.value(path).equals(FieldTable.row(latest, path).defaultValue(latest));
  }

  private boolean anyDualStack(ClusterShape shape) {
    return families(settings.texts(CLUSTER_CIDRS)).size() == 2
        || families(settings.texts("ipvs.excludeCIDRs")).size() == 2
        || families(shape.podCidrs()).size() == 2;
  }

  private static boolean hasOnly(List<String> cidrs, IpFamily family) {
    return families(cidrs).equals(Set.of(family));
  }

  private static Set<IpFamily> families(List<String> cidrs) {
    return cidrs.stream()
        .flatMap(text -> Cidr.parse(text).stream())
        .map(Cidr::family)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(IpFamily.class)));
  }

  private void add(String path, String text) {
    add(path, text, false);
  }

  private void add(String path, String text, boolean fatal) {
    findings.add(
        Finding.of(
            fatal ? FindingSeverity.ERROR : FindingSeverity.QUESTIONABLE,
            FieldTable.pathIn(version, path, settings.text("mode")),
            text));
  }
}
