package dev.portolan.backend.exec;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A service in the words of KPNG, as its Go programs write them: fields that are empty are left
 * out, protocols are numbers, endpoints are null where there are none.
 *
 * <p>The endpoints are those that were chosen; their scopes tell for which traffic.
 */
final class KpngTree {
  private static final Set<Object> EMPTY = Set.of(0, false, "", List.of());

  private KpngTree() {}

  static Map<String, @Nullable Object> of(NodeService service, NodeFacts facts) {
    List<Object> endpoints = endpoints(service, facts);
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("Service", service(service));
    tree.put("Endpoints", endpoints.isEmpty() ? null : endpoints);
    return tree;
  }

  private static Map<String, @Nullable Object> service(NodeService service) {
    List<ServicePort> ports = service.ports();
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("Namespace", service.name().namespace());
    tree.put("Name", service.name().name());
    tree.put("Type", service.type().toString());
    tree.put("IPs", addresses(ports));
    put(tree, "IPFilters", filters(ports));
    put(tree, "Ports", ports(service));
    put(tree, "ExternalTrafficToLocal", toLocal(service, Traffic.EXTERNAL));
    int affinity = ports.stream().mapToInt(ServicePort::affinitySeconds).max().orElse(0);
    tree.put(
        "SessionAffinity",
        affinity == 0 ? null : Map.of("ClientIP", Map.of("TimeoutSeconds", affinity)));
    put(tree, "InternalTrafficToLocal", toLocal(service, Traffic.INTERNAL));
    put(tree, "HealthCheckNodePort", service.healthCheckNodePort());
    return tree;
  }

  private static boolean toLocal(NodeService service, Traffic traffic) {
    return service.ports().stream().anyMatch(port -> port.route(traffic).pool() == Pool.LOCAL);
  }

  /** The filter of load-balancer addresses with source ranges. */
  private static List<Object> filters(List<ServicePort> ports) {
    List<Ip> targets = new ArrayList<>();
    Set<String> sources = new LinkedHashSet<>();
    for (ServicePort port : ports) {
      if (!port.sourceRanges().isEmpty()) {
        targets.addAll(port.ips(Kind.LOAD_BALANCER_IP));
        port.sourceRanges().stream().map(Cidr::toString).forEach(sources::add);
      }
    }
    if (sources.isEmpty()) {
      return List.of();
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("TargetIPs", ipSet(targets));
    tree.put("SourceRanges", List.copyOf(sources));
    return List.of(tree);
  }

  private static Map<String, Object> addresses(List<ServicePort> ports) {
    List<Ip> loadBalancer = ips(ports, Kind.LOAD_BALANCER_IP);
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("ClusterIPs", ipSet(ips(ports, Kind.CLUSTER_IP)));
    tree.put("ExternalIPs", ipSet(ips(ports, Kind.EXTERNAL_IP)));
    if (!loadBalancer.isEmpty()) {
      tree.put("LoadBalancerIPs", ipSet(loadBalancer));
    }
    return tree;
  }

  private static List<Ip> ips(List<ServicePort> ports, Kind kind) {
    return ports.stream().flatMap(port -> port.ips(kind).stream()).toList();
  }

  /** Sorted as text, each once, as Go keeps them. */
  private static Map<String, @Nullable Object> ipSet(Collection<Ip> addresses) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    for (IpFamily family : IpFamily.values()) {
      NavigableSet<String> texts = new TreeSet<>();
      addresses.stream()
          .filter(address -> address.family() == family)
          .map(Ip::toString)
          .forEach(texts::add);
      put(tree, family == IpFamily.IPV4 ? "V4" : "V6", List.copyOf(texts));
    }
    return tree;
  }

  /** Each port once, though it may be there in two families. */
  private static List<Object> ports(NodeService service) {
    Map<ServicePortName, List<ServicePort>> families = new LinkedHashMap<>();
    for (ServicePort port : service.ports()) {
      families.computeIfAbsent(port.name(), name -> new ArrayList<>()).add(port);
    }
    List<Object> ports = new ArrayList<>();
    families.values().forEach(same -> ports.add(port(same)));
    return ports;
  }

