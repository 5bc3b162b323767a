package dev.portolan.compare.events;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Ip;
import dev.portolan.core.text.Counted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Applies events to a cluster, one after another. */
final class ClusterEditor {
  private final Inventory inventory;
  private final Set<String> nodesGone = new HashSet<>();
  private final Set<Ip> imagined = new HashSet<>();
  private final List<EventNote> notes = new ArrayList<>();
  private ClusterImage cluster;
  private boolean podsGo;

  /** Starts with a cluster as it is. */
  ClusterEditor(ClusterImage cluster) {
    this.cluster = cluster;
    this.inventory = new Inventory(cluster);
  }

  /** How many endpoints an event touches, and whose they are. */
  private record Touched(int endpoints, Set<NamespacedName> services) {
    String text() {
      return Counted.of(endpoints, "endpoint")
          + " of "
          + Counted.of(services.size(), "service")
          + (endpoints == 1 ? " goes" : " go");
    }
  }

  /** What came out. */
  ImaginedCluster result() {
    return new ImaginedCluster(cluster, nodesGone, imagined, notes, podsGo);
  }

  /** Applies one event. */
  void apply(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.Drain(String node) -> drain(event, node);
      case ClusterEvent.LoseZone(String zone) -> loseZone(event, zone);
      case ClusterEvent.DeleteNode(String node) -> {
        inventory.node(node);
        note(event, "the Node goes, and " + removeNode(node).text());
      }
      case ClusterEvent.DeletePod(NamespacedName pod) -> {
        String target = inventory.pod(pod).toString();
        note(event, remove(member -> member.target().equals(target)).text());
        podsGo = true;
      }
      case ClusterEvent.DeleteService(NamespacedName name) -> deleteService(event, name);
      case ClusterEvent.DeleteSlice(NamespacedName name) -> {
        int endpoints = inventory.slice(name).members().size();
        cluster = with(cluster.slices().without(name));
        note(event, "the slice goes with " + Counted.of(endpoints, "endpoint"));
      }
      case ClusterEvent.NotReady(Ip address) -> notReady(event, address);
      case ClusterEvent.Scale(NamespacedName service, int pods) -> {
        inventory.service(service);
        ServiceScale scale = new ServiceScale(cluster, service, nodesGone);
        notes.add(scale.to(pods, event));
        cluster = with(scale.slices());
        imagined.addAll(scale.imagined());
      }
    }
  }

  private void note(ClusterEvent event, String effect) {
    notes.add(new EventNote(event, effect, List.of()));
  }

  private void drain(ClusterEvent event, String name) {
    Node node = inventory.node(name);
    nodesGone.add(name);
    podsGo = true;
    if (cluster.nodes().containsKey(name)) {
      cluster = cluster.with(node.asLeaving());
    }
    note(event, remove(member -> member.node().equals(name)).text());
  }

  private void loseZone(ClusterEvent event, String zone) {
    Set<String> nodes = inventory.nodesIn(zone);
    Touched touched = remove(member -> member.zone().equals(zone) || nodes.contains(member.node()));
    nodes.forEach(this::removeObject);
    note(event, Counted.of(nodes.size(), "node") + " and " + touched.text());
  }

  private Touched removeNode(String name) {
    removeObject(name);
    return remove(member -> member.node().equals(name));
  }

  /** Removes a Node; its pods are another matter. */
  private void removeObject(String name) {
    nodesGone.add(name);
    podsGo = true;
    cluster =
        new ClusterImage(
            cluster.services(),
            cluster.slices(),
            cluster.nodes().without(name),
            cluster.serviceCidrs());
  }

  private void deleteService(ClusterEvent event, NamespacedName name) {
    inventory.service(name);
    PersistentMap<NamespacedName, EndpointSlice> slices = cluster.slices();
    List<EndpointSlice> own = cluster.slicesOf(name);
    for (EndpointSlice slice : own) {
      slices = slices.without(slice.name());
    }
    cluster =
        new ClusterImage(
            cluster.services().without(name), slices, cluster.nodes(), cluster.serviceCidrs());
    note(event, "the Service goes with " + Counted.of(own.size(), "slice"));
  }

  private void notReady(ClusterEvent event, Ip address) {
    inventory.address(address);
    Touched touched =
        edit((slice, member) -> {
          if (!Inventory.address(member).filter(address::equals).isPresent()) {
            return Optional.of(member);
          }
          Conditions down = new Conditions(false, false, member.conditions().terminating());
          return Optional.of(member.with(down));
        });
    note(
        event,
        "not ready for " + Counted.of(touched.services.size(), "service") + ", and not serving");
  }

  private Touched remove(Predicate<Member> condition) {
    return edit((slice, member) -> condition.test(member) ? Optional.empty() : Optional.of(member));
  }

  /** Changes members of slices, or takes them out. */
  @SuppressWarnings("ReferenceEquality") // Most are the very same; comparing their content costs.
  private Touched edit(BiFunction<EndpointSlice, Member, Optional<Member>> change) {
    PersistentMap<NamespacedName, EndpointSlice> slices = cluster.slices();
    int endpoints = 0;
    Set<NamespacedName> services = new TreeSet<>();
    for (Map.Entry<NamespacedName, EndpointSlice> entry : cluster.slices()) {
      EndpointSlice slice = entry.getValue();
      List<Member> members = new ArrayList<>(slice.members().size());
      int touched = 0;
      for (Member member : slice.members()) {
        Optional<Member> now = change.apply(slice, member);
        touched += now.filter(member::equals).isPresent() ? 0 : 1;
        now.ifPresent(members::add);
      }
      if (touched > 0) {
        endpoints += touched;
        slice.service().ifPresent(services::add);
        slices = slices.with(slice.name(), slice.with(members));
      }
    }
    cluster = with(slices);
    return new Touched(endpoints, services);
  }

  private ClusterImage with(PersistentMap<NamespacedName, EndpointSlice> slices) {
    return new ClusterImage(cluster.services(), slices, cluster.nodes(), cluster.serviceCidrs());
  }
}
