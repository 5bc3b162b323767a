package dev.portolan.inspection.analyze;

import dev.portolan.analyze.Analysis;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The findings to hide: codes, and codes of single objects. */
record Suppression(Set<String> words) {
  /** Reads words such as {@code P0403} and {@code P0403=shop/web}. */
  static Suppression parse(List<String> texts) {
    Set<String> codes =
        Analysis.mistakes().stream().map(KnownMistake::code).collect(Collectors.toSet());
    for (String text : texts) {
      int equals = text.indexOf('=');
      if (!codes.contains(equals < 0 ? text : text.substring(0, equals))) {
        throw CommandFailure.usage(
            "--suppress: '"
                + Text.printable(text)
                + "' does not start with a code; write one such as P0403 or P0403=shop/web");
      }
    }
    return new Suppression(new HashSet<>(texts));
  }

  /** Whether {@code finding} is left out. */
  boolean covers(ClusterFinding finding) {
    String code = finding.mistake().code();
    return words.contains(code) || words.contains(code + "=" + finding.object().name());
  }
}
