package dev.portolan.api;

import dev.portolan.api.globalv1.EndpointConditions;
import dev.portolan.api.globalv1.EndpointInfo;
import dev.portolan.api.localv1.ClientIPAffinity;
import dev.portolan.api.localv1.PortMapping;
import dev.portolan.api.localv1.PortName;
import dev.portolan.api.localv1.ServiceIPs;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Service.Ingress;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Objects of the cluster in KPNG's fields, which lack some of what the objects say. */
final class KpngObjects {
  private static final String NO_ADDRESS = "None";

  private KpngObjects() {}

  static dev.portolan.api.localv1.Service service(Service service) {
    dev.portolan.api.localv1.Service.Builder message =
        dev.portolan.api.localv1.Service.newBuilder()
            .setNamespace(service.name().namespace())
            .setName(service.name().name())
            .setType(service.type().toString())
            .setExternalTrafficToLocal(service.externalTrafficPolicy() == TrafficPolicy.LOCAL)
            .setInternalTrafficToLocal(service.internalTrafficPolicy() == TrafficPolicy.LOCAL)
            .setHealthCheckNodePort(service.healthCheckNodePort())
            .putAllAnnotations(service.metadata().ours().annotations());
    ServiceIPs.Builder ips =
        message
            .getIPsBuilder()
            .setClusterIPs(IpSets.of(readable(service.clusterIps().stream())))
            .setExternalIPs(IpSets.of(readable(service.externalIps().stream())))
            .setHeadless(service.clusterIps().stream().findFirst().equals(Optional.of(NO_ADDRESS)));
    List<Ip> loadBalancerIps =
        readable(service.ingress().stream().filter(Ingress::vip).map(Ingress::ip));
    List<Cidr> sources =
        service.sourceRanges().stream().flatMap(text -> Cidr.parse(text.strip()).stream()).toList();
    if (!sources.isEmpty()) {
      message.addIPFilters(KpngFields.filter(loadBalancerIps, sources));
    }
    boolean unreadable = sources.isEmpty() && !service.sourceRanges().isEmpty();
    if (!loadBalancerIps.isEmpty() && !unreadable) {
      ips.setLoadBalancerIPs(IpSets.of(loadBalancerIps));
    }
    for (Service.Port port : service.ports()) {
      message
          .addPortsBuilder()
          .setName(port.name())
          .setProtocol(KpngFields.protocol(port.protocol()))
          .setPort(port.port())
          .setNodePort(port.nodePort())
          .setTargetPort(port.targetPort())
          .setTargetPortName(port.name().isEmpty() ? KpngFields.UNNAMED : "");
    }
    service
        .affinitySeconds()
        .ifPresent(seconds ->
            message.setClientIP(ClientIPAffinity.newBuilder().setTimeoutSeconds(seconds)));
    return message.build();
  }

  private static List<Ip> readable(Stream<String> addresses) {
    return addresses.flatMap(text -> Ip.parse(text).stream()).toList();
  }

  /** What all messages say of a service. */
  static Service.Builder read(dev.portolan.api.localv1.Service message, FieldPath place)
      throws WireException {
    List<Service.Port> ports = new ArrayList<>(message.getPortsCount());
    for (int i = 0; i < message.getPortsCount(); i++) {
      PortMapping port = message.getPorts(i);
      ports.add(
          new Service.Port(
              port.getName(),
              place.element("Service.Ports", i).protocol(port.getProtocol()),
              port.getPort(),
              port.getNodePort(),
              port.getTargetPort()));
    }
    return Service.named(
            place.name("Service.Namespace", message.getNamespace()),
            place.name("Service.Name", message.getName()))
        .type(place.type(message.getType()))
        .ports(ports)
        .internalTrafficPolicy(policy(message.getInternalTrafficToLocal()))
        .externalTrafficPolicy(policy(message.getExternalTrafficToLocal()))
        .healthCheckNodePort(message.getHealthCheckNodePort());
  }

  private static TrafficPolicy policy(boolean local) {
    return local ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
  }

