package dev.portolan.lab;

import dev.portolan.core.net.IpFamily;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The commands for {@code ip -batch} that turn empty namespaces into the network of the plan. */
final class Wiring {
  private static final List<Actor> ON_THE_LAN =
      List.of(Actor.NODE, Actor.OTHER_NODE, Actor.OUTSIDE);
  private static final List<String> SERVICE_RANGES =
      List.of(
          "10.96.0.0/16",
          "192.0.2.0/24",
          "203.0.113.0/24",
          "fd10:96::/112",
          "2001:db8:1::/64",
          "2001:db8:2::/64");

  private final Map<String, Namespace> namespaces;
  private final Map<Namespace, StringBuilder> batches = new LinkedHashMap<>();

  Wiring(Map<String, Namespace> namespaces) {
    this.namespaces = namespaces;
    namespaces.values().forEach(namespace -> batches.put(namespace, new StringBuilder()));
  }

  /** Makes all cables; both ends of each are born inside namespaces. */
  String cables() {
    StringBuilder batch = new StringBuilder();
    for (Actor actor : ON_THE_LAN) {
      cable(batch, actor, Actor.ROUTER);
    }
    Actor.PODS_A.forEach(pod -> cable(batch, pod, Actor.NODE));
    Actor.PODS_B.forEach(pod -> cable(batch, pod, Actor.OTHER_NODE));
    return batch.toString();
  }

  private void cable(StringBuilder batch, Actor from, Actor to) {
    batch.append(
        "link add name eth0 netns %s type veth peer name %s netns %s%n"
            .formatted(name(from), port(from), name(to)));
  }

  private static String port(Actor actor) {
    return "veth-" + actor;
  }

  private String name(Actor actor) {
    return of(actor).name();
  }

  private Namespace of(Actor actor) {
    Namespace namespace = namespaces.get(actor.home());
    if (namespace == null) {
      throw new IllegalStateException("no namespace " + actor.home());
    }
    return namespace;
  }

  /** What to do inside each namespace. */
  Map<Namespace, StringBuilder> batches() {
    for (Actor actor : Actor.values()) {
      if (actor.home().equals(actor.toString())) {
        add(actor, "link set lo up");
      }
    }
    router();
    node(Actor.NODE, Actor.PODS_A, "10.244.1.1/24", "fd10:244:1::1/64");
    node(Actor.OTHER_NODE, Actor.PODS_B, "10.244.2.1/24", "fd10:244:2::1/64");
    routesOfNodes();
    outside();
    Actor.PODS_A.forEach(pod -> pod(pod, "10.244.1.1", "fd10:244:1::1"));
    Actor.PODS_B.forEach(pod -> pod(pod, "10.244.2.1", "fd10:244:2::1"));
    return batches;
  }

  private void router() {
    bridge(Actor.ROUTER, "br0", ON_THE_LAN);
    address(Actor.ROUTER, "br0", "172.18.0.1/24", "fd12::1/64");
    route(Actor.ROUTER, "198.51.100.0/24 dev br0", "2001:db8:3::/64 dev br0");
    route(Actor.ROUTER, "10.244.1.0/24 via 172.18.0.11", "fd10:244:1::/64 via fd12::11");
    route(Actor.ROUTER, "10.244.2.0/24 via 172.18.0.12", "fd10:244:2::/64 via fd12::12");
    // A server here on a service's address receives what the node let through.
    SERVICE_RANGES.forEach(range -> route(Actor.ROUTER, "local " + range + " dev lo"));
  }

  private void node(Actor node, List<Actor> pods, String... gateways) {
    bridge(node, Actor.POD_BRIDGE, pods);
    address(node, Actor.POD_BRIDGE, gateways);
    add(node, "link set eth0 up");
    address(node, "eth0", node.address(IpFamily.IPV4) + "/24", node.address(IpFamily.IPV6) + "/64");
  }

  private void routesOfNodes() {
    add(Actor.NODE, "address add 172.18.0.21/24 dev eth0");
    // Deprecated, so that nothing but a packet that asks for it has it as its source.
    add(Actor.NODE, "address add fd12::21/64 dev eth0 nodad preferred_lft 0");
    route(Actor.NODE, "10.244.2.0/24 via 172.18.0.12", "fd10:244:2::/64 via fd12::12");
    route(Actor.NODE, "198.51.100.0/24 dev eth0", "2001:db8:3::/64 dev eth0");
    route(Actor.NODE, "default via 172.18.0.1", "default via fd12::1");
    route(Actor.OTHER_NODE, "default via 172.18.0.11", "default via fd12::11");
  }

  private void outside() {
    add(Actor.OUTSIDE, "link set eth0 up");
    address(Actor.OUTSIDE, "eth0", "198.51.100.10/24", "2001:db8:3::10/64");
    address(Actor.OUTSIDE, "eth0", "198.51.100.200/24", "2001:db8:3::200/64");
    route(Actor.OUTSIDE, "172.18.0.0/24 dev eth0", "fd12::/64 dev eth0");
    route(Actor.OUTSIDE, "default via 172.18.0.11", "default via fd12::11");
  }

  /** A pod has no neighbour but its gateway, so that its node sees everything it sends. */
  private void pod(Actor pod, String gateway, String gatewayV6) {
    add(pod, "link set eth0 up");
    address(pod, "eth0", pod.address(IpFamily.IPV4) + "/32", pod.address(IpFamily.IPV6) + "/128");
    route(pod, gateway + " dev eth0", gatewayV6 + " dev eth0");
    route(pod, "default via " + gateway, "default via " + gatewayV6);
  }

  private void bridge(Actor at, String name, List<Actor> members) {
    add(at, "link add " + name + " type bridge mcast_snooping 0");
    for (Actor member : members) {
      add(at, "link set " + port(member) + " master " + name + " up");
    }
    add(at, "link set " + name + " up");
  }

  private void address(Actor at, String device, String... addresses) {
    for (String address : addresses) {
      String dad = address.contains(":") ? " nodad" : "";
      add(at, "address add " + address + " dev " + device + dad);
    }
  }

  private void route(Actor at, String... routes) {
    for (String route : routes) {
      add(at, "route add " + route);
    }
  }

  private void add(Actor at, String line) {
    batches.computeIfAbsent(of(at), key -> new StringBuilder()).append(line).append('\n');
  }
}
