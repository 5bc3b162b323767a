package dev.portolan.compare.events;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Another number of pods behind a service, chosen as a ReplicaSet does: of too many, those that are
 * not ready go first, then those on nodes that have most of them; new ones come to nodes that have
 * fewest. Pods that are terminating do not count, and are gone.
 */
final class ServiceScale {
  private final ClusterImage cluster;
  private final NamespacedName service;
  private final Set<String> nodesGone;
  private final List<EndpointSlice> own;
  private final ImaginedAddresses addresses;
  private final Set<Ip> imagined = new HashSet<>();
  private PersistentMap<NamespacedName, EndpointSlice> slices;

  /** A pod: its members in slices of each family. */
  private record Pod(String name, String node, boolean ready, List<Member> members) {
    String text() {
      return members.stream()
              .flatMap(member -> member.addresses().stream().limit(1))
              .distinct()
              .collect(Collectors.joining(" and "))
          + (node.isEmpty() ? "" : " on " + node);
    }
  }

  /** A node, and how many of the pods it has. */
  private record Host(Node node, int pods) implements Comparable<Host> {
    @Override
    public int compareTo(Host other) {
      return pods == other.pods
          ? node.name().compareTo(other.node.name())
          : Integer.compare(pods, other.pods);
    }
  }

  ServiceScale(ClusterImage cluster, NamespacedName service, Set<String> nodesGone) {
    this.cluster = cluster;
    this.service = service;
    this.nodesGone = nodesGone;
    this.own = cluster.slicesOf(service);
    this.slices = cluster.slices();
    this.addresses = new ImaginedAddresses(cluster);
  }

  /** The slices of all services afterwards. */
  PersistentMap<NamespacedName, EndpointSlice> slices() {
    return slices;
  }

  /** Addresses of endpoints that were made up. */
  Set<Ip> imagined() {
    return imagined;
  }

  /** Scales; says what goes or comes. */
  EventNote to(int wanted, ClusterEvent event) {
    Collection<Pod> pods = pods();
    int now = pods.size();
    String effect = "from " + now + " to " + wanted + (wanted == 1 ? " pod" : " pods");
    List<Pod> victims = victims(pods, now - wanted);
    Set<Member> gone = new HashSet<>();
    victims.forEach(victim -> gone.addAll(victim.members));
    for (EndpointSlice slice : own) {
      List<Member> staying =
          slice.members().stream()
              .filter(member -> !member.conditions().terminating() && !gone.contains(member))
              .toList();
      slices = slices.with(slice.name(), slice.with(staying));
    }
    List<String> touched = new ArrayList<>();
    for (Pod victim : victims) {
      touched.add(victim.text() + (victim.ready ? "" : ", which is not ready,") + " goes");
    }
    if (wanted > now) {
      touched.addAll(grow(pods, wanted));
    }
    return new EventNote(event, effect, touched);
  }

  private Collection<Pod> pods() {
    Map<String, List<Member>> byName = new LinkedHashMap<>();
    for (EndpointSlice slice : own) {
      for (Member member : slice.members()) {
        if (!member.conditions().terminating()) {
          String name = member.target().isEmpty() ? member.addresses().toString() : member.target();
          byName.computeIfAbsent(name, key -> new ArrayList<>()).add(member);
        }
      }
    }
    List<Pod> pods = new ArrayList<>();
    byName.forEach((name, members) ->
        pods.add(
            new Pod(
                name,
                members.getFirst().node(),
                members.stream().allMatch(member -> member.conditions().ready()),
                members)));
    return pods;
  }

  /** The {@code count} pods that go, in turn: which one is next depends on its own node alone. */
  private static List<Pod> victims(Collection<Pod> pods, int count) {
    Comparator<Pod> turn =
        Comparator.comparing(Pod::ready).thenComparing(Comparator.comparing(Pod::name).reversed());
    Map<String, PriorityQueue<Pod>> perNode = new HashMap<>();
    for (Pod pod : pods) {
      perNode.computeIfAbsent(pod.node, node -> new PriorityQueue<>(turn)).add(pod);
    }
    PriorityQueue<PriorityQueue<Pod>> nodes =
        new PriorityQueue<>(
            Comparator.comparing((PriorityQueue<Pod> node) -> node.element().ready)
                .thenComparing(PriorityQueue::size, Comparator.reverseOrder())
                .thenComparing(node -> node.element().name, Comparator.reverseOrder()));
    nodes.addAll(perNode.values());
    List<Pod> victims = new ArrayList<>();
    while (victims.size() < count) {
      PriorityQueue<Pod> node = nodes.remove();
      victims.add(node.remove());
      if (!node.isEmpty()) {
        nodes.add(node);
      }
    }
    return victims;
  }

  private static Map<String, Integer> perNode(Collection<Pod> pods) {
    Map<String, Integer> perNode = new HashMap<>();
    pods.forEach(pod -> perNode.merge(pod.node, 1, Integer::sum));
    return perNode;
  }

  /** New pods, in the first slice of each family. */
  private List<String> grow(Collection<Pod> pods, int wanted) {
    Map<AddressType, GrowingSlice> growing = new LinkedHashMap<>();
    for (EndpointSlice slice : own) {
      if (slice.addressType() != AddressType.FQDN) {
        growing.computeIfAbsent(
            slice.addressType(),
            type -> new GrowingSlice(Objects.requireNonNull(slices.get(slice.name()))));
      }
    }
    if (growing.isEmpty()) {
      throw new IllegalArgumentException(
          "Service "
              + service
              + " has no EndpointSlice, so the ports of its pods are not known; give it one with"
              + " portolan diff -f");
    }
    List<String> come = new ArrayList<>();
    Map<String, Integer> perNode = perNode(pods);
    PriorityQueue<Host> hosts = new PriorityQueue<>();
    hosts().forEach(node -> hosts.add(new Host(node, perNode.getOrDefault(node.name(), 0))));
    for (int i = pods.size(); i < wanted; i++) {
      Host host = hosts.remove();
      hosts.add(new Host(host.node, host.pods + 1));
      come.add(add(host.node, "Pod " + service + "-new-" + (i + 1), growing.values()));
    }
    for (GrowingSlice grown : growing.values()) {
      EndpointSlice slice = grown.slice();
      slices = slices.with(slice.name(), slice);
    }
    return come;
  }

  /** Where new pods can come to; without a Node it is one without a name. */
  private List<Node> hosts() {
    List<Node> hosts = new ArrayList<>();
    cluster
        .nodes()
        .forEach((name, node) -> {
          if (!node.leaving() && !nodesGone.contains(name)) {
            hosts.add(node);
          }
        });
    return hosts.isEmpty() ? List.of(Node.named("")) : hosts;
  }

  private String add(Node host, String target, Collection<GrowingSlice> growing) {
    List<String> texts = new ArrayList<>();
    for (GrowingSlice slice : growing) {
      boolean isV4 = slice.addressType() == AddressType.IPV4;
      Ip address = addresses.next(host, isV4 ? IpFamily.IPV4 : IpFamily.IPV6);
      imagined.add(address);
      texts.add(address.toString());
      slice.add(address, host, target);
    }
    return String.join(" and ", texts)
        + (host.name().isEmpty() ? "" : " on " + host.name())
        + " (new)";
  }
}
