package dev.portolan.api;

import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.EndpointScopes;
import dev.portolan.api.localv1.IPFilter;
import dev.portolan.api.localv1.PortMapping;
import dev.portolan.api.localv1.PortName;
import dev.portolan.api.localv1.Service;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides what a KPNG server leaves open. It sends only endpoints that the node may use, so the
 * decision falls short where it would depend on others: with both policies Local, a node without
 * endpoints rejects what it should drop, and its own pods do not reach endpoints elsewhere through
 * external addresses.
 */
final class KpngServices {
  private final Service message;
  private final Collection<Endpoint> endpoints;
  private final String node;
  private final FieldPath place;

  private KpngServices(
      Service message, Collection<Endpoint> endpoints, String node, FieldPath place) {
    this.message = message;
    this.endpoints = endpoints;
    this.node = node;
    this.place = place;
  }

  /** Reads a service without a decision, with the endpoints that {@code node} was sent. */
  static NodeService read(
      Service message, Collection<Endpoint> endpoints, String node, FieldPath place)
      throws WireException {
    return new KpngServices(message, endpoints, node, place).service();
  }

  private NodeService service() throws WireException {
    NamespacedName name = place.labels(message.getNamespace(), message.getName());
    ServiceType type = place.type(message.getType());
    int healthCheckNodePort =
        place.optionalPort("HealthCheckNodePort", message.getHealthCheckNodePort());
    List<ServicePort> ports = new ArrayList<>();
    int localReady = 0;
    if (type != ServiceType.EXTERNAL_NAME && !message.getIPs().getHeadless()) {
      for (IpFamily family : IpFamily.values()) {
        addPorts(name, family, ports);
        localReady = Math.max(localReady, countLocal(family));
      }
    }
    return new NodeService(
        name, type, healthCheckNodePort, healthCheckNodePort == 0 ? 0 : localReady, ports);
  }

  private void addPorts(NamespacedName service, IpFamily family, List<ServicePort> ports)
      throws WireException {
    List<Ip> clusterIps = place.ips("IPs.ClusterIPs", message.getIPs().getClusterIPs(), family);
    if (clusterIps.isEmpty()) {
      return;
    }
    Set<Ip> taken = new HashSet<>(Set.of(clusterIps.getFirst()));
    List<Ip> loadBalancerIps =
        place.ips("IPs.LoadBalancerIPs", message.getIPs().getLoadBalancerIPs(), family);
    loadBalancerIps.removeIf(ip -> !taken.add(ip));
    List<Ip> externalIps = place.ips("IPs.ExternalIPs", message.getIPs().getExternalIPs(), family);
    externalIps.removeIf(ip -> !taken.add(ip));
    List<Cidr> sources = sources();
    boolean unreadable = sources.isEmpty() && hasFilters();
    for (int i = 0; i < message.getPortsCount(); i++) {
      PortMapping port = message.getPorts(i);
      FieldPath here = place.element("Ports", i);
      ServicePortName name =
          new ServicePortName(
              service, here.portName(port.getName()), here.protocol(port.getProtocol()));
      List<ServiceAddress> addresses =
          ServiceAddress.list(
              clusterIps.getFirst(),
              here.port("Port", port.getPort()),
              externalIps,
              unreadable ? List.of() : loadBalancerIps,
              here.optionalPort("NodePort", port.getNodePort()));
      ports.add(port(name, addresses, of(family, sources), port));
    }
  }

  /** The ranges that can be read: they are user input that may not have been validated. */
  private List<Cidr> sources() {
    return message.getIPFiltersList().stream()
        .flatMap(filter -> filter.getSourceRangesList().stream())
        .flatMap(text -> Cidr.parse(text.strip()).stream())
        .distinct()
        .toList();
  }

  private boolean hasFilters() {
    return message.getIPFiltersList().stream().mapToInt(IPFilter::getSourceRangesCount).sum() > 0;
  }

  /** The ranges of one family; none if all clients of it are allowed. */
  private static List<Cidr> of(IpFamily family, List<Cidr> sources) {
    List<Cidr> own = sources.stream().filter(range -> range.family() == family).toList();
    return own.stream().anyMatch(Cidr::isEverything) ? List.of() : own;
  }

