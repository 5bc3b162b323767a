package dev.portolan.cli.lab;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random services on the pods of the lab, of every kind that an API server takes, and the ways that
 * lead to them. Each number has addresses and ports of its own.
 */
final class RandomCorner {
  private static final String NAMESPACE = "random";
  private static final int PORT = 80;
  private static final List<Conditions> CONDITIONS =
      List.of(
          Conditions.READY,
          Conditions.READY,
          Conditions.READY,
          new Conditions(false, true, true),
          new Conditions(false, false, true),
          new Conditions(false, false, false));
  private static final List<Actor> CLIENTS =
      List.of(Actor.POD_A1, Actor.POD_A3, Actor.NODE, Actor.OUTSIDE, Actor.OUTSIDER);

  private final Random random;
  private final List<Service> services = new ArrayList<>();
  private final List<EndpointSlice> slices = new ArrayList<>();

  /** {@code count} services, numbered from {@code first} on. */
  RandomCorner(long seed, int first, int count) {
    random = new Random(seed * 0x9e3779b97f4a7c15L + first);
    for (int number = first; number < first + count; number++) {
      Service service = service(number);
      services.add(service);
      endpoints(service);
    }
  }

  List<Service> services() {
    return services;
  }

  /** The change that brings all of them. */
  ClusterDelta birth() {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    services.forEach(delta::set);
    slices.forEach(delta::set);
    return delta.build();
  }

  /** The change that removes all of them. */
  ClusterDelta death() {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    services.forEach(service -> delta.removeService(service.name()));
    slices.forEach(slice -> delta.removeSlice(slice.name()));
    return delta.build();
  }

  private Service service(int number) {
    ServiceType type =
        pick(ServiceType.CLUSTER_IP, ServiceType.NODE_PORT, ServiceType.LOAD_BALANCER);
    int nodePort = type == ServiceType.CLUSTER_IP ? 0 : 31_000 + number % 1500;
    List<Service.Port> ports =
        List.of(
            new Service.Port("tcp", Protocol.TCP, PORT, nodePort),
            new Service.Port("udp", Protocol.UDP, PORT, nodePort));
    List<IpFamily> families =
        pick(
            List.of(IpFamily.IPV4, IpFamily.IPV6),
            List.of(IpFamily.IPV4),
            List.of(IpFamily.IPV6, IpFamily.IPV4));
    Service.Builder service =
        Service.named(NAMESPACE, "service-" + number)
            .type(type)
            .ipFamilies(families)
            .clusterIps(
                addresses(families, "10.96." + (20 + number / 200 % 100), "fd10:96::", number))
            .ports(oneIn(4) ? List.of(ports.get(random.nextInt(2))) : ports)
            .internalTrafficPolicy(oneIn(4) ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER);
    boolean named = oneIn(3);
    if (named) {
      service.externalIps(addresses(families, "192.0.2", "2001:db8:1::", number));
    }
    if (named || type != ServiceType.CLUSTER_IP) {
      boolean local = oneIn(2);
      service.externalTrafficPolicy(local ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER);
      if (local && type == ServiceType.LOAD_BALANCER) {
        // The server would else take any port that is free, perhaps one of ours.
        service.healthCheckNodePort(29_000 + number % 1500);
      }
    }
    if (type == ServiceType.LOAD_BALANCER) {
      boolean vip = !oneIn(5);
      List<String> balanced = addresses(families, "203.0.113", "2001:db8:2::", number);
      service.ingress(balanced.stream().map(address -> new Service.Ingress(address, vip)).toList());
      if (named && oneIn(3)) {
        service.externalIps(balanced);
      }
      service.sourceRanges(
          pick(
              List.of(),
              List.of(),
              List.of("198.51.100.0/25"),
              List.of("198.51.100.0/25", "2001:db8:3::/120"),
              List.of("203.0.113.0/24", "10.244.1.12/31", "fd10:244:1::13/128")));
    }
    if (oneIn(5)) {
      service.affinitySeconds(600);
    }
    return service.build();
  }

