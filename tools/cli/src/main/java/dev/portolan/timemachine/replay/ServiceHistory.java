package dev.portolan.timemachine.replay;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeView;
import dev.portolan.compare.FieldChange;
import dev.portolan.compare.ObjectDiff;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.source.record.RecordedEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides a recording for one node, or for all that it has, and notes what changes for a service.
 */
final class ServiceHistory {
  private final NamespacedName service;
  private final Optional<String> node;
  private final Function<RecordedEvent.Started, DecisionSettings> configured;
  private final Consumer<HistoryEntry> entries;
  private final Map<String, NodeView> views = new TreeMap<>();
  private DecisionSettings settings = DecisionSettings.DEFAULT;
  private @Nullable Brain brain;
  private ClusterImage cluster = ClusterImage.EMPTY;
  private Map<String, Optional<NodeService>> decided = Map.of();
  private boolean begun;
  private int withoutEffect;

  /**
   * Nothing is decided yet.
   *
   * @param node the only one to look at; empty for all
   * @param configured the settings of each process that recorded
   */
  public ServiceHistory(
      NamespacedName service,
      Optional<String> node,
      Function<RecordedEvent.Started, DecisionSettings> configured,
      Consumer<HistoryEntry> entries) {
    this.service = service;
    this.node = node;
    this.configured = configured;
    this.entries = entries;
  }

  /** How many changes of the service's objects changed no decision. */
  public int withoutEffect() {
    return withoutEffect;
  }

  /** Takes the next event. */
  public void take(RecordedEvent event) {
    switch (event) {
      case RecordedEvent.Started started -> {
        settings = configured.apply(started);
        brain = null;
        views.clear();
      }
      case RecordedEvent.State state -> take(state);
      case RecordedEvent.Synced _, RecordedEvent.Repaired _, RecordedEvent.Problem _ -> {}
    }
  }

  private void take(RecordedEvent.State state) {
    boolean restarted = brain == null;
    Brain deciding = brain == null ? new Brain(settings.cluster(), warning -> {}) : brain;
    brain = deciding;
    deciding.apply(state.cluster());
    look(deciding);
    Map<String, Optional<NodeService>> now = new LinkedHashMap<>();
    views.forEach(
        (name, view) -> now.put(name, Optional.ofNullable(view.image().service(service))));
    List<HistoryEntry.Group> groups = groups(now);
    ObjectDiff objects = ObjectDiff.of(cluster, state.cluster());
    boolean first = !begun;
    List<FieldChange> own = first ? List.of() : objects.own(service);
    if (!groups.isEmpty()) {
      entries.accept(
          new HistoryEntry(
              state.time(),
              state.revision(),
              first,
              restarted && !first,
              now.size(),
              groups,
              first ? List.of() : objects.causes(service)));
    } else if (!own.isEmpty()) {
      withoutEffect++;
    }
    begun = true;
    decided = now;
    cluster = state.cluster();
  }

  /** Opens a view for each node that there is, and closes those of the others. */
  private void look(Brain deciding) {
    List<String> names = new ArrayList<>();
    if (node.isPresent()) {
      names.add(node.get());
    } else {
      deciding.cluster().nodes().forEach((name, object) -> names.add(name));
      if (names.isEmpty()) {
        // A cluster without Nodes decides the same for any name.
        names.add("");
      }
    }
    views
        .entrySet()
        .removeIf(entry -> {
          boolean gone = !names.contains(entry.getKey());
          if (gone) {
            entry.getValue().close();
          }
          return gone;
        });
    for (String name : names) {
      views.computeIfAbsent(name, _ -> deciding.open(name, settings.node()));
    }
  }

  /** What differs; a node that has just come has nothing to differ from. */
  private List<HistoryEntry.Group> groups(Map<String, Optional<NodeService>> now) {
    Map<ServiceChange, List<String>> nodes = new LinkedHashMap<>();
    now.forEach((name, service) -> {
      Optional<NodeService> before = begun ? decided.get(name) : Optional.empty();
      if (before != null && !before.equals(service)) {
        ServiceChange change =
            new ServiceChange(this.service, before.orElse(null), service.orElse(null));
        nodes.computeIfAbsent(change, _ -> new ArrayList<>()).add(name);
      }
    });
    List<HistoryEntry.Group> groups = new ArrayList<>();
    nodes.forEach((change, names) -> groups.add(new HistoryEntry.Group(change, names)));
    return groups;
  }
}