  /** What a KPNG server says of a service's addresses, and what is written on the service. */
  static void readRest(dev.portolan.api.localv1.Service message, Service.Builder service) {
    ServiceIPs ips = message.getIPs();
    service
        .metadata(ServiceMetadata.of(message.getLabelsMap(), message.getAnnotationsMap()))
        .clusterIps(ips.getHeadless() ? List.of(NO_ADDRESS) : texts(ips.getClusterIPs()))
        .externalIps(texts(ips.getExternalIPs()))
        .ingress(texts(ips.getLoadBalancerIPs()).stream().map(ip -> new Ingress(ip, true)).toList())
        .sourceRanges(
            message.getIPFiltersList().stream()
                .flatMap(filter -> filter.getSourceRangesList().stream())
                .distinct()
                .toList());
    if (message.hasClientIP()) {
      service.affinitySeconds(message.getClientIP().getTimeoutSeconds());
    }
  }

  private static List<String> texts(dev.portolan.api.localv1.IPSet set) {
    return Stream.concat(set.getV4List().stream(), set.getV6List().stream()).toList();
  }

  /** What the endpoints of one slice have in common. */
  private record Kind(String service, AddressType type, List<PortName> ports) {
    static final Comparator<Kind> ORDER =
        Comparator.comparing(Kind::service)
            .thenComparing(Kind::type)
            .thenComparing(kind -> kind.ports().toString());
  }

  static List<EndpointSlice> slices(Collection<EndpointInfo> infos) throws WireException {
    Map<NamespacedName, Map<Kind, SortedSet<Member>>> sources = new TreeMap<>();
    for (EndpointInfo info : infos) {
      FieldPath place =
          FieldPath.message("EndpointInfo", info.getNamespace() + "/" + info.getSourceName());
      NamespacedName source =
          new NamespacedName(
              place.name("Namespace", info.getNamespace()),
              place.name("SourceName", info.getSourceName()));
      Map<Kind, SortedSet<Member>> kinds =
          sources.computeIfAbsent(source, name -> new TreeMap<>(Kind.ORDER));
      add(info, AddressType.IPV4, info.getEndpoint().getIPs().getV4List(), kinds);
      add(info, AddressType.IPV6, info.getEndpoint().getIPs().getV6List(), kinds);
    }
    List<EndpointSlice> slices = new ArrayList<>();
    sources.forEach((source, kinds) -> {
      int count = 0;
      for (Map.Entry<Kind, SortedSet<Member>> entry : kinds.entrySet()) {
        count++;
        String name = count == 1 ? source.name() : source.name() + "#" + count;
        slices.add(
            slice(new NamespacedName(source.namespace(), name), entry.getKey(), entry.getValue()));
      }
    });
    return slices;
  }

  private static void add(
      EndpointInfo info,
      AddressType type,
      List<String> addresses,
      Map<Kind, SortedSet<Member>> kinds) {
    Kind kind = new Kind(info.getServiceName(), type, info.getEndpoint().getPortOverridesList());
    for (String address : addresses) {
      kinds
          .computeIfAbsent(
              kind, k -> new TreeSet<>(Comparator.comparing(member -> member.toString())))
          .add(member(info, address));
    }
  }

  private static Member member(EndpointInfo info, String address) {
    EndpointConditions conditions = info.getConditions();
    return new Member(
        List.of(address),
        info.hasConditions()
            ? new Conditions(
                conditions.getReady(),
                conditions.getReady() || conditions.getServing(),
                conditions.getTerminating())
            : Conditions.READY,
        info.getTopology().getNode(),
        info.getTopology().getZone(),
        info.getHints().getZonesList(),
        info.getHints().getNodesList(),
        info.getPodName().isEmpty()
            ? ""
            : ClusterItems.POD + info.getNamespace() + "/" + info.getPodName());
  }

  /** KPNG does not name the protocol of a port, so a port counts for any protocol. */
  private static EndpointSlice slice(NamespacedName name, Kind kind, Collection<Member> members) {
    List<EndpointSlice.Port> ports = new ArrayList<>();
    boolean hasUnnamed = kind.ports.stream().anyMatch(port -> port.getName().isEmpty());
    for (PortName port : kind.ports) {
      if (hasUnnamed && port.getName().equals(KpngFields.UNNAMED)) {
        continue; // The same once more, for KPNG's own programs.
      }
      for (Protocol protocol : Protocol.values()) {
        ports.add(new EndpointSlice.Port(port.getName(), protocol, port.getPort()));
      }
    }
    return new EndpointSlice(
        name, kind.service, kind.type, ports, List.copyOf(members), false, null);
  }
}