  private static List<String> addresses(List<IpFamily> families, String v4, String v6, int number) {
    return families.stream()
        .map(family ->
            family == IpFamily.IPV4
                ? v4 + "." + (1 + number % 200)
                : v6 + Integer.toHexString(0x2000 + number % 20_000))
        .toList();
  }

  private void endpoints(Service service) {
    List<Actor> pods =
        oneIn(6) ? List.of() : Actor.PODS.stream().filter(pod -> oneIn(2)).limit(4).toList();
    boolean hinted = oneIn(4);
    int target = oneIn(3) ? 9090 : 8080;
    List<EndpointSlice.Port> ports =
        service.ports().stream()
            .map(port -> new EndpointSlice.Port(port.name(), port.protocol(), target))
            .toList();
    List<Conditions> conditions =
        pods.stream().map(pod -> CONDITIONS.get(random.nextInt(CONDITIONS.size()))).toList();
    for (IpFamily family : service.ipFamilies()) {
      List<EndpointSlice.Member> members = new ArrayList<>();
      for (int i = 0; i < pods.size(); i++) {
        members.add(member(pods.get(i), family, conditions.get(i), hinted));
      }
      slices.add(
          new EndpointSlice(
              new NamespacedName(
                  NAMESPACE, service.name().name() + (family == IpFamily.IPV4 ? "-v4" : "-v6")),
              service.name().name(),
              family == IpFamily.IPV4 ? AddressType.IPV4 : AddressType.IPV6,
              ports,
              members,
              false,
              null));
    }
  }

  private EndpointSlice.Member member(
      Actor pod, IpFamily family, Conditions conditions, boolean hinted) {
    boolean here = Actor.PODS_A.contains(pod);
    return new EndpointSlice.Member(
        List.of(pod.address(family).toString()),
        conditions,
        here ? Actor.NODE_NAME : Actor.OTHER_NODE_NAME,
        here ? "east" : "west",
        hinted && !oneIn(8) ? List.of(pick("east", "east", "west")) : List.of(),
        hinted && oneIn(3) ? List.of(pick(Actor.NODE_NAME, Actor.OTHER_NODE_NAME)) : List.of(),
        "");
  }

  /** All ways that are tried. */
  List<Route> routes() {
    List<Route> routes = new ArrayList<>(strayRoutes());
    services.forEach(service -> routes.addAll(routes(service)));
    return routes;
  }

  /** All ways that are tried to a service: to each of its addresses, and to the node's. */
  static List<Route> routes(Service service) {
    List<Route> routes = new ArrayList<>();
    for (Service.Port port : service.ports()) {
      List<String> addresses = new ArrayList<>(service.clusterIps());
      addresses.addAll(service.externalIps());
      service.ingress().forEach(ingress -> addresses.add(ingress.ip()));
      addresses.forEach(address -> add(routes, Ip.of(address), port.port(), port.protocol()));
      if (port.nodePort() != 0) {
        for (IpFamily family : IpFamily.values()) {
          add(routes, Actor.NODE.address(family), port.nodePort(), port.protocol());
        }
        add(routes, Actor.NODE_SECOND.address(IpFamily.IPV4), port.nodePort(), port.protocol());
      }
    }
    return routes;
  }

  /** Ways to a port that its service does not have, and to a cluster IP that no service has. */
  List<Route> strayRoutes() {
    List<Route> routes = new ArrayList<>();
    for (String address : services.getFirst().clusterIps()) {
      add(routes, Ip.of(address), PORT + 1, Protocol.TCP);
    }
    add(routes, Ip.of("10.96.255.1"), PORT, Protocol.UDP);
    add(routes, Ip.of("fd10:96::ffff"), PORT, Protocol.TCP);
    return routes;
  }

  private static void add(List<Route> routes, Ip address, int port, Protocol protocol) {
    CLIENTS.forEach(client -> routes.add(new Route(client, address, port, protocol)));
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }
}
