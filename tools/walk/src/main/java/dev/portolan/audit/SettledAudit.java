package dev.portolan.audit;

import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.core.node.NodeService;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Repeats an audit that found differences. The decision and the kernel are read one after the
 * other, and a change may be under way in between: only differences that persist count.
 */
public final class SettledAudit {
  private SettledAudit() {}

  /**
   * The result of {@code audit}, with those differences that {@code times} audits in a row found.
   *
   * @param audit audits the services that it is given
   * @param pause how long to wait between audits
   */
  public static AuditResult of(
      Function<Predicate<NodeService>, AuditResult> audit, int times, Duration pause)
      throws InterruptedException {
    AuditResult result = audit.apply(service -> true);
    for (int i = 1; i < times && !result.isClean(); i++) {
      Thread.sleep(pause);
      result = result.alsoIn(audit.apply(concerned(result)));
    }
    return result;
  }

  /** The services that differences are about: all, if one of them is not about a service. */
  private static Predicate<NodeService> concerned(AuditResult result) {
    Set<String> names = new HashSet<>();
    for (AuditDifference difference : result.differences()) {
      if (difference.basis() == Basis.PACKETS) {
        names.add(difference.service().split(":", 2)[0]);
      }
    }
    return names.contains("")
        ? service -> true
        : service -> names.contains(service.name().toString());
  }
}
