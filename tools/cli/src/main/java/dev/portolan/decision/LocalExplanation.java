package dev.portolan.decision;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeView;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.node.Dataplane;
import dev.portolan.explain.ExplainQuestion;
import dev.portolan.options.NodeOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.view.Explained;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** What happens to connections in a cluster that this process reads. */
public final class LocalExplanation {
  private final ExplainQuestion question;
  private final SourceOptions source;
  private final Remarks remarks;
  private final DecisionSettings settings;
  private final Dataplane dataplane;
  private final NodeChoice choice;

  /** They stay open, so that nothing is warned of twice. */
  private final Map<String, NodeView> views = new HashMap<>();

  private List<String> nodes = List.of();
  private boolean answered;

  /** Answers {@code question} about the cluster of {@code source}. */
  public LocalExplanation(
      ExplainQuestion question, SourceOptions source, NodeOptions options, Remarks remarks) {
    this.question = question;
    this.source = source;
    this.remarks = remarks;
    options.follow(source, remarks);
    this.settings = options.settings(question.mode(), remarks);
    this.dataplane = options.dataplane(question.mode(), remarks);
    this.choice = NodeChoice.of(source, options, remarks);
  }

  /** The answer about the cluster as it is now. */
  public Explained read() {
    SourceOptions.Reading reading = source.read(remarks);
    reading.warnings().forEach(remarks::warn);
    nodes = choice.in(reading.image(), question);
    Brain brain = LocalDecision.brain(settings.cluster(), reading, remarks);
    try (Waiting _ = Waiting.busy(() -> "explaining", remarks)) {
      return explain(brain, object -> Optional.ofNullable(reading.places().get(object)));
    }
  }

  /**
   * The answer now, and after each change of the cluster, until nothing reads it any more. A
   * question that makes no sense at first is a mistake; later, it may make sense again.
   */
  public void follow(Consumer<Explained> answers, Terminal terminal) {
    Source cluster = source.open(remarks);
    Consumer<Brain> reader =
        brain -> {
          try {
            if (question.allNodes() || nodes.isEmpty()) {
              nodes = choice.in(brain.cluster(), question);
            }
            answers.accept(explain(brain, cluster::place));
            answered = true;
          } catch (IllegalArgumentException e) {
            String sentence = Text.printable(String.valueOf(e.getMessage()));
            if (!answered) {
              throw CommandFailure.usage(sentence);
            }
            remarks.warn(sentence);
          }
        };
    new Follower(cluster, settings.cluster(), reader, terminal, remarks).run();
  }

  private Explained explain(Brain brain, Function<ObjectRef, Optional<String>> places) {
    views
        .entrySet()
        .removeIf(entry -> {
          boolean gone = !nodes.contains(entry.getKey());
          if (gone) {
            entry.getValue().close();
          }
          return gone;
        });
    List<Explanation> explanations =
        question.answer(
            nodes,
            node ->
                views.computeIfAbsent(node, name -> brain.open(name, settings.node())).decision(),
            dataplane);
    return new Explained(
        question.target().toString(), dataplane.name(), question.allNodes(), explanations, places);
  }
}
