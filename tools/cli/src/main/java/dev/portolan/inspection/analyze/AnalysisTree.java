package dev.portolan.inspection.analyze;

import dev.portolan.analyze.Analysis;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.KnownMistake.Severity;
import dev.portolan.terminal.query.ResultTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was found, for programs.
 *
 * @param findings all that count
 * @param shown those that are printed
 */
record AnalysisTree(
    String source, Analysis analysis, List<ClusterFinding> findings, List<ClusterFinding> shown) {
  /** The tree of {@code -o json}. */
  ResultTree tree() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("source", source);
    facts.put("errors", count(Severity.ERROR));
    facts.put("warnings", count(Severity.WARNING));
    facts.put("infos", count(Severity.INFO));
    facts.put("skippedCodes", analysis.skipped().stream().map(KnownMistake::code).toList());
    return ResultTree.list(
        "Analysis",
        facts,
        "findings",
        shown.stream()
            .map(finding ->
                new ResultTree.Item("finding/" + finding.mistake().code(), finding.tree()))
            .toList());
  }

  /** The tree of a list of codes. */
  static ResultTree of(List<KnownMistake> mistakes) {
    return ResultTree.list(
        "KnownMistakeList",
        Map.of(),
        "mistakes",
        mistakes.stream()
            .map(mistake -> new ResultTree.Item("mistake/" + mistake.code(), tree(mistake)))
            .toList());
  }

  private static Map<String, Object> tree(KnownMistake mistake) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("code", mistake.code());
    tree.put("severity", mistake.severity().toString());
    tree.put("title", mistake.title());
    tree.put("seen", mistake.seen());
    tree.put("remedy", mistake.remedy());
    tree.put("needs", AnalysisText.needs(mistake));
    tree.put("text", mistake.text());
    return tree;
  }

  private int count(Severity severity) {
    return (int) findings.stream().filter(one -> one.mistake().severity() == severity).count();
  }
}
