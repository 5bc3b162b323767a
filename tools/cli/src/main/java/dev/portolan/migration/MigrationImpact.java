package dev.portolan.migration;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.migration.MigrationItem.Affected;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** What a move to another mode can change for the services of a cluster. */
final class MigrationImpact {
  private static final int MOST_NAMED = 5;

  private final List<NodeService> services = new ArrayList<>();
  private final SortedMap<NamespacedName, Gap> gaps = new TreeMap<>();
  private final boolean nodesAreKnown;

  /** The nodes on which a policy of Local leaves a service without endpoints. */
  private record Gap(SortedSet<String> inside, SortedSet<String> outside) {}

  /** Looks at the cluster from each of its nodes. */
  MigrationImpact(Brain brain) {
    SortedSet<String> nodes = new TreeSet<>();
    for (Map.Entry<String, Node> entry : brain.cluster().nodes()) {
      nodes.add(entry.getKey());
    }
    nodesAreKnown = !nodes.isEmpty();
    try (NodeView view = brain.open("", NodeSettings.DEFAULT)) {
      view.image().services().forEach(services::add);
    }
    // Only such a service can lack endpoints on one node and have them on another.
    List<NamespacedName> local =
        services.stream().filter(MigrationImpact::isLocal).map(NodeService::name).toList();
    if (local.isEmpty()) {
      return;
    }
    for (String node : nodesAreKnown ? nodes : Set.of("")) {
      try (NodeView view = brain.open(node, NodeSettings.DEFAULT)) {
        for (NamespacedName name : local) {
          findGaps(Objects.requireNonNull(view.image().service(name)), node);
        }
      }
    }
  }

  private static boolean isLocal(NodeService service) {
    return service.ports().stream().anyMatch(port -> port.routes().use(Pool.LOCAL));
  }

  private void findGaps(NodeService service, String node) {
    for (ServicePort port : service.ports()) {
      if (port.verdict(Traffic.INTERNAL) == Verdict.DROP) {
        gap(service).inside.add(node);
      }
      if (port.verdict(Traffic.EXTERNAL) == Verdict.DROP) {
        gap(service).outside.add(node);
      }
    }
  }

  /** All addresses that clients can use. */
  Set<Ip> addresses() {
    Set<Ip> addresses = new TreeSet<>();
    for (NodeService service : services) {
      for (ServicePort port : service.ports()) {
        port.addresses().stream()
            .filter(address -> !address.isNodePort())
            .forEach(address -> addresses.add(address.address()));
      }
    }
    return addresses;
  }

  /** Those that clients find at {@code place}; a nodePort is at any address that is no other's. */
  List<NamespacedName> at(LiveServer.Place place) {
    List<NamespacedName> found = at(place, false);
    return found.isEmpty() ? at(place, true) : found;
  }

  private List<NamespacedName> at(LiveServer.Place place, boolean nodePort) {
    return services.stream()
        .filter(service -> service.ports().stream().anyMatch(port -> has(port, place, nodePort)))
        .map(NodeService::name)
        .toList();
  }

  private static boolean has(ServicePort port, LiveServer.Place place, boolean nodePort) {
    return port.name().protocol() == place.protocol()
        && port.addresses().stream()
            .anyMatch(address ->
                address.port() == place.port()
                    && address.isNodePort() == nodePort
                    && (nodePort || address.address().equals(place.address())));
  }

  /** Those whose Local policies leave them without endpoints on some nodes. */
  List<Affected> withoutLocalEndpoints() {
    List<Affected> found = new ArrayList<>();
    gaps.forEach((name, gap) -> {
      List<String> reasons = new ArrayList<>();
      if (!gap.inside.isEmpty()) {
        reasons.add("internalTrafficPolicy Local, no endpoint on " + nodes(gap.inside));
      }
      if (!gap.outside.isEmpty()) {
        reasons.add("externalTrafficPolicy Local, no endpoint on " + nodes(gap.outside));
      }
      found.add(new Affected(name, String.join("; ", reasons)));
    });
    return found;
  }

  /** Those with external or load-balancer IPs that are asked for by ARP. */
  List<Affected> withExternalAddresses() {
    return each(port ->
        port.addresses().stream()
            .filter(address -> address.isExternal() && !address.isNodePort())
            .filter(address -> address.family() == IpFamily.IPV4)
            .map(address -> address.address().toString()));
  }

  /** Those with nodePorts. */
  List<Affected> withNodePorts() {
    return each(MigrationImpact::nodePort);
  }

  /** Those with ports that a firewall of the host may close. */
  List<Affected> withPortsOfTheNode() {
    List<Affected> found = new ArrayList<>();
    for (NodeService service : services) {
      Set<String> ports = reasons(service, MigrationImpact::nodePort);
      if (service.healthCheckNodePort() != 0) {
        ports.add("healthCheckNodePort " + service.healthCheckNodePort());
      }
      add(found, service, ports);
    }
    return found;
  }

  /** Those with session affinity. */
  List<Affected> withAffinity() {
    return each(port -> {
      int seconds = port.affinitySeconds();
      return seconds == 0 ? Stream.empty() : Stream.of("sessionAffinity for " + seconds + " s");
    });
  }

  private Gap gap(NodeService service) {
    return gaps.computeIfAbsent(service.name(), name -> new Gap(new TreeSet<>(), new TreeSet<>()));
  }

  private String nodes(SortedSet<String> names) {
    if (!nodesAreKnown) {
      return "some nodes; the cluster was read without its Nodes";
    }
    String first = String.join(", ", names.stream().limit(MOST_NAMED).toList());
    return names.size() <= MOST_NAMED
        ? first
        : first + " and " + (names.size() - MOST_NAMED) + " more";
  }

  private List<Affected> each(Function<ServicePort, Stream<String>> why) {
    List<Affected> found = new ArrayList<>();
    services.forEach(service -> add(found, service, reasons(service, why)));
    return found;
  }

  private static Set<String> reasons(
      NodeService service, Function<ServicePort, Stream<String>> why) {
    Set<String> reasons = new TreeSet<>();
    service.ports().stream().flatMap(why).forEach(reasons::add);
    return reasons;
  }

  private static void add(List<Affected> found, NodeService service, Set<String> reasons) {
    if (!reasons.isEmpty()) {
      found.add(new Affected(service.name(), String.join(", ", reasons)));
    }
  }

  private static Stream<String> nodePort(ServicePort port) {
    return port.addresses().stream()
        .filter(ServiceAddress::isNodePort)
        .map(address -> "nodePort " + address.port() + "/" + port.name().protocol());
  }
}
