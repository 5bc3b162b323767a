package dev.portolan.cli.chart;

import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.ClusterDecision;
import dev.portolan.brain.NodeSettings;
import dev.portolan.compare.decisions.DecidedState;
import dev.portolan.compare.events.ClusterEvent;
import dev.portolan.compare.events.EventParser;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.text.Tree;
import dev.portolan.decision.NodeChoice;
import dev.portolan.explain.ExplainQuestion;
import dev.portolan.terminal.view.Explained;
import dev.portolan.terminal.view.ExplanationText;
import dev.portolan.terminal.view.ExplanationTree;
import dev.portolan.timemachine.replay.HistoryAnswer;
import dev.portolan.timemachine.whatif.WhatIfAnswer;
import dev.portolan.web.answer.Answers;
import dev.portolan.web.answer.HeavyWork;
import dev.portolan.web.answer.NodeLooks;
import dev.portolan.web.answer.Query;
import dev.portolan.web.state.ChartState;
import dev.portolan.wiring.ChartSubject;
import dev.portolan.wiring.ExplainedMode;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers that commands give as well, with their code: a tree for programs, and a text. */
public final class CommandAnswers implements Answers {
  private static final List<String> EVENTS =
      List.of("drain", "lose", "delete", "scale", "not-ready");

  private final ChartSubject subject;
  private final NodeLooks looks;
  private final HeavyWork heavy = new HeavyWork();

  /** Answers about {@code subject}. */
  public CommandAnswers(ChartSubject subject, NodeLooks looks) {
    this.subject = subject;
    this.looks = looks;
  }

  @Override
  public Object explain(ChartState state, Query query) {
    ExplainQuestion question =
        ExplainQuestion.parse(
            query.text("target"), query.text("client"), query.truth("all"), query.text("mode"));
    ExplainedMode mode = question.mode(subject.modes(), ExplainedMode::dataplane);
    NodeSettings settings = mode.settings();
    Printed printed = new Printed();
    String named = query.text("node").isEmpty() ? subject.node() : query.text("node");
    NodeChoice choice =
        new NodeChoice(
            subject.source(),
            Optional.of(named).filter(name -> !name.isEmpty()),
            subject.node(),
            printed.remarks());
    List<String> nodes = choice.in(state.decision().cluster(), question);
    // No view stays open where all nodes are looked at: there may be thousands.
    List<Explanation> explanations =
        question.allNodes()
            ? heavy.run(() ->
                question.answer(
                    nodes, node -> subject.brain().decision(node, settings), mode.dataplane()))
            : question.answer(nodes, node -> looks.decision(node, settings), mode.dataplane());
    Explained explained =
        new Explained(
            question.target().toString(),
            mode.dataplane().name(),
            question.allNodes(),
            explanations,
            subject.places());
    return answer(
        state,
        new ExplanationTree(explained).tree(),
        printed.text(terminal -> terminal.print(new ExplanationText(explained, terminal).lines())),
        printed);
  }

  @Override
  public Object whatIf(ChartState state, Query query) {
    List<ClusterEvent> events = new ArrayList<>();
    for (String kind : EVENTS) {
      for (String value : query.all(kind)) {
        try {
          events.add(EventParser.parse(kind, value));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(kind + ": " + e.getMessage(), e);
        }
      }
    }
    if (events.isEmpty()) {
      throw new IllegalArgumentException(
          "nothing is to happen; say what with " + String.join(", ", EVENTS));
    }
    ClusterDecision decision = state.decision();
    BrainSettings settings = decision.settings();
    DecidedState now =
        new DecidedState(
            decision.cluster(),
            // As the command has it: what is imagined to be deleted is not served on.
            new BrainSettings(
                settings.allowExternalIps(),
                false,
                settings.serviceProxyName(),
                settings.balancing()),
            subject.modes().getFirst().settings());
    WhatIfAnswer answer =
        heavy.run(() -> WhatIfAnswer.of(now, events.stream().distinct().toList()));
    Printed printed = new Printed();
    return answer(
        state, answer.tree(subject.source()).tree(), printed.text(answer::print), printed);
  }

  @Override
  public Object history(ChartState state, Query query) {
    if (subject.recording().isEmpty()) {
      return new History(false, Map.of());
    }
    if (query.text("id").isEmpty()) {
      throw new IllegalArgumentException("name a service with id=NAMESPACE/NAME");
    }
    Printed printed = new Printed();
    HistoryAnswer answer =
        heavy.run(() ->
            HistoryAnswer.read(
                subject.recording().get().toString(),
                query.text("id"),
                Optional.of(query.text("node")).filter(name -> !name.isEmpty()),
                ZoneId.systemDefault(),
                printed.remarks()));
    return new History(
        true, answer(state, answer.tree().tree(), printed.text(answer::print), printed));
  }

  private record History(boolean available, @Tree.Inline Object answer) {}

  private record Answer(
      long revision, Map<String, Object> json, String text, List<String> warnings) {}

  private static Answer answer(
      ChartState state, Map<String, Object> json, String text, Printed printed) {
    return new Answer(state.revision(), json, text, printed.warnings());
  }
}
