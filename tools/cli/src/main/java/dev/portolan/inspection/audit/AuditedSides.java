package dev.portolan.inspection.audit;

import dev.portolan.audit.AuditDifference;
import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.audit.AuditDifference.Kind;
import dev.portolan.audit.AuditResult;
import dev.portolan.audit.DecisionAudit;
import dev.portolan.audit.KernelAudit;
import dev.portolan.audit.NodeInterfaces;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.text.Counted;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.OpenBackend;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.walk.kernel.KernelRulesets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The sides of an audit of one node, each of which is read again for every audit.
 *
 * @param namespace whose rules are compared; empty for this process's own
 * @param mode the mode whose rules are meant; empty for those that are found
 * @param settings what our own rules may have been written with, the most likely first
 * @param decided what is decided for the node, given the mode
 * @param daemon what the node's daemon has decided, where that is another side
 */
record AuditedSides(
    Optional<Path> namespace,
    String mode,
    List<ModeSettings> settings,
    Function<String, NodeImage> decided,
    Optional<Supplier<NodeImage>> daemon) {
  /**
   * What was compared, and who wrote the rules.
   *
   * @param unseen rules of other kinds that packets meet as well, and that were not followed
   */
  record Compared(
      AuditResult result, NodeFacts node, String mode, boolean ours, List<String> unseen) {
    Compared {
      unseen = List.copyOf(unseen);
    }

    /** The same with another result. */
    Compared with(AuditResult other) {
      return new Compared(other, node, mode, ours, unseen);
    }
  }

  /** Reads all sides and compares them; packets are walked to {@code chosen} services only. */
  Compared compare(Predicate<NodeService> chosen) {
    String table = ModeConfiguration.table(settings.getFirst());
    Optional<FoundRules> found = FoundRules.read(namespace, mode, table);
    String meant = found.map(FoundRules::mode).orElse(mode);
    NodeImage image = decided.apply(meant);
    AuditResult result =
        found
            .map(rules -> compare(rules, image, chosen).with(rules.foreign(table)))
            .orElseGet(() -> nothing(image));
    AuditResult all =
        daemon.map(side -> result.with(DecisionAudit.compare(image, side.get()))).orElse(result);
    return new Compared(
        all,
        image.facts(),
        meant,
        found.map(FoundRules::ours).orElse(true),
        found.map(it -> KernelRulesets.unseen(it.rules(), namespace)).orElse(List.of()));
  }

  /** That a kernel has no rules at all. */
  private static AuditResult nothing(NodeImage image) {
    int services = image.services().size();
    List<AuditDifference> missing =
        services == 0
            ? List.of()
            : List.of(
                new AuditDifference(
                    Kind.MISSING,
                    Basis.PACKETS,
                    "the kernel",
                    "",
                    "it has no rules for services, neither Portolan's nor kube-proxy's: "
                        + Counted.of(services, "service")
                        + (services == 1 ? " is" : " are")
                        + " not served"));
    return new AuditResult("no rules", image.revision(), services, 0, false, List.of(), missing);
  }

  private AuditResult compare(FoundRules found, NodeImage image, Predicate<NodeService> chosen) {
    NodeInterfaces interfaces = NodeInterfaces.read(namespace, image.facts());
    List<ModeRules> candidates = new ArrayList<>();
    for (ModeSettings each : settings) {
      candidates.add(KernelModes.named(found.mode()).orElseThrow().rules(found.adapt(each)));
    }
    if (!found.ours()) {
      return new KernelAudit(
              candidates.getLast().dataplane(), found.rules(), interfaces, Optional.empty())
          .compare(image, chosen);
    }
    ModeRules fitting = candidates.getFirst();
    List<String> fewest = lines(fitting, image);
    for (ModeRules other : candidates.subList(1, candidates.size())) {
      List<String> lines = fewest.isEmpty() ? fewest : lines(other, image);
      if (lines.size() < fewest.size()) {
        fitting = other;
        fewest = lines;
      }
    }
    List<String> drift = fewest;
    return new KernelAudit(
            fitting.dataplane(), found.rules(), interfaces, Optional.of(same -> drift))
        .compare(image, chosen);
  }

  /** What a sync would change; nothing is written. */
  private static List<String> lines(ModeRules rules, NodeImage image) {
    OpenBackend opened = rules.open();
    try (Backend _ = opened.backend()) {
      return opened.drift().apply(image);
    }
  }
}
