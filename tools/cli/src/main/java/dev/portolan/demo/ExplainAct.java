package dev.portolan.demo;

import dev.portolan.core.fate.Explanation;
import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.List;

/** Compares what {@code explain} said with what the packets did. */
final class ExplainAct implements Act {
  private static final int WIDTH = 72;

  @Override
  public void play(DemoStage stage, Page page) {
    page.heading("Explained");
    page.text(
        "portolan explain says what happens to a connection, from the manifests alone. Why did the"
            + " customer get no answer from shop/support?");
    page.gap();
    page.lines(lines(stage.explain(RefusalAct.SUPPORT)));
    page.gap();
    List<TriedConnection> all = stage.connections();
    List<TriedConnection> wrong =
        all.stream().filter(connection -> !connection.isAsExplained()).toList();
    page.check(
        wrong.isEmpty() && !all.isEmpty(),
        "the "
            + all.size()
            + " connections above were compared with what explain says, and it "
            + (wrong.isEmpty()
                ? "agrees with all of them: which pods may answer, and what address they see"
                : "is wrong about "
                    + wrong.size()
                    + ", such as "
                    + wrong.getFirst().question()
                    + ": "
                    + wrong.getFirst().reply()));
  }

  private static List<String> lines(Explanation explanation) {
    List<String> lines = new ArrayList<>();
    lines.add(
        explanation.subject() + "  from " + explanation.client() + "  →  " + explanation.verdict());
    int number = 0;
    for (Explanation.Step step : explanation.steps()) {
      number++;
      String start = "  " + number + ". ";
      for (String part : Text.wrap(step.text(), WIDTH - start.length())) {
        lines.add(start + part);
        start = "     ";
      }
    }
    return lines;
  }
}