  private ServicePort port(
      ServicePortName name, List<ServiceAddress> addresses, List<Cidr> sources, PortMapping port)
      throws WireException {
    TreeSet<dev.portolan.core.node.Endpoint> internal = new TreeSet<>();
    TreeSet<dev.portolan.core.node.Endpoint> external = new TreeSet<>();
    for (Endpoint endpoint : endpoints) {
      int number = number(endpoint, port);
      if (number == 0) {
        continue;
      }
      EndpointScopes scopes = endpoint.getScopes();
      for (Ip ip : place.ips("endpoint", endpoint.getIPs(), addresses.getFirst().family())) {
        dev.portolan.core.node.Endpoint found =
            new dev.portolan.core.node.Endpoint(ip, number, nodeOf(endpoint));
        if (scopes.getInternal() || !endpoint.hasScopes()) {
          internal.add(found);
        }
        if (scopes.getExternal() || !endpoint.hasScopes()) {
          external.add(found);
        }
      }
    }
    return decide(name, addresses, sources, internal, external);
  }

  private ServicePort decide(
      ServicePortName name,
      List<ServiceAddress> addresses,
      List<Cidr> sources,
      Set<dev.portolan.core.node.Endpoint> internal,
      Set<dev.portolan.core.node.Endpoint> external)
      throws WireException {
    TreeSet<dev.portolan.core.node.Endpoint> all = new TreeSet<>(internal);
    all.addAll(external);
    boolean internalLocal = message.getInternalTrafficToLocal();
    boolean externalLocal = message.getExternalTrafficToLocal();
    boolean accessible = addresses.getLast().isExternal();
    boolean usesCluster = !internalLocal || accessible;
    boolean usesLocal = internalLocal || (externalLocal && accessible);
    List<dev.portolan.core.node.Endpoint> cluster =
        usesCluster
            ? List.copyOf(!internalLocal ? internal : !externalLocal ? external : all)
            : List.of();
    List<dev.portolan.core.node.Endpoint> local =
        usesLocal
            ? List.copyOf(!internalLocal ? external : !externalLocal ? internal : all)
            : List.of();
    boolean anywhere = !all.isEmpty();
    Routes routes =
        Routes.of(
            Decisions.pool(internalLocal),
            verdict(internalLocal ? local : cluster, anywhere),
            Decisions.pool(externalLocal),
            accessible ? verdict(externalLocal ? local : cluster, anywhere) : Verdict.NONE,
            accessible ? verdict(cluster, anywhere) : Verdict.NONE);
    int affinity = place.notNegative("ClientIP", message.getClientIP().getTimeoutSeconds());
    return new ServicePort(
        name,
        addresses,
        sources,
        affinity,
        affinity > 0 ? Balancing.RANDOM : balancing(),
        routes,
        cluster,
        local,
        usesCluster ? List.copyOf(all) : local);
  }

  /** What the service asks for itself; an endpoint has no weight here. */
  private Balancing balancing() {
    String word = message.getAnnotationsOrDefault(ServiceAnnotation.BALANCING.key(), "");
    return Balancing.of(Balancing.Kind.parse(word.strip()).orElse(Balancing.Kind.RANDOM));
  }

  private static Verdict verdict(List<dev.portolan.core.node.Endpoint> chosen, boolean anywhere) {
    return !chosen.isEmpty() ? Verdict.FORWARD : anywhere ? Verdict.DROP : Verdict.REJECT;
  }

  /**
   * The number under which {@code endpoint} serves {@code port}, or 0: by the port's name, or where
   * it has none by the target's, or by none, as KPNG has it; the target's number counts if the
   * endpoint names no ports at all.
   */
  private int number(Endpoint endpoint, PortMapping port) throws WireException {
    List<String> names =
        port.getName().isEmpty() ? List.of(port.getTargetPortName(), "") : List.of(port.getName());
    for (String name : names) {
      for (PortName override : endpoint.getPortOverridesList()) {
        if (override.getName().equals(name)) {
          return place.port("endpoint", override.getPort());
        }
      }
    }
    return endpoint.getPortOverridesCount() == 0
        ? place.optionalPort("TargetPort", port.getTargetPort())
        : 0;
  }

  private String nodeOf(Endpoint endpoint) {
    return endpoint.getNode().isEmpty() && endpoint.getLocal() ? node : endpoint.getNode();
  }

  private int countLocal(IpFamily family) throws WireException {
    Set<Ip> addresses = new HashSet<>();
    for (Endpoint endpoint : endpoints) {
      if (endpoint.getLocal()) {
        addresses.addAll(place.ips("endpoint", endpoint.getIPs(), family));
      }
    }
    return addresses.size();
  }
}
