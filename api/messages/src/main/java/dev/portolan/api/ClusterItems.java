package dev.portolan.api;

import dev.portolan.api.globalv1.EndpointInfo;
import dev.portolan.api.globalv1.NodeInfo;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.globalv1.TopologyHints;
import dev.portolan.api.globalv1.TopologyInfo;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The items of the global stream, from the model. */
public final class ClusterItems {
  static final String POD = "Pod ";

  private ClusterItems() {}

  /** A value of the global stream and where it is in its set. */
  public record Entry(String path, StreamItem set, StreamItem delete) {}

  /**
   * Whether a client that sees no labels may see {@code service}: it would serve what is another
   * proxy's.
   *
   * @param proxyName the proxy that is served; empty for kube-proxy
   */
  public static boolean isFor(Service service, Optional<String> proxyName) {
    return service.isFor(proxyName) && !service.labelledHeadless();
  }

  /** Adds or replaces a service in GlobalServiceInfos. */
  public static StreamItem service(Service service) {
    ServiceInfo.Builder info =
        ServiceInfo.newBuilder()
            .setService(KpngObjects.service(service))
            .setObject(ClusterObjects.object(service));
    info.setHash(Xxh64.of(info.build()));
    return StreamItem.set(Set.GlobalServiceInfos, Paths.object(service.name()), info.build());
  }

  /** Adds or replaces what is written on a service, in ServiceMetadataSet. */
  public static StreamItem metadata(Service service) {
    return StreamItem.set(
        Set.ServiceMetadataSet,
        Paths.service(service.name()),
        ClusterObjects.message(service.metadata()));
  }

  /** Removes what is written on a service from ServiceMetadataSet. */
  public static StreamItem deleteMetadata(NamespacedName name) {
    return StreamItem.delete(Set.ServiceMetadataSet, Paths.service(name));
  }

  /** Removes a service from GlobalServiceInfos. */
  public static StreamItem deleteService(NamespacedName name) {
    return StreamItem.delete(Set.GlobalServiceInfos, Paths.object(name));
  }

  /** Adds or replaces a slice in GlobalSlices. */
  public static StreamItem slice(EndpointSlice slice) {
    return StreamItem.set(
        Set.GlobalSlices, Paths.object(slice.name()), ClusterObjects.slice(slice));
  }

  /** Removes a slice from GlobalSlices. */
  public static StreamItem deleteSlice(NamespacedName name) {
    return StreamItem.delete(Set.GlobalSlices, Paths.object(name));
  }

  /**
   * The members of a slice in GlobalEndpointInfos, in the order of their paths, which differ where
   * anything else does. Those without a usable address are left out, and all where the slice
   * belongs to no service or to a headless one.
   */
  public static List<Entry> endpointInfos(EndpointSlice slice) {
    if (slice.serviceName().isEmpty()
        || slice.labelledHeadless()
        || slice.addressType() == EndpointSlice.AddressType.FQDN) {
      return List.of();
    }
    NamespacedName service = new NamespacedName(slice.name().namespace(), slice.serviceName());
    TreeMap<String, Entry> entries = new TreeMap<>();
    for (EndpointSlice.Member member : slice.members()) {
      usableAddress(slice, member)
          .ifPresent(ip -> {
            EndpointInfo info = endpointInfo(slice, member, ip);
            String path =
                Paths.object(
                    new Paths.ObjectPath(
                        service, slice.name().name(), Long.toHexString(info.getHash())));
            entries.put(
                path,
                new Entry(
                    path,
                    StreamItem.set(Set.GlobalEndpointInfos, path, info),
                    StreamItem.delete(Set.GlobalEndpointInfos, path)));
          });
    }
    return List.copyOf(entries.values());
  }

  private static Optional<Ip> usableAddress(EndpointSlice slice, EndpointSlice.Member member) {
    IpFamily family =
        slice.addressType() == EndpointSlice.AddressType.IPV4 ? IpFamily.IPV4 : IpFamily.IPV6;
    return member.addresses().stream()
        .limit(1)
        .flatMap(text -> Ip.parse(text).stream())
        .filter(ip -> ip.family() == family)
        .findFirst();
  }

  private static EndpointInfo endpointInfo(
      EndpointSlice slice, EndpointSlice.Member member, Ip address) {
    Endpoint.Builder endpoint = Endpoint.newBuilder().setIPs(IpSets.of(List.of(address)));
    for (EndpointSlice.Port port : slice.ports()) {
      if (port.port() != 0) {
        endpoint.addPortOverridesBuilder().setName(port.name()).setPort(port.port());
        if (port.name().isEmpty()) {
          endpoint.addPortOverridesBuilder().setName(KpngFields.UNNAMED).setPort(port.port());
        }
      }
    }
    EndpointInfo.Builder info =
        EndpointInfo.newBuilder()
            .setNamespace(slice.name().namespace())
            .setSourceName(slice.name().name())
            .setServiceName(slice.serviceName())
            .setPodName(podName(slice, member))
            .setEndpoint(endpoint)
            .setConditions(ClusterObjects.conditions(member))
            .setTopology(TopologyInfo.newBuilder().setNode(member.node()).setZone(member.zone()));
    if (!member.zoneHints().isEmpty() || !member.nodeHints().isEmpty()) {
      info.setHints(
          TopologyHints.newBuilder()
              .addAllZones(member.zoneHints().stream().sorted().toList())
              .addAllNodes(member.nodeHints().stream().sorted().toList()));
    }
    return info.setHash(Xxh64.of(info.build())).build();
  }

  /**
   * The pod's name. KPNG keeps one endpoint per service and pod, so that of two slices that name a
   * pod one would be lost; the slices of IPv6 name none, not even where no other slice names the
   * pod. That depends on other slices, and a pod's name would come and go with them, while it costs
   * nothing: KPNG uses it only as an endpoint's key, and a key made of its content otherwise.
   */
  private static String podName(EndpointSlice slice, EndpointSlice.Member member) {
    String target = member.target();
    return target.startsWith(POD) && slice.addressType() == EndpointSlice.AddressType.IPV4
        ? target.substring(target.lastIndexOf('/') + 1)
        : "";
  }

  /** Adds or replaces a node in GlobalNodeInfos. */
  public static StreamItem node(Node node) {
    dev.portolan.api.globalv1.Node message = ClusterObjects.node(node);
    return StreamItem.set(
        Set.GlobalNodeInfos,
        clusterPath(node.name()),
        NodeInfo.newBuilder().setHash(Xxh64.of(message)).setNode(message).build());
  }

  /** Removes a node from GlobalNodeInfos. */
  public static StreamItem deleteNode(String name) {
    return StreamItem.delete(Set.GlobalNodeInfos, clusterPath(name));
  }

  /** Adds or replaces a ServiceCIDR in GlobalServiceCIDRs. */
  public static StreamItem serviceCidr(ServiceCidr cidr) {
    return StreamItem.set(
        Set.GlobalServiceCIDRs, clusterPath(cidr.name()), ClusterObjects.serviceCidr(cidr));
  }

  /** Removes a ServiceCIDR from GlobalServiceCIDRs. */
  public static StreamItem deleteServiceCidr(String name) {
    return StreamItem.delete(Set.GlobalServiceCIDRs, clusterPath(name));
  }

  /** The path of an object that lives in no namespace. */
  private static String clusterPath(String name) {
    return Paths.object(new NamespacedName("", name));
  }
}
