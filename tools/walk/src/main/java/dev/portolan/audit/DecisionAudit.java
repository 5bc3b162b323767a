package dev.portolan.audit;

import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.audit.AuditDifference.Kind;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.ServiceChange;
import java.util.ArrayList;
import java.util.List;

/** Compares what follows from a cluster's objects with what a daemon has decided. */
public final class DecisionAudit {
  private DecisionAudit() {}

  /**
   * In what a daemon's image is not the one that follows from the objects.
   *
   * @param expected what follows from the objects
   * @param daemon what the daemon has decided
   */
  public static List<AuditDifference> compare(NodeImage expected, NodeImage daemon) {
    List<AuditDifference> differences = new ArrayList<>();
    if (!expected.facts().equals(daemon.facts())) {
      differences.add(
          of(
              Kind.DIFFERENT,
              "node " + daemon.facts().name(),
              "",
              "the daemon has other facts or settings of its node"));
    }
    for (ServiceChange change : NodeChange.between(daemon, expected).services()) {
      if (change.before() == null) {
        differences.add(
            of(
                Kind.MISSING,
                "the daemon's decision",
                change.name().toString(),
                "the cluster has the service, and the daemon does not serve it"));
      } else if (change.after() == null) {
        differences.add(
            of(
                Kind.STALE,
                "the daemon's decision",
                change.name().toString(),
                "the daemon still serves it, and the cluster does not have it"));
      } else {
        differences.add(
            of(
                Kind.DIFFERENT,
                "the daemon's decision",
                change.name().toString(),
                "the daemon has decided otherwise than follows from the cluster's objects"));
      }
    }
    return differences;
  }

  private static AuditDifference of(Kind kind, String place, String service, String text) {
    return new AuditDifference(kind, Basis.DECISION, place, service, text);
  }
}
