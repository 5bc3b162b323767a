package dev.portolan.inspection.audit;

import dev.portolan.audit.AuditResult;
import dev.portolan.core.net.Ip;
import dev.portolan.terminal.query.ResultTree;
import java.time.Duration;
import java.util.List;

/** An audit for programs. */
record AuditTree(
    String node,
    long revision,
    String mode,
    String rules,
    String writtenBy,
    int services,
    long packets,
    boolean comparedRules,
    List<Ip> notOnHost,
    List<String> notFollowed,
    double seconds) {
  /** The audit, and how long it took. */
  static ResultTree of(AuditedSides.Compared compared, Duration took) {
    AuditResult result = compared.result();
    return ResultTree.list(
        "AuditDifferenceList",
        new AuditTree(
            compared.node().name(),
            result.revision(),
            compared.mode(),
            result.rules(),
            compared.ours() ? "portolan" : "kube-proxy",
            result.services(),
            result.packets(),
            result.comparedRules(),
            result.lacking(),
            compared.unseen(),
            took.toMillis() / 1000.0),
        "differences",
        result.differences(),
        difference -> "difference/" + difference.place());
  }
}
