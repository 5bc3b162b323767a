package dev.portolan.testkit;

import dev.portolan.core.fate.Explanation;
import dev.portolan.core.fate.Explanation.LeftOut;
import dev.portolan.core.fate.Explanation.Share;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes explanations as far as a scenario asks: verdict, endpoints, masquerade and left-out
 * endpoints always; the steps only where the expectation quotes them.
 */
final class ExplainLines {
  private static final String BECAUSE = "because ";

  private ExplainLines() {}

  /** The explanations, with the steps that {@code expected} quotes, or all where it is wrong. */
  static List<String> of(List<Explanation> explanations, List<String> expected) {
    List<List<String>> blocks = blocks(expected);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < explanations.size(); i++) {
      List<String> block = i < blocks.size() ? blocks.get(i) : List.of();
      boolean named =
          explanations.size() > 1 || (!block.isEmpty() && block.getFirst().startsWith("at "));
      lines.addAll(lines(explanations.get(i), named, block));
    }
    return lines;
  }

  /** The expected lines of each explanation: all but the first begin with "at". */
  private static List<List<String>> blocks(List<String> expected) {
    List<List<String>> blocks = new ArrayList<>();
    for (String line : expected) {
      if (blocks.isEmpty() || line.startsWith("at ")) {
        blocks.add(new ArrayList<>());
      }
      blocks.getLast().add(line);
    }
    return blocks;
  }

  private static List<String> lines(Explanation explanation, boolean named, List<String> expected) {
    List<String> lines = new ArrayList<>();
    if (named) {
      lines.add("at " + explanation.subject());
    }
    lines.add(explanation.verdict() + endpoints(explanation.endpoints()));
    if (explanation.verdict() == Verdict.FORWARD) {
      lines.add(masquerade(explanation));
    }
    lines.addAll(because(explanation.steps(), expected));
    for (LeftOut leftOut : explanation.leftOut()) {
      lines.add("left out " + leftOut.label() + " " + leftOut.reason().sentence());
    }
    return lines;
  }

  private static String masquerade(Explanation explanation) {
    List<Share> masqueraded = explanation.endpoints().stream().filter(Share::masquerade).toList();
    if (explanation.masquerade()) {
      return "masqueraded";
    }
    return masqueraded.isEmpty() ? "not masqueraded" : "masqueraded to" + endpoints(masqueraded);
  }

  private static String endpoints(List<Share> shares) {
    StringBuilder text = new StringBuilder();
    shares.forEach(share -> text.append(' ').append(share.endpoint()));
    return text.toString();
  }

  /** The quotes, where each is part of a step and they come in the order of the steps. */
  private static List<String> because(List<Step> steps, List<String> expected) {
    List<String> quotes = expected.stream().filter(line -> line.startsWith(BECAUSE)).toList();
    int found = 0;
    for (Step step : steps) {
      if (found < quotes.size()
          && step.text().contains(quotes.get(found).substring(BECAUSE.length()))) {
        found++;
      }
    }
    boolean unwritten = expected.isEmpty();
    return found == quotes.size() && !unwritten
        ? quotes
        : steps.stream().map(step -> BECAUSE + step.text()).toList();
  }
}
