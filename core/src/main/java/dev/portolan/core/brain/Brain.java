package dev.portolan.core.brain;

import dev.portolan.core.brain.Claim.Claimant;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.Trigger;
import dev.portolan.core.node.TriggerLog;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides, for every node that somebody looks at, what shall become of each service's traffic.
 *
 * <p>One thread at a time changes the cluster ({@link #apply}) or opens and closes views; any
 * number of threads read the images of the views without a lock.
 *
 * <p>A change costs what it touches. A transaction names the objects that it touches; their
 * services, and those that thereby win or lose an address, are read again and laid into the layers
 * that the views share ({@link ViewLayers}). A view gets a new revision only if something that it
 * shows is different.
 */
public final class Brain {
  private final WarningBook warnings;
  private final Claims claims = new Claims();
  private final Map<NamespacedName, Map<NamespacedName, EndpointSlice>> slicesByService =
      new HashMap<>();
  private final Map<NamespacedName, ServicePlan> plans = new HashMap<>();
  private final ViewLayers layers = new ViewLayers(plans);
  private final TriggerLog triggers = new TriggerLog();
  private final Set<NodeView> views = new HashSet<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile ClusterImage cluster = ClusterImage.EMPTY;
  private volatile boolean synced;

  /** A brain that tells {@code warnings} what is wrong with the cluster's objects. */
  public Brain(Consumer<Warning> warnings) {
    this.warnings = new WarningBook(warnings);
  }

  /** The cluster after the last transaction. */
  public ClusterImage cluster() {
    return cluster;
  }

  /** Whether the cluster is known. */
  public boolean isSynced() {
    return synced;
  }

  /**
   * Calls {@code listener} after each transaction, whether or not it decides anything. It is called
   * by the thread that brought the transaction, and must only wake up whoever then reads.
   */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** Looks at the cluster from the node {@code name}, which need not exist. */
  public synchronized NodeView open(String name, NodeSettings settings) {
    NodeView view = new NodeView(this, name, settings);
    views.add(view);
    layers.open(name, zone(name));
    if (synced) {
      view.update(facts(view), layers.services(name), triggers.position(), true);
    }
    return view;
  }

  synchronized void close(NodeView view) {
    if (views.remove(view)) {
      layers.close(view.node());
      warnings.update(view, List.of());
    }
  }

  /** Takes a transaction as a whole. The first one says that the cluster is known. */
  public synchronized void apply(ClusterDelta delta) {
    ClusterImage before = cluster;
    ClusterImage after = delta.applyTo(before);
    cluster = after;
    Set<NamespacedName> touched = new TreeSet<>();
    for (NamespacedName name : delta.services().keySet()) {
      if (!Objects.equals(before.services().get(name), after.services().get(name))) {
        touched.add(name);
      }
    }
    for (NamespacedName name : delta.slices().keySet()) {
      moveSlice(before.slices().get(name), after.slices().get(name), touched);
    }
    Collection<NamespacedName> replanned = replan(touched);
    for (NamespacedName name : replanned) {
      layers.place(name, plans.get(name));
    }
    boolean serviceCidrsChanged = !before.serviceCidrs().equals(after.serviceCidrs());
    Set<String> changedNodes = new HashSet<>();
    for (String name : delta.nodes().keySet()) {
      if (!Objects.equals(before.nodes().get(name), after.nodes().get(name))) {
        changedNodes.add(name);
        layers.move(name, zone(name));
      }
    }
    boolean first = !synced;
    synced = true;
    if (first || !replanned.isEmpty() || !changedNodes.isEmpty() || serviceCidrsChanged) {
      for (NodeView view : views) {
        boolean factsMayDiffer = first || serviceCidrsChanged || changedNodes.contains(view.node());
        publish(view, factsMayDiffer ? facts(view) : view.image().facts(), first);
      }
      layers.settle();
    }
    listeners.forEach(Runnable::run);
  }

  /** Gives a view what now applies to it, with a new revision if that decides anything else. */
  private void publish(NodeView view, NodeFacts facts, boolean first) {
    NodeImage image = view.image();
    NodeServices services = layers.services(view.node());
    boolean changed =
        first
            || !facts.equals(image.facts())
            || layers.changedFor(view.node(), image.services(), services);
    view.update(facts, services, triggers.position(), changed);
  }

  /** The plan of a service, or null where the cluster has no such service. */
  synchronized @Nullable ServicePlan plan(NamespacedName service) {
    return plans.get(service);
  }

  private NodeFacts facts(NodeView view) {
    NodeReader.Reading reading = NodeReader.read(view.node(), view.settings(), cluster);
    warnings.update(view, reading.warnings());
    return reading.facts();
  }

  private String zone(String node) {
    Node object = cluster.nodes().get(node);
    return object == null ? "" : object.zone();
  }

  /** Puts a slice under the service that it now belongs to; services that notice are touched. */
  private void moveSlice(
      @Nullable EndpointSlice before, @Nullable EndpointSlice after, Set<NamespacedName> touched) {
    if (Objects.equals(before, after)) {
      return;
    }
    if (before != null) {
      before
          .service()
          .ifPresent(service -> {
            touched.add(service);
            slicesByService.computeIfPresent(
                service,
                (key, slices) -> {
                  slices.remove(before.name());
                  return slices.isEmpty() ? null : slices;
                });
          });
    }
    if (after == null) {
      if (before != null) {
        warnAboutLabel(before, false);
      }
      return;
    }
    warnAboutLabel(after, after.serviceName().isEmpty());
    after
        .service()
        .ifPresent(service -> {
          touched.add(service);
          slicesByService.computeIfAbsent(service, key -> new TreeMap<>()).put(after.name(), after);
          if (after.triggerTime() != null
              && (before == null || !after.triggerTime().equals(before.triggerTime()))) {
            triggers.append(new Trigger(service, after.triggerTime()));
          }
        });
  }

  private void warnAboutLabel(EndpointSlice slice, boolean orphan) {
    warnings.update(
        slice.ref(),
        orphan
            ? List.of(
                new Warning(
                    slice.ref(),
                    "metadata.labels",
                    "has no label "
                        + EndpointSlice.SERVICE_NAME_LABEL
                        + "; it belongs to no service"))
            : List.of());
  }

  /** Reads the touched services again; returns them and those whose addresses changed hands. */
  private Collection<NamespacedName> replan(Set<NamespacedName> touched) {
    Map<NamespacedName, ServiceDraft> drafts = new HashMap<>();
    Set<NamespacedName> affected = new TreeSet<>(touched);
    for (NamespacedName name : touched) {
      ServicePlan old = plans.get(name);
      Service service = cluster.services().get(name);
      ServiceDraft draft =
          service == null
              ? null
              : ServiceReader.read(service, slicesByService.getOrDefault(name, Map.of()).values());
      claim(old == null ? null : old.draft(), draft, affected);
      if (draft != null) {
        drafts.put(name, draft);
      }
    }
    for (NamespacedName name : affected) {
      ServicePlan old = plans.get(name);
      ServiceDraft draft = touched.contains(name) || old == null ? drafts.get(name) : old.draft();
      if (draft == null) {
        plans.remove(name);
        warnings.update(name, List.of());
      } else {
        ServicePlan plan = ServicePlan.of(draft, this::holder);
        plans.put(name, plan);
        warnings.update(name, plan.warnings());
      }
    }
    return affected;
  }

  private void claim(
      @Nullable ServiceDraft before, @Nullable ServiceDraft after, Set<NamespacedName> affected) {
    Set<Map.Entry<Claim, Claimant>> old = claimsOf(before);
    Set<Map.Entry<Claim, Claimant>> now = claimsOf(after);
    for (Map.Entry<Claim, Claimant> entry : old) {
      if (!now.contains(entry)) {
        claims.remove(entry.getKey(), entry.getValue(), affected);
      }
    }
    for (Map.Entry<Claim, Claimant> entry : now) {
      if (!old.contains(entry)) {
        claims.add(entry.getKey(), entry.getValue(), affected);
      }
    }
  }

  private static Set<Map.Entry<Claim, Claimant>> claimsOf(@Nullable ServiceDraft draft) {
    Map<Claim, Claimant> made = new HashMap<>();
    if (draft != null) {
      for (ServiceDraft.Port port : draft.ports()) {
        for (ServiceAddress address : port.frontend().addresses()) {
          made.put(
              Claim.of(port.frontend(), address),
              new Claimant(address.kind(), draft.service().created(), draft.name()));
        }
      }
    }
    return made.entrySet();
  }

  private @Nullable NamespacedName holder(Claim claim) {
    Claimant holder = claims.holder(claim);
    return holder == null ? null : holder.service();
  }
}
