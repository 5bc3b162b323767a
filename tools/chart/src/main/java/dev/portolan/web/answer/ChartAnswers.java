package dev.portolan.web.answer;

import dev.portolan.brain.NodeDecision;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.text.Json;
import dev.portolan.core.text.Tree;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import dev.portolan.web.state.ChartFeed;
import dev.portolan.web.state.ChartState;
import dev.portolan.web.state.NodeRow;
import dev.portolan.web.state.NodeRows;
import dev.portolan.web.state.Reading;
import dev.portolan.web.state.ServiceRow;
import dev.portolan.wiring.ChartSubject;
import dev.portolan.wiring.ExplainedMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Every question that the page can ask, by its name. */
public final class ChartAnswers {
  private final ChartSubject subject;
  private final ChartFeed feed;
  private final NodeRows nodeRows;
  private final NodeLooks looks;
  private final Map<String, BiFunction<ChartState, Query, Object>> questions;
  private @Nullable Services services;

  /** All rows, written once per revision. */
  private record Services(long revision, String text) {}

  private record Nodes(long revision, Collection<NodeRow> nodes) {}

  private record Overview(
      String version,
      String source,
      Reading reading,
      String node,
      boolean synced,
      long revision,
      int services,
      int nodes,
      SortedSet<String> namespaces,
      SortedSet<String> zones,
      List<String> nodeNames,
      String mode,
      List<String> modes,
      boolean history,
      boolean traffic,
      boolean fleet) {}

  /** Answers about what {@code feed} shows. */
  public ChartAnswers(
      ChartSubject subject, ChartFeed feed, NodeRows nodeRows, Answers.Maker maker) {
    this.subject = subject;
    this.feed = feed;
    this.nodeRows = nodeRows;
    this.looks = new NodeLooks(subject.brain());
    Answers commands = maker.about(subject, looks);
    this.questions =
        Map.of(
            "overview", (state, _) -> overview(state),
            "service", this::service,
            "nodes", (state, _) -> nodes(state),
            "node", this::node,
            "search", (state, query) -> SearchAnswer.of(query.text("q"), state),
            "explain", commands::explain,
            "whatif", commands::whatIf,
            "history", commands::history,
            "traffic", (state, query) -> TrafficAnswer.of(subject.traffic().get(), query, state));
  }

  /** The answer to {@code question}, in JSON; empty where there is no such question. */
  public Optional<byte[]> answer(String question, Query query) {
    ChartState state = feed.newest();
    if (question.equals("services")) {
      return Optional.of(services(state).getBytes(StandardCharsets.UTF_8));
    }
    BiFunction<ChartState, Query, Object> known = questions.get(question);
    return known == null
        ? Optional.empty()
        : Optional.of(
            Json.line(Tree.of(known.apply(state, query))).getBytes(StandardCharsets.UTF_8));
  }

  /** Forgets answers that are no longer asked for. */
  public synchronized void rest() {
    looks.rest();
    if (services != null && services.revision != subject.brain().decision().revision()) {
      services = null;
    }
  }

  private Object overview(ChartState state) {
    TreeSet<String> namespaces = new TreeSet<>();
    state.rows().forEach((name, _) -> namespaces.add(name.namespace()));
    TreeSet<String> zones = new TreeSet<>();
    List<String> names = new ArrayList<>();
    for (Map.Entry<String, Node> node : state.decision().cluster().nodes()) {
      names.add(node.getKey());
      if (!node.getValue().zone().isEmpty()) {
        zones.add(node.getValue().zone());
      }
    }
    List<String> modes = subject.modes().stream().map(mode -> mode.dataplane().name()).toList();
    return new Overview(
        subject.version(),
        subject.source(),
        Reading.of(subject),
        subject.node(),
        state.decision().isSynced(),
        state.revision(),
        state.rows().size(),
        names.size(),
        namespaces,
        zones,
        names,
        modes.getFirst(),
        modes,
        subject.recording().isPresent(),
        subject.traffic().get().isPresent(),
        subject.fleet().isPresent());
  }

  private synchronized String services(ChartState state) {
    Services known = services;
    if (known == null || known.revision != state.revision()) {
      StringBuilder text = new StringBuilder(256 * (state.rows().size() + 1));
      text.append("{\"revision\":").append(state.revision()).append(",\"services\":[");
      boolean first = true;
      for (Map.Entry<?, ServiceRow> row : state.rows()) {
        text.append(first ? "" : ",").append(Json.line(Tree.of(row.getValue())));
        first = false;
      }
      known = new Services(state.revision(), text.append("]}").toString());
      services = known;
    }
    return known.text;
  }

  private Object nodes(ChartState state) {
    return new Nodes(state.revision(), nodeRows.of(state).values());
  }

  private Object service(ChartState state, Query query) {
    NamespacedName name = name(query.text("id"));
    String node = query.text("node").isEmpty() ? usualNode(state) : query.text("node");
    checkNode(node, state);
    ExplainedMode mode = subject.modes().getFirst();
    NodeDecision decision = looks.decision(node, mode.settings());
    // The brain may have gone on since the state was drawn.
    ServicePlan plan = decision.cluster().plans().get(name);
    ServiceRow row = feed.newest().rows().get(name);
    if (plan == null || row == null) {
      throw CommandFailure.missing(
          "no service '" + Text.printable(name.toString()) + "' in " + subject.source());
    }
    return new ServiceAnswer(decision, plan, mode.dataplane()).with(row);
  }

  private static NamespacedName name(String id) {
    int slash = id.indexOf('/');
    if (slash <= 0 || slash == id.length() - 1) {
      throw new IllegalArgumentException("name a service with id=NAMESPACE/NAME");
    }
    return new NamespacedName(id.substring(0, slash), id.substring(slash + 1));
  }

  /** The node that a daemon runs on, or the first one. */
  private String usualNode(ChartState state) {
    PersistentMap<String, Node> nodes = state.decision().cluster().nodes();
    return !subject.node().isEmpty() || nodes.isEmpty()
        ? subject.node()
        : nodes.iterator().next().getKey();
  }

  private void checkNode(String node, ChartState state) {
    boolean known =
        node.equals(subject.node()) || state.decision().cluster().nodes().containsKey(node);
    if (!known) {
      throw CommandFailure.missing("no Node '" + Text.printable(node) + "' in " + subject.source());
    }
  }

  private Object node(ChartState state, Query query) {
    String name = query.text("name");
    NodeRow row = nodeRows.of(state).get(name);
    if (row == null) {
      throw CommandFailure.missing("no Node '" + Text.printable(name) + "' in " + subject.source());
    }
    ExplainedMode mode = subject.modes().getFirst();
    return NodeAnswer.of(looks.decision(name, mode.settings()), row, mode.dataplane());
  }
}
