package dev.portolan.audit;

import dev.portolan.core.net.Ip;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an audit of a node found.
 *
 * @param rules what the kernel's rules are, for a person
 * @param revision of the image that they were compared with
 * @param services how many that image has
 * @param packets how many packets were walked through the rules
 * @param comparedRules whether the rules were also compared one by one with those that a sync would
 *     write; only our own can be
 * @param lacking addresses of the node that its host does not have, where no nodePort is looked for
 */
public record AuditResult(
    String rules,
    long revision,
    int services,
    long packets,
    boolean comparedRules,
    List<Ip> lacking,
    List<AuditDifference> differences) {
  private static final Comparator<AuditDifference> ORDER =
      Comparator.comparing(AuditDifference::basis, Comparator.reverseOrder())
          .thenComparing(AuditDifference::kind)
          .thenComparing(AuditDifference::service)
          .thenComparing(AuditDifference::place);

  public AuditResult {
    lacking = List.copyOf(lacking);
    differences = differences.stream().sorted(ORDER).toList();
  }

  /** Whether the kernel is as decided. */
  public boolean isClean() {
    return differences.isEmpty();
  }

  /** The same with more differences. */
  public AuditResult with(List<AuditDifference> more) {
    List<AuditDifference> all = new ArrayList<>(differences);
    all.addAll(more);
    return new AuditResult(rules, revision, services, packets, comparedRules, lacking, all);
  }

  /** The same with those differences only that {@code other} has as well. */
  AuditResult alsoIn(AuditResult other) {
    Set<AuditDifference> found = new HashSet<>(other.differences);
    return new AuditResult(
        rules,
        revision,
        services,
        packets,
        comparedRules,
        lacking,
        differences.stream().filter(found::contains).toList());
  }
}
