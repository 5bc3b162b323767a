package dev.portolan.inspection.analyze;

import dev.portolan.analyze.Analysis;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.KnownMistake.Severity;
import dev.portolan.terminal.query.ResultTree;
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
  private record Facts(
      String source, int errors, int warnings, int infos, List<String> skippedCodes) {}

  /** The tree of {@code -o json}. */
  ResultTree tree() {
    return ResultTree.list(
        "Analysis",
        new Facts(
            source,
            count(Severity.ERROR),
            count(Severity.WARNING),
            count(Severity.INFO),
            analysis.skipped().stream().map(KnownMistake::code).toList()),
        "findings",
        shown,
        finding -> "finding/" + finding.mistake().code());
  }

  /** The tree of a list of codes. */
  static ResultTree of(List<KnownMistake> mistakes) {
    return ResultTree.list(
        "KnownMistakeList", Map.of(), "mistakes", mistakes, mistake -> "mistake/" + mistake.code());
  }

  private int count(Severity severity) {
    return (int) findings.stream().filter(one -> one.mistake().severity() == severity).count();
  }
}
