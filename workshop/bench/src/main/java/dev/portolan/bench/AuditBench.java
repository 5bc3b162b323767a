package dev.portolan.bench;

import dev.portolan.audit.AuditResult;
import dev.portolan.audit.KernelAudit;
import dev.portolan.audit.NodeInterfaces;
import dev.portolan.backend.iptables.IptablesMode;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.Samples;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.OpenBackend;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.walk.kernel.KernelRulesets;
import java.nio.file.Path;
import java.util.Optional;

/** How long it takes to compare a kernel of 10,000 services with what was decided. */
final class AuditBench {
  private AuditBench() {}

  static void run(Report report) {
    NodeImage image = new BenchNode(new SyntheticCluster(10_000, 6, 100).all()).image();
    measure(report, "nftables", Variant.AUTO, image);
    measure(report, "iptables", Variant.LEGACY, image);
  }

  private static void measure(Report report, String mode, Variant variant, NodeImage image) {
    report.progress(mode + ", 10,000 services x 6 endpoints");
    try (BenchNamespace namespace = new BenchNamespace()) {
      namespace.ip("link", "set", "lo", "up");
      namespace.ip("address", "add", "172.16.0.1/16", "dev", "lo");
      namespace.ip("route", "add", "default", "dev", "lo", "src", "172.16.0.1");
      Optional<Path> path = Optional.of(namespace.path());
      ModeRules rules =
          KernelModes.named(mode)
              .orElseThrow()
              .rules(ModeConfiguration.byDefault().with(IptablesMode.VARIANT, variant).in(path));
      try (Backend backend = rules.open().backend()) {
        backend.sync(NodeChange.to(image));
        backend.tidy();
      }
      Samples samples = Samples.of(0, 5, i -> audit(rules, path, image));
      report.value("audit, " + mode + ", the slowest, which is the first", samples.millis(1), "ms");
      report.atMost("audit, " + mode + ", median of 5", samples.millis(0.5), 5_000, "ms");
    }
  }

  private static void audit(ModeRules rules, Optional<Path> namespace, NodeImage image) {
    OpenBackend opened = rules.open();
    try (Backend _ = opened.backend()) {
      AuditResult result =
          new KernelAudit(
                  rules.dataplane(),
                  KernelRulesets.read(namespace).getFirst(),
                  NodeInterfaces.read(namespace, image.facts()),
                  Optional.of(opened.drift()::apply))
              .compare(image);
      if (!result.isClean()) {
        throw new IllegalStateException("a clean kernel differs: " + result.differences());
      }
    }
  }
}
