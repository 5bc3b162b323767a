package dev.portolan.api;

import dev.portolan.api.localv1.ClientIPAffinity;
import dev.portolan.api.localv1.IPFilter;
import dev.portolan.api.localv1.PortMapping;
import dev.portolan.api.localv1.Protocol;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.ServiceIPs;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Frontend;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Selection;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A service in KPNG's fields, which know one list of ports for both families and one policy for all
 * ports.
 *
 * <p>Its programs read some parts without asking whether they are there; those are always set.
 */
final class KpngFields {
  private KpngFields() {}

  static Service.Builder service(NodeService service) {
    List<Frontend> frontends = service.ports().stream().map(ServicePort::frontend).toList();
    Service.Builder message =
        Service.newBuilder()
            .setNamespace(service.name().namespace())
            .setName(service.name().name())
            .setType(service.type().toString())
            .setIPs(ips(service))
            .addAllIPFilters(filters(frontends))
            .addAllPorts(ports(service))
            .setExternalTrafficToLocal(
                frontends.stream().anyMatch(f -> f.externalPolicy() == TrafficPolicy.LOCAL))
            .setInternalTrafficToLocal(
                frontends.stream().anyMatch(f -> f.internalPolicy() == TrafficPolicy.LOCAL))
            .setHealthCheckNodePort(service.healthCheckNodePort());
    int affinity = frontends.stream().mapToInt(Frontend::affinitySeconds).max().orElse(0);
    if (affinity > 0) {
      message.setClientIP(ClientIPAffinity.newBuilder().setTimeoutSeconds(affinity));
    }
    return message;
  }

  static ServiceIPs ips(NodeService service) {
    List<Ip> loadBalancerIps = addresses(service, Frontend::loadBalancerIps);
    ServiceIPs.Builder ips =
        ServiceIPs.newBuilder()
            .setClusterIPs(IpSets.of(addresses(service, f -> List.of(f.clusterIp()))))
            .setExternalIPs(IpSets.of(addresses(service, Frontend::externalIps)));
    if (!loadBalancerIps.isEmpty()) {
      ips.setLoadBalancerIPs(IpSets.of(loadBalancerIps));
    }
    return ips.build();
  }

  /** The filter of load-balancer addresses with source ranges. */
  private static List<IPFilter> filters(List<Frontend> frontends) {
    List<Frontend> filtered = frontends.stream().filter(f -> !f.sourceRanges().isEmpty()).toList();
    return filtered.isEmpty()
        ? List.of()
        : List.of(
            filter(
                filtered.stream().flatMap(f -> f.loadBalancerIps().stream()).toList(),
                filtered.stream().flatMap(f -> f.sourceRanges().stream()).toList()));
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
    Frontend first = families.getFirst().frontend();
    return PortMapping.newBuilder()
        .setName(first.name().port())
        .setProtocol(protocol(first.name().protocol()))
        .setPort(first.port())
        .setNodePort(families.stream().mapToInt(p -> p.frontend().nodePort()).max().orElse(0))
        .setTargetPort(targetPort(families))
        .build();
  }

  /** The port that all endpoints have; 0 where they differ or there are none. */
  private static int targetPort(List<ServicePort> families) {
    int agreed = 0;
    for (ServicePort port : families) {
      Selection selection = port.selection();
      for (List<Endpoint> endpoints :
          List.of(selection.cluster(), selection.local(), selection.serving())) {
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

  private static List<Ip> addresses(
      NodeService service, Function<Frontend, Collection<Ip>> addresses) {
    return service.ports().stream()
        .flatMap(port -> addresses.apply(port.frontend()).stream())
        .toList();
  }
}
