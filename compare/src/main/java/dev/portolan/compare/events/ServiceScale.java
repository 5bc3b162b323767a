package dev.portolan.compare.events;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
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
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
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
      String address = members.getFirst().addresses().stream().findFirst().orElse("");
      return address + (node.isEmpty() ? "" : " on " + node);
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
    List<Pod> pods = new ArrayList<>(pods());
    removeMembers(member -> member.conditions().terminating());
    int now = pods.size();
    String effect = "from " + now + " to " + wanted + (wanted == 1 ? " pod" : " pods");
    List<String> touched = new ArrayList<>();
    while (pods.size() > wanted) {
      Pod victim = victim(pods);
      pods.remove(victim);
      removeMembers(victim.members::contains);
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

  private static Pod victim(List<Pod> pods) {
    Map<String, Long> perNode = perNode(pods);
    return pods.stream()
        .min(
            Comparator.comparing(Pod::ready)
                .thenComparingLong(pod -> -perNode.getOrDefault(pod.node, 0L))
                .thenComparing(Comparator.comparing(Pod::name).reversed()))
        .orElseThrow();
  }

  private static Map<String, Long> perNode(List<Pod> pods) {
    return pods.stream().collect(Collectors.groupingBy(Pod::node, Collectors.counting()));
  }

  private void removeMembers(Predicate<Member> condition) {
    change(slice -> slice.members().stream().filter(member -> !condition.test(member)).toList());
  }

  private void change(Function<EndpointSlice, List<Member>> members) {
    for (EndpointSlice slice : own) {
      EndpointSlice newest = slices.get(slice.name());
      if (newest != null) {
        slices = slices.with(slice.name(), Inventory.with(newest, members.apply(newest)));
      }
    }
  }

  private List<String> grow(List<Pod> pods, int wanted) {
    if (own.stream().noneMatch(slice -> slice.addressType() != AddressType.FQDN)) {
      throw new IllegalArgumentException(
          "Service "
              + service
              + " has no EndpointSlice, so the ports of its pods are not known; give it one with"
              + " portolan diff -f");
    }
    Map<String, Long> perNode = new HashMap<>(perNode(pods));
    List<Node> hosts = hosts();
    List<String> come = new ArrayList<>();
    for (int i = pods.size(); i < wanted; i++) {
      Node host =
          hosts.stream()
              .min(
                  Comparator.comparing((Node node) -> perNode.getOrDefault(node.name(), 0L))
                      .thenComparing(Node::name))
              .orElse(Node.named(""));
      perNode.merge(host.name(), 1L, Long::sum);
      come.add(add(host, i + 1));
    }
    return come;
  }

  private List<Node> hosts() {
    List<Node> hosts = new ArrayList<>();
    cluster
        .nodes()
        .forEach((name, node) -> {
          if (!node.leaving() && !nodesGone.contains(name)) {
            hosts.add(node);
          }
        });
    return hosts;
  }

  /** Adds a pod to the first slice of each family. */
  private String add(Node host, int number) {
    List<String> texts = new ArrayList<>();
    Set<AddressType> done = new HashSet<>();
    for (EndpointSlice slice : own) {
      if (slice.addressType() == AddressType.FQDN || !done.add(slice.addressType())) {
        continue;
      }
      EndpointSlice newest = Objects.requireNonNull(slices.get(slice.name()));
      IpFamily family = slice.addressType() == AddressType.IPV4 ? IpFamily.IPV4 : IpFamily.IPV6;
      Ip address = addresses.next(host, family);
      imagined.add(address);
      texts.add(address.toString());
      List<Member> members = new ArrayList<>(newest.members());
      members.add(
          new Member(
              List.of(address.toString()),
              Conditions.READY,
              host.name(),
              host.zone(),
              hints(newest.members(), Member::zoneHints, host.zone()),
              hints(newest.members(), Member::nodeHints, host.name()),
              "Pod " + service + "-new-" + number));
      slices = slices.with(slice.name(), Inventory.with(newest, members));
    }
    return String.join(" and ", texts)
        + (host.name().isEmpty() ? "" : " on " + host.name())
        + " (new)";
  }

  /** A hint for its own place where all others have hints, too. */
  private static List<String> hints(
      List<Member> others, Function<Member, List<String>> hints, String place) {
    boolean hinted =
        !others.isEmpty() && others.stream().noneMatch(member -> hints.apply(member).isEmpty());
    return hinted && !place.isEmpty() ? List.of(place) : List.of();
  }
}
