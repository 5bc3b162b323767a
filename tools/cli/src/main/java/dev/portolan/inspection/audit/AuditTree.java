package dev.portolan.inspection.audit;

import dev.portolan.audit.AuditDifference;
import dev.portolan.audit.AuditResult;
import dev.portolan.core.net.Ip;
import dev.portolan.terminal.query.ResultTree;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** An audit for programs. */
final class AuditTree {
  private AuditTree() {}

  /** The audit, and how long it took. */
  static ResultTree of(AuditedSides.Compared compared, Duration took) {
    AuditResult result = compared.result();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("node", compared.node().name());
    facts.put("revision", result.revision());
    facts.put("mode", compared.mode());
    facts.put("rules", result.rules());
    facts.put("writtenBy", compared.ours() ? "portolan" : "kube-proxy");
    facts.put("services", result.services());
    facts.put("packets", result.packets());
    facts.put("comparedRules", result.comparedRules());
    facts.put("notOnHost", result.lacking().stream().map(Ip::toString).toList());
    facts.put("notFollowed", compared.unseen());
    facts.put("seconds", took.toMillis() / 1000.0);
    return ResultTree.list(
        "AuditDifferenceList",
        facts,
        "differences",
        result.differences().stream()
            .map(one -> new ResultTree.Item("difference/" + one.place(), tree(one)))
            .toList());
  }

  private static Map<String, Object> tree(AuditDifference difference) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", difference.kind().toString());
    tree.put("basis", difference.basis().toString());
    tree.put("service", difference.service());
    tree.put("place", difference.place());
    tree.put("text", difference.text());
    return tree;
  }
}
