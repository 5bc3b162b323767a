package dev.portolan.testkit;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeView;
import dev.portolan.conformance.clusters.FactLines;
import dev.portolan.conformance.clusters.StateLines;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.explain.Explainer;
import dev.portolan.testkit.Scenario.Section;
import dev.portolan.testkit.Scenario.Step;
import dev.portolan.testkit.Scenario.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays a scenario to a brain and compares.
 *
 * <p>Whatever the scenario expects, some things must hold of every one: see {@link Invariants}.
 * Warnings that a transaction brings must be expected.
 */
public final class ScenarioRunner {
  private final Scenario scenario;
  private final List<String> warnings = new ArrayList<>();
  private final Brain brain;
  private final NodeView view;
  private final List<String> failures = new ArrayList<>();
  private final ScenarioText text;
  private NodeSnapshot before;

  private ScenarioRunner(Scenario scenario) {
    this.scenario = scenario;
    this.brain = new Brain(scenario.cluster(), warning -> warnings.add(warning.toString()));
    this.view = brain.open(scenario.node(), scenario.settings());
    this.before = view.newest();
    this.text = new ScenarioText(scenario.lines());
  }

  /** Plays {@code scenario} to the end, whatever fails on the way. */
  public static ScenarioReport run(Scenario scenario) {
    ScenarioRunner runner = new ScenarioRunner(scenario);
    runner.play();
    return new ScenarioReport(runner.failures, runner.text.toString());
  }

  private void play() {
    Invariants invariants = new Invariants(scenario, brain, view);
    for (int i = 0; i < scenario.steps().size(); i++) {
      Step step = scenario.steps().get(i);
      switch (step) {
        case Step.SetObjects set -> {
          warnings.clear();
          warnings.addAll(set.warnings());
          apply(Transactions.setting(set.objects()));
          invariants.observe(step);
        }
        case Step.Delete delete -> {
          warnings.clear();
          checkPresence(delete);
          apply(Transactions.deleting(delete.objects()));
          invariants.observe(step);
        }
        case Step.Expect expect -> compare(expect.section(), sorted(expect), actual(expect));
        case Step.Explain explain -> compareExplanation(explain);
      }
      if (isTransaction(step) && !expectsWarnings(i)) {
        compareUnexpectedWarnings(step.section());
      }
    }
    invariants.failures().forEach(this::fail);
  }

  private void apply(ClusterDelta transaction) {
    before = view.newest();
    brain.apply(transaction);
  }

  private void checkPresence(Step.Delete delete) {
    ClusterImage cluster = brain.cluster();
    for (ObjectRef object : delete.objects()) {
      boolean present =
          Transactions.visit(
              object,
              name -> cluster.services().get(name) != null,
              name -> cluster.slices().get(name) != null,
              name -> cluster.nodes().get(name) != null,
              name -> cluster.serviceCidrs().get(name) != null);
      if (!present) {
        fail(at(delete.section()) + ": there is no " + object + " to delete");
      }
    }
  }

  private List<String> actual(Step.Expect expect) {
    NodeImage now = view.image();
    return switch (expect.subject()) {
      case STATE -> StateLines.of(now);
      case REVISION -> {
        long steps = now.revision() - before.image().revision();
        yield List.of(steps == 0 ? "unchanged" : "+" + steps);
      }
      case DELTA -> StateLines.of(NodeChange.between(before, view.newest()));
      case WARNINGS -> warnings.stream().sorted().toList();
      case FACTS ->
          expect.lines().isEmpty()
              ? FactLines.of(now.facts())
              : FactLines.of(now.facts(), expect.lines());
    };
  }

  /** The order of warnings does not matter. */
  private static List<String> sorted(Step.Expect expect) {
    return expect.subject() == Subject.WARNINGS
        ? expect.lines().stream().sorted().toList()
        : expect.lines();
  }

  private void compareExplanation(Step.Explain explain) {
    List<String> actual;
    try {
      actual = explanation(explain);
    } catch (RuntimeException e) {
      fail(at(explain.section()) + ": '" + explain.section().title() + "' crashed: " + e);
      return;
    }
    compare(explain.section(), explain.lines(), actual);
  }

  private List<String> explanation(Step.Explain explain) {
    try {
      return ExplainLines.of(
          new Explainer(view.decision()).explain(explain.target(), explain.client()),
          explain.lines());
    } catch (IllegalArgumentException e) {
      return List.of("error " + e.getMessage());
    }
  }

  private static boolean isTransaction(Step step) {
    return step instanceof Step.SetObjects || step instanceof Step.Delete;
  }

  /** Whether the warnings of the transaction at {@code index} are spoken of before the next one. */
  private boolean expectsWarnings(int index) {
    for (Step step : scenario.steps().subList(index + 1, scenario.steps().size())) {
      if (isTransaction(step)) {
        return false;
      }
      if (step instanceof Step.Expect expect && expect.subject() == Subject.WARNINGS) {
        return true;
      }
    }
    return false;
  }

  private void compareUnexpectedWarnings(Section section) {
    if (!warnings.isEmpty()) {
      List<String> actual = warnings.stream().sorted().toList();
      fail(
          at(section)
              + ": warnings that no section '-- expect warnings --' expects\n"
              + indented(actual, List.of(), "+ "));
      text.insertAfter(section, Subject.WARNINGS.title(), actual);
    }
  }

  private void compare(Section section, List<String> expected, List<String> actual) {
    if (!expected.equals(actual)) {
      fail(
          at(section)
              + ": '"
              + section.title()
              + "' does not hold\n  expected:\n"
              + indented(expected, actual, "- ")
              + "\n  actual:\n"
              + indented(actual, expected, "+ "));
      text.replace(section, actual);
    }
  }

  /** The lines, with a mark at those that {@code others} do not have. */
  private static String indented(List<String> lines, List<String> others, String mark) {
    return lines.isEmpty()
        ? "      (nothing)"
        : String.join(
            "\n",
            lines.stream()
                .map(line -> "    " + (others.contains(line) ? "  " : mark) + line)
                .toList());
  }

  private void fail(String message) {
    failures.add(message);
  }

  private String at(Section section) {
    return scenario.file() + ":" + section.line();
  }
}
