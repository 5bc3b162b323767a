package dev.portolan.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.portolan.audit.AuditResult;
import dev.portolan.audit.KernelAudit;
import dev.portolan.audit.NodeInterfaces;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeRules;
import dev.portolan.modes.ModeSettings;
import dev.portolan.modes.OpenBackend;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.kernel.KernelRulesets;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** How long it takes to compare a kernel with what was decided, in a process that starts for it. */
final class AuditBench {
  private static final int SERVICES = 10_000;
  private static final int ENDPOINTS = 6;
  private static final int NODES = 100;

  private AuditBench() {}

  static void run(Report report) {
    measure(report, "nftables", Variant.AUTO);
    measure(report, "iptables", Variant.LEGACY);
  }

  private static void measure(Report report, String mode, Variant variant) {
    String what =
        String.format(Locale.ROOT, "audit of %,d services x %d, %s", SERVICES, ENDPOINTS, mode);
    report.progress(what);
    try (BenchNamespace namespace = new BenchNamespace()) {
      namespace.ip("link", "add", "eth0", "type", "bridge");
      namespace.ip("link", "set", "eth0", "up");
      namespace.ip("link", "set", "lo", "up");
      namespace.ip("address", "add", "172.16.0.1/16", "dev", "eth0");
      namespace.ip("route", "add", "default", "via", "172.16.0.2");
      OpenBackend opened = rules(mode, variant, namespace.path()).open();
      try (Backend backend = opened.backend()) {
        backend.sync(NodeChange.to(image()));
        backend.tidy();
      }
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      String output =
          BenchNamespace.run(
              List.of(
                  java,
                  "--enable-native-access=ALL-UNNAMED",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  AuditBench.class.getName(),
                  mode,
                  variant.name(),
                  namespace.path().toString()),
              "");
      String[] figures = output.strip().split("\\s+", -1);
      report.value("rules read", Double.parseDouble(figures[0]), "s");
      report.value("  packets walked", Double.parseDouble(figures[1]), "");
      report.atMost(what, Double.parseDouble(figures[2]), 5, "s");
      report.value("  time of processors", Double.parseDouble(figures[3]), "s");
    }
  }

  private static ModeRules rules(String mode, Variant variant, Path namespace) {
    return KernelModes.named(mode)
        .orElseThrow()
        .rules(ModeSettings.byDefault().with(variant).in(Optional.of(namespace)));
  }

  private static NodeImage image() {
    Brain brain = new Brain(warning -> {});
    brain.apply(new SyntheticCluster(SERVICES, ENDPOINTS, NODES).all());
    return brain
        .open(SyntheticCluster.name(0), NodeSettings.DEFAULT)
        .image();
  }

  /**
   * Audits a namespace once; prints seconds of reading, packets, seconds in all, and of processors.
   */
  public static void main(String[] args) {
    NodeImage image = image();
    ModeRules rules = rules(args[0], Variant.valueOf(args[1]), Path.of(args[2]));
    Optional<Path> namespace = Optional.of(Path.of(args[2]));
    OperatingSystemMXBean processors =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long used = processors.getProcessCpuTime();
    long start = System.nanoTime();
    Ruleset kernel = KernelRulesets.read(namespace).getFirst();
    double read = (System.nanoTime() - start) / 1e9;
    OpenBackend opened = rules.open();
    AuditResult result;
    try (Backend _ = opened.backend()) {
      result =
          new KernelAudit(
                  rules.dataplane(),
                  kernel,
                  NodeInterfaces.read(namespace, image.facts()),
                  Optional.of(opened.drift()::apply))
              .compare(image);
    }
    double all = (System.nanoTime() - start) / 1e9;
    double busy = (processors.getProcessCpuTime() - used) / 1e9;
    if (!result.isClean()) {
      throw new IllegalStateException(
          "a clean kernel differs: " + result.differences().getFirst() + ", and others");
    }
    System.out.printf(
        Locale.ROOT, "%f %d %f %f%n", read, result.packets(), all, busy);
  }
}
