package dev.portolan.api;

import dev.portolan.api.globalv1.EndpointConditions;
import dev.portolan.api.globalv1.Ingress;
import dev.portolan.api.globalv1.ServiceCIDR;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.globalv1.ServiceObject;
import dev.portolan.api.globalv1.Slice;
import dev.portolan.api.globalv1.TopologyInfo;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.net.IpFamily;
import java.time.Instant;

/** The objects of a cluster as messages; {@link ClusterMessages} is the way back. */
public final class ClusterObjects {
  private ClusterObjects() {}

  /**
   * A service, each field once: without a hash, and without what the message for KPNG repeats.
   * Labels and annotations are left out, except those annotations that the brain reads.
   */
  public static ServiceInfo service(Service service) {
    Service bare = service.withoutMetadata();
    return ServiceInfo.newBuilder()
        .setService(
            KpngObjects.service(bare).toBuilder()
                .clearIPs()
                .clearIPFilters()
                .clearAnnotations()
                .clearClientIP())
        .setObject(object(bare))
        .build();
  }

  static ServiceObject object(Service service) {
    Instant created = service.created();
    ServiceObject.Builder object =
        ServiceObject.newBuilder()
            .addAllClusterIPs(service.clusterIps())
            .addAllIPFamilies(service.ipFamilies().stream().map(IpFamily::toString).toList())
            .addAllExternalIPs(service.externalIps())
            .addAllSourceRanges(service.sourceRanges())
            .setForOtherProxy(service.proxyName().isPresent())
            .setProxyName(service.proxyName().orElse(""))
            .setHeadless(service.labelledHeadless())
            .setCreatedUnixSeconds(created.getEpochSecond())
            .setCreatedNanos(created.getNano());
    service.affinitySeconds().ifPresent(object::setAffinitySeconds);
    if (!service.metadata().isEmpty()) {
      object.setMetadata(message(service.metadata()));
    }
    service
        .ingress()
        .forEach(i -> object.addIngress(Ingress.newBuilder().setIP(i.ip()).setVIP(i.vip())));
    return object.build();
  }

  static dev.portolan.api.localv1.ServiceMetadata message(ServiceMetadata metadata) {
    return dev.portolan.api.localv1.ServiceMetadata.newBuilder()
        .putAllLabels(metadata.labels())
        .putAllAnnotations(metadata.annotations())
        .build();
  }

  /** All of a slice. */
  public static Slice slice(EndpointSlice slice) {
    Slice.Builder message =
        Slice.newBuilder()
            .setNamespace(slice.name().namespace())
            .setName(slice.name().name())
            .setServiceName(slice.serviceName())
            .setAddressType(
                switch (slice.addressType()) {
                  case IPV4 -> dev.portolan.api.globalv1.AddressType.IPv4;
                  case IPV6 -> dev.portolan.api.globalv1.AddressType.IPv6;
                  case FQDN -> dev.portolan.api.globalv1.AddressType.FQDN;
                })
            .setHeadless(slice.labelledHeadless());
    for (EndpointSlice.Port port : slice.ports()) {
      message
          .addPortsBuilder()
          .setName(port.name())
          .setProtocol(KpngFields.protocol(port.protocol()))
          .setPort(port.port());
    }
    for (EndpointSlice.Member member : slice.members()) {
      message
          .addMembersBuilder()
          .addAllAddresses(member.addresses())
          .setConditions(conditions(member))
          .setNode(member.node())
          .setZone(member.zone())
          .addAllZoneHints(member.zoneHints())
          .addAllNodeHints(member.nodeHints())
          .setTarget(member.target());
    }
    if (slice.triggerTime() != null) {
      message.setTriggerUnixNanos(Times.nanos(slice.triggerTime()));
    }
    return message.build();
  }

  static EndpointConditions conditions(EndpointSlice.Member member) {
    EndpointSlice.Conditions conditions = member.conditions();
    return EndpointConditions.newBuilder()
        .setReady(conditions.ready())
        .setServing(conditions.serving())
        .setTerminating(conditions.terminating())
        .build();
  }

  /** All of a node. */
  public static dev.portolan.api.globalv1.Node node(Node node) {
    return dev.portolan.api.globalv1.Node.newBuilder()
        .setName(node.name())
        .setTopology(TopologyInfo.newBuilder().setNode(node.name()).setZone(node.zone()))
        .addAllInternalIPs(node.internalIps())
        .addAllExternalIPs(node.externalIps())
        .addAllPodCIDRs(node.podCidrs())
        .setLeaving(node.leaving())
        .build();
  }

  /** All of a ServiceCIDR. */
  public static ServiceCIDR serviceCidr(ServiceCidr cidr) {
    return ServiceCIDR.newBuilder().setName(cidr.name()).addAllCIDRs(cidr.cidrs()).build();
  }
}
