package dev.portolan.brain;

import dev.portolan.core.cluster.ClusterChange;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.Trigger;
import dev.portolan.core.node.TriggerLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides, for every node with an open view, what should become of each service's traffic.
 *
 * <p>One thread at a time changes the cluster ({@link #apply}) or opens and closes views; any
 * number of threads read the decision and the images of the views without a lock.
 *
 * <p>A change costs what it touches. The services of the objects that differ, and those that win or
 * lose an address, are read again and laid into the layers that the views share ({@link
 * ViewLayers}). A view gets a new revision only if something that it shows is different.
 */
public final class Brain {
  private final BrainSettings settings;
  private final WarningBook warnings;
  private final Claims claims = new Claims();
  private final SliceDrafts slices = new SliceDrafts();
  private final ViewLayers layers = new ViewLayers(this::plan);
  private final TriggerLog triggers = new TriggerLog();
  private final Set<NodeView> views = new HashSet<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Nodes with an open view whose Node object was deleted, as they were last. */
  private final Map<String, Node> deleted = new HashMap<>();

  /** The cluster and the plans that are being worked on; equal to the decision between changes. */
  private ClusterImage cluster = ClusterImage.EMPTY;

  private PersistentMap<NamespacedName, ServicePlan> plans = PersistentMap.empty();

  private volatile ClusterDecision decision;

  /** A brain that reports to {@code warnings} what is wrong with the cluster's objects. */
  public Brain(Consumer<Warning> warnings) {
    this(BrainSettings.DEFAULT, warnings);
  }

  /** The same with other settings. */
  public Brain(BrainSettings settings, Consumer<Warning> warnings) {
    this.settings = settings;
    this.warnings = new WarningBook(warnings);
    this.decision = ClusterDecision.unsynced(settings);
  }

  /** What is decided now. */
  public ClusterDecision decision() {
    return decision;
  }

  /** The cluster as it was handed over last. */
  public ClusterImage cluster() {
    return decision.cluster();
  }

  /** Whether the cluster is known. */
  public boolean isSynced() {
    return decision.isSynced();
  }

  /**
   * Calls {@code listener} after each change of the cluster, whether or not it decides anything. It
   * is called by the thread that brought the change, and must only wake up the readers.
   */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** Looks at the cluster from the node {@code name}, which need not exist. */
  public synchronized NodeView open(String name, NodeSettings settings) {
    NodeView view = new NodeView(this, name, settings);
    views.add(view);
    layers.open(name, zone(name));
    if (isSynced()) {
      view.update(decision, facts(view), layers.services(name), triggers.position(), true);
    }
    return view;
  }

  /** What is decided for a node now; no view stays open. */
  public NodeDecision decision(String node, NodeSettings nodeSettings) {
    try (NodeView view = open(node, nodeSettings)) {
      return view.decision();
    }
  }

  synchronized void close(NodeView view) {
    if (views.remove(view)) {
      if (layers.close(view.node())) {
        deleted.remove(view.node());
      }
      warnings.update(view, List.of());
    }
  }

  /** Takes an edit of the cluster as it is. */
  public synchronized ClusterChange apply(ClusterDelta edit) {
    return apply(edit.applyTo(cluster));
  }

  /**
   * Takes the cluster as it is now; what differs from before is one transaction. The first one says
   * that the cluster is known.
   *
   * @return what differs
   */
  public synchronized ClusterChange apply(ClusterImage newest) {
    ClusterImage before = cluster;
    ClusterChange change = ClusterChange.between(before, newest);
    boolean first = !isSynced();
    if (change.isEmpty() && !first) {
      return change;
    }
    cluster = newest;
    boolean decided = false;
    try {
      decide(before, newest, change, first);
      decided = true;
    } finally {
      // What failed is decided about again, with the next change or when it is handed over again.
      cluster = decided ? newest : before;
    }
    return change;
  }

  private void decide(
      ClusterImage before, ClusterImage newest, ClusterChange change, boolean first) {
    Map<NamespacedName, Optional<Service>> touched = new LinkedHashMap<>();
    before
        .services()
        .diff(newest.services(), (name, old, now) -> touched.put(name, Optional.ofNullable(now)));
    before.slices().diff(newest.slices(), (name, old, now) -> moveSlice(old, now, touched));
    List<Map.Entry<NamespacedName, Optional<ServicePlan>>> replanned = replan(touched);
    plans = plans.edited(replanned);
    layers.place(replanned);
    Set<String> changedNodes = new HashSet<>(change.nodes());
    for (String name : change.nodes()) {
      keepDeleted(name, before.nodes().get(name));
      layers.move(name, zone(name));
    }
    decision = new ClusterDecision(decision.revision() + 1, settings, newest, plans);
    boolean allFactsMayDiffer = first || !change.serviceCidrs().isEmpty();
    for (NodeView view : views) {
      boolean factsMayDiffer = allFactsMayDiffer || changedNodes.contains(view.node());
      publish(view, factsMayDiffer ? facts(view) : view.image().facts(), first);
    }
    layers.settle();
    listeners.forEach(Runnable::run);
  }

  /** Remembers a node that was deleted while it is looked at, and forgets one that is back. */
  private void keepDeleted(String name, @Nullable Node before) {
    if (cluster.nodes().containsKey(name)) {
      deleted.remove(name);
    } else if (before != null && settings.keepDeletedNodes() && layers.isOpen(name)) {
      deleted.put(name, before.asLeaving());
    }
  }

  /** Gives a view what now applies to it, with a new revision if that decides anything else. */
  private void publish(NodeView view, NodeFacts facts, boolean first) {
    NodeImage image = view.image();
    NodeServices services = layers.services(view.node());
    boolean changed =
        first
            || !facts.equals(image.facts())
            || layers.changedFor(view.node(), image.services(), services);
    view.update(decision, facts, services, triggers.position(), changed);
  }

  /** The plan of a service, or null where the cluster has no such service. */
  private @Nullable ServicePlan plan(NamespacedName service) {
    return plans.get(service);
  }

  private NodeFacts facts(NodeView view) {
    String name = view.node();
    NodeReader.Reading reading = NodeReader.read(name, node(name), view.settings(), cluster);
    warnings.update(view, reading.warnings());
    return reading.facts();
  }

  private String zone(String node) {
    Node object = node(node);
    return object == null ? "" : object.zone();
  }

  /** The node's object, or the one that it had, or null. */
  private @Nullable Node node(String name) {
    Node object = cluster.nodes().get(name);
    return object == null ? deleted.get(name) : object;
  }

  /** Puts a slice under the service that it now belongs to; services that notice are touched. */
  private void moveSlice(
      @Nullable EndpointSlice before,
      @Nullable EndpointSlice after,
      Map<NamespacedName, Optional<Service>> touched) {
    NamespacedName old = before == null ? null : before.service().orElse(null);
    NamespacedName now = after == null ? null : after.service().orElse(null);
    if (before != null && old != null) {
      touched.computeIfAbsent(old, this::service);
      if (!old.equals(now)) {
        slices.remove(old, before.name());
      }
    }
    if (after != null && now != null) {
      // Its name as the service itself has it, so that the name is kept once.
      NamespacedName service =
          touched.computeIfAbsent(now, this::service).map(Service::name).orElse(now);
      slices.put(service, after);
      if (after.triggerTime() != null
          && (before == null || !after.triggerTime().equals(before.triggerTime()))) {
        triggers.append(new Trigger(service, after.triggerTime()));
      }
    }
    if (before != null && old == null) {
      warnings.update(before.ref(), List.of());
    }
    if (after != null && now == null) {
      warnings.update(after.ref(), List.of(withoutLabel(after)));
    }
  }

  private static Warning withoutLabel(EndpointSlice slice) {
    return new Warning(
        slice.ref(),
        "metadata.labels",
        "has no label " + EndpointSlice.SERVICE_NAME_LABEL + "; it belongs to no service");
  }

  /**
   * Plans the touched services again, and those whose addresses changed hands, which are touched by
   * that.
   */
  private List<Map.Entry<NamespacedName, Optional<ServicePlan>>> replan(
      Map<NamespacedName, Optional<Service>> touched) {
    List<Optional<ServiceDraft>> drafts = new ArrayList<>(touched.size());
    Set<Claim> moved = new HashSet<>();
    for (Map.Entry<NamespacedName, Optional<Service>> entry : touched.entrySet()) {
      ServicePlan old = plan(entry.getKey());
      Service service = entry.getValue().orElse(null);
      ServiceDraft draft = service == null ? null : read(service);
      claims.replace(old == null ? null : old.draft(), draft, moved);
      drafts.add(Optional.ofNullable(draft));
    }
    Set<NamespacedName> others = new TreeSet<>();
    moved.forEach(claim -> claims.collect(claim, others));
    others.removeAll(touched.keySet());
    for (NamespacedName name : others) {
      touched.put(name, service(name));
      drafts.add(Optional.ofNullable(plan(name)).map(ServicePlan::draft));
    }
    List<Map.Entry<NamespacedName, Optional<ServicePlan>>> replanned =
        new ArrayList<>(drafts.size());
    for (NamespacedName name : touched.keySet()) {
      ServiceDraft draft = drafts.get(replanned.size()).orElse(null);
      ServicePlan plan = draft == null ? null : ServicePlan.of(draft, claims);
      warnings.update(name, plan == null ? List.of() : plan.warnings());
      replanned.add(Map.entry(name, Optional.ofNullable(plan)));
    }
    return replanned;
  }

  private Optional<Service> service(NamespacedName name) {
    return Optional.ofNullable(cluster.services().get(name));
  }

  private ServiceDraft read(Service service) {
    return ServiceReader.read(
        settings.allowExternalIps() ? service : service.withoutExternalIps(),
        slices.of(service.name()),
        settings);
  }
}
