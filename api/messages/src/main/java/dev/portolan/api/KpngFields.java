package dev.portolan.api;

import dev.portolan.api.localv1.ClientIPAffinity;
import dev.portolan.api.localv1.IPFilter;
import dev.portolan.api.localv1.PortMapping;
import dev.portolan.api.localv1.Protocol;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.ServiceIPs;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A service in KPNG's fields, which know one list of ports for both families and one policy for all
 * ports.
 *
 * <p>Its programs read some parts without asking whether they are there; those are always set.
 */
final class KpngFields {
  /**
   * By which KPNG's programs find the number of a port without a name among those of an endpoint:
   * they look for the name of the target there, and where it has none use one number for all.
   */
  static final String UNNAMED = "unnamed";

  private KpngFields() {}

  static Service.Builder service(NodeService service) {
    List<ServicePort> ports = service.ports();
    Service.Builder message =
        Service.newBuilder()
            .setNamespace(service.name().namespace())
            .setName(service.name().name())
            .setType(service.type().toString())
            .setIPs(ips(service))
            .addAllIPFilters(filters(ports))
            .addAllPorts(ports(service))
            .setExternalTrafficToLocal(toLocal(service, Traffic.EXTERNAL))
            .setInternalTrafficToLocal(toLocal(service, Traffic.INTERNAL))
            .setHealthCheckNodePort(service.healthCheckNodePort());
    int affinity = ports.stream().mapToInt(ServicePort::affinitySeconds).max().orElse(0);
    if (affinity > 0) {
      message.setClientIP(ClientIPAffinity.newBuilder().setTimeoutSeconds(affinity));
    }
    ports.stream()
        .map(port -> port.balancing().kind())
        .filter(Balancing.Kind::hashes)
        .findFirst()
        .ifPresent(
            kind -> message.putAnnotations(ServiceAnnotation.BALANCING.key(), kind.toString()));
    return message;
  }

  /** Whether {@code traffic} to any of the ports may use this node's endpoints only. */
  static boolean toLocal(NodeService service, Traffic traffic) {
    return service.ports().stream().anyMatch(port -> port.route(traffic).pool() == Pool.LOCAL);
  }

  static ServiceIPs ips(NodeService service) {
    List<Ip> loadBalancerIps = ips(service.ports(), Kind.LOAD_BALANCER_IP);
    ServiceIPs.Builder ips =
        ServiceIPs.newBuilder()
            .setClusterIPs(IpSets.of(ips(service.ports(), Kind.CLUSTER_IP)))
            .setExternalIPs(IpSets.of(ips(service.ports(), Kind.EXTERNAL_IP)));
    if (!loadBalancerIps.isEmpty()) {
      ips.setLoadBalancerIPs(IpSets.of(loadBalancerIps));
    }
    return ips.build();
  }

  /** The filter of load-balancer addresses with source ranges. */
  private static List<IPFilter> filters(List<ServicePort> ports) {
    List<ServicePort> filtered = ports.stream().filter(p -> !p.sourceRanges().isEmpty()).toList();
    return filtered.isEmpty()
        ? List.of()
        : List.of(
            filter(
                ips(filtered, Kind.LOAD_BALANCER_IP),
                filtered.stream().flatMap(p -> p.sourceRanges().stream()).toList()));
  }

  static IPFilter filter(Collection<Ip> targets, Collection<Cidr> sources) {
    IPFilter.Builder filter = IPFilter.newBuilder().setTargetIPs(IpSets.of(targets));
    sources.stream().distinct().forEach(range -> filter.addSourceRanges(range.toString()));
    return filter.build();
  }

  /** Each port once, though it may be there in two families. */
  static List<PortMapping> ports(NodeService service) {
    Map<ServicePortName, List<ServicePort>> byName = new LinkedHashMap<>();
    for (ServicePort port : service.ports()) {
      byName.computeIfAbsent(port.name(), name -> new ArrayList<>(2)).add(port);
    }
    return byName.values().stream().map(KpngFields::port).toList();
  }

  private static PortMapping port(List<ServicePort> families) {
    ServicePort first = families.getFirst();
    return PortMapping.newBuilder()
        .setName(first.name().port())
        .setProtocol(protocol(first.name().protocol()))
        .setPort(first.clusterIp().port())
        .setNodePort(families.stream().mapToInt(ServicePort::nodePort).max().orElse(0))
        .setTargetPort(targetPort(families))
        .setTargetPortName(needsTargetName(families) ? UNNAMED : "")
        .build();
  }

  /** Whether endpoints have to name the number of a port without a name. */
  static boolean needsTargetName(NodeService service) {
    List<ServicePort> unnamed =
        service.ports().stream().filter(port -> port.name().port().isEmpty()).toList();
    return needsTargetName(unnamed);
  }

  private static boolean needsTargetName(List<ServicePort> families) {
    return targetPort(families) == 0
        && families.stream()
            .filter(port -> port.name().port().isEmpty())
            .anyMatch(port ->
                !port.cluster().isEmpty() || !port.local().isEmpty() || !port.serving().isEmpty());
  }

  /** The port that all endpoints have; 0 where they differ or there are none. */
  private static int targetPort(List<ServicePort> families) {
    int agreed = 0;
    for (ServicePort port : families) {
      for (List<Endpoint> endpoints : List.of(port.cluster(), port.local(), port.serving())) {
        for (Endpoint endpoint : endpoints) {
          if (agreed != 0 && agreed != endpoint.port()) {
            return 0;
          }
          agreed = endpoint.port();
        }
      }
    }
    return agreed;
  }

  static Protocol protocol(dev.portolan.core.net.Protocol protocol) {
    return switch (protocol) {
      case TCP -> Protocol.TCP;
      case UDP -> Protocol.UDP;
      case SCTP -> Protocol.SCTP;
    };
  }

  private static List<Ip> ips(List<ServicePort> ports, Kind kind) {
    return ports.stream().flatMap(port -> port.ips(kind).stream()).toList();
  }
}