  private static Map<String, @Nullable Object> port(List<ServicePort> families) {
    ServicePort first = families.getFirst();
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    put(tree, "Name", first.name().port());
    tree.put("Protocol", number(first.name().protocol()));
    tree.put("Port", first.clusterIp().port());
    put(tree, "NodePort", families.stream().mapToInt(ServicePort::nodePort).max().orElse(0));
    // The number that all endpoints have; they are asked for their own where it differs.
    int[] numbers =
        families.stream()
            .flatMap(port -> chosen(port).stream())
            .mapToInt(Endpoint::port)
            .distinct()
            .toArray();
    put(tree, "TargetPort", numbers.length == 1 ? numbers[0] : 0);
    return tree;
  }

  private static int number(Protocol protocol) {
    return switch (protocol) {
      case TCP -> 1;
      case UDP -> 2;
      case SCTP -> 3;
    };
  }

  /** For which traffic an endpoint is used, and whether it runs on this node. */
  private record Place(Ip address, boolean local, boolean internal, boolean external)
      implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byAddress = address.compareTo(other.address);
      return byAddress != 0 ? byAddress : Integer.compare(bits(), other.bits());
    }

    private int bits() {
      return (local ? 4 : 0) + (internal ? 2 : 0) + (external ? 1 : 0);
    }
  }

  /**
   * One an address and use, with all its ports by name; one more where an address has two ports
   * under one name.
   */
  private static List<Object> endpoints(NodeService service, NodeFacts facts) {
    Map<Place, List<Map<String, Integer>>> places = new TreeMap<>();
    for (ServicePort port : service.ports()) {
      Set<Endpoint> internal = new HashSet<>(pool(port, Traffic.INTERNAL));
      Set<Endpoint> external = new HashSet<>(pool(port, Traffic.EXTERNAL));
      for (Endpoint endpoint : chosen(port)) {
        Place place =
            new Place(
                endpoint.address(),
                facts.isLocal(endpoint),
                internal.contains(endpoint),
                external.contains(endpoint));
        add(
            places.computeIfAbsent(place, key -> new ArrayList<>()),
            port.name().port(),
            endpoint.port());
      }
    }
    List<Object> endpoints = new ArrayList<>();
    places.forEach(
        (place, all) -> all.forEach(overrides -> endpoints.add(endpoint(place, overrides))));
    return endpoints;
  }

  private static void add(List<Map<String, Integer>> overrides, String name, int port) {
    for (Map<String, Integer> known : overrides) {
      Integer present = known.putIfAbsent(name, port);
      if (present == null || present == port) {
        return;
      }
    }
    overrides.add(new TreeMap<>(Map.of(name, port)));
  }

  private static Map<String, @Nullable Object> endpoint(
      Place place, Map<String, Integer> overrides) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("IPs", ipSet(List.of(place.address())));
    put(tree, "Local", place.local());
    List<Object> ports = new ArrayList<>();
    overrides.forEach((name, port) -> {
      Map<String, @Nullable Object> entry = new LinkedHashMap<>();
      put(entry, "Name", name);
      entry.put("Port", port);
      ports.add(entry);
    });
    tree.put("PortOverrides", ports);
    Map<String, @Nullable Object> scopes = new LinkedHashMap<>();
    put(scopes, "Internal", place.internal());
    put(scopes, "External", place.external());
    tree.put("Scopes", scopes);
    return tree;
  }

  private static NavigableSet<Endpoint> chosen(ServicePort port) {
    NavigableSet<Endpoint> chosen = new TreeSet<>(pool(port, Traffic.INTERNAL));
    chosen.addAll(pool(port, Traffic.EXTERNAL));
    return chosen;
  }

  private static List<Endpoint> pool(ServicePort port, Traffic traffic) {
    return port.endpoints(port.route(traffic).pool());
  }

  /** Adds a field, unless it is 0, false or an empty text or list. */
  private static void put(Map<String, @Nullable Object> tree, String name, Object value) {
    if (!EMPTY.contains(value)) {
      tree.put(name, value);
    }
  }
}
