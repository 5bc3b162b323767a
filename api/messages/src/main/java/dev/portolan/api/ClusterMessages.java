package dev.portolan.api;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.api.globalv1.EndpointConditions;
import dev.portolan.api.globalv1.EndpointInfo;
import dev.portolan.api.globalv1.NodeInfo;
import dev.portolan.api.globalv1.ServiceCIDR;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.globalv1.ServiceObject;
import dev.portolan.api.globalv1.Slice;
import dev.portolan.api.globalv1.SliceMember;
import dev.portolan.api.globalv1.SlicePort;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.net.IpFamily;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The model, from the messages of the global stream.
 *
 * <p>Addresses and numbers of ports are passed on as written, valid or not: the brain that gets
 * them warns about them, as it does for any source.
 */
public final class ClusterMessages {
  private ClusterMessages() {}

  /** The service in {@code message}; of a KPNG server as far as it can be determined. */
  public static Service service(ServiceInfo message) throws WireException {
    FieldPath place =
        FieldPath.message(
            "ServiceInfo",
            message.getService().getNamespace() + "/" + message.getService().getName());
    Service.Builder service = KpngObjects.read(message.getService(), place);
    if (!message.hasObject()) {
      KpngObjects.readRest(message.getService(), service);
      return service.build();
    }
    ServiceObject object = message.getObject();
    if (object.hasAffinitySeconds()) {
      service.affinitySeconds(object.getAffinitySeconds());
    }
    return service
        .clusterIps(object.getClusterIPsList())
        .ipFamilies(families(object.getIPFamiliesList(), place))
        .externalIps(object.getExternalIPsList())
        .ingress(
            object.getIngressList().stream()
                .map(ingress -> new Service.Ingress(ingress.getIP(), ingress.getVIP()))
                .toList())
        .sourceRanges(object.getSourceRangesList())
        .proxyName(
            object.getForOtherProxy() ? Optional.of(object.getProxyName()) : Optional.empty())
        .labelledHeadless(object.getHeadless())
        .created(created(object, place))
        .metadata(metadata(object.getMetadata()))
        .build();
  }

  /** What is written on a service. */
  public static ServiceMetadata metadata(dev.portolan.api.localv1.ServiceMetadata message) {
    return ServiceMetadata.of(message.getLabelsMap(), message.getAnnotationsMap());
  }

  private static List<IpFamily> families(List<String> texts, FieldPath place) throws WireException {
    List<IpFamily> families = new ArrayList<>(texts.size());
    for (String text : texts) {
      families.add(
          switch (text) {
            case "IPv4" -> IpFamily.IPV4;
            case "IPv6" -> IpFamily.IPV6;
            default ->
                throw place.wrong("Object.IPFamilies", quote(text) + " is neither IPv4 nor IPv6");
          });
    }
    return families;
  }

  private static Instant created(ServiceObject object, FieldPath place) throws WireException {
    try {
      return Instant.ofEpochSecond(object.getCreatedUnixSeconds(), object.getCreatedNanos());
    } catch (DateTimeException | ArithmeticException e) {
      throw place.wrong("Object.CreatedUnixSeconds", "not a time (" + e.getMessage() + ")");
    }
  }

  /** The slice in {@code message}. */
  public static EndpointSlice slice(Slice message) throws WireException {
    FieldPath place = FieldPath.message("Slice", message.getNamespace() + "/" + message.getName());
    NamespacedName name =
        new NamespacedName(
            place.name("Namespace", message.getNamespace()), place.name("Name", message.getName()));
    List<EndpointSlice.Port> ports = new ArrayList<>(message.getPortsCount());
    for (int i = 0; i < message.getPortsCount(); i++) {
      SlicePort port = message.getPorts(i);
      ports.add(
          new EndpointSlice.Port(
              port.getName(),
              place.element("Ports", i).protocol(port.getProtocol()),
              port.getPort()));
    }
    return new EndpointSlice(
        name,
        message.getServiceName(),
        switch (message.getAddressType()) {
          case IPv4 -> EndpointSlice.AddressType.IPV4;
          case IPv6 -> EndpointSlice.AddressType.IPV6;
          case FQDN -> EndpointSlice.AddressType.FQDN;
          case UnknownAddressType, UNRECOGNIZED ->
              throw place.wrong("AddressType", "none of IPv4, IPv6 and FQDN");
        },
        ports,
        message.getMembersList().stream().map(ClusterMessages::member).toList(),
        message.getHeadless(),
        message.hasTriggerUnixNanos() ? Times.instant(message.getTriggerUnixNanos()) : null);
  }

  private static EndpointSlice.Member member(SliceMember member) {
    EndpointConditions conditions = member.getConditions();
    return new EndpointSlice.Member(
        member.getAddressesList(),
        new EndpointSlice.Conditions(
            conditions.getReady(), conditions.getServing(), conditions.getTerminating()),
        member.getNode(),
        member.getZone(),
        member.getZoneHintsList(),
        member.getNodeHintsList(),
        member.getTarget());
  }

  /**
   * The slices that {@code infos} come from, as far as they can be determined: one per source, or
   * several where its endpoints differ in family or ports. The same endpoint twice counts once.
   */
  public static List<EndpointSlice> slices(Collection<EndpointInfo> infos) throws WireException {
    return KpngObjects.slices(infos);
  }

  /** The node in {@code message}. */
  public static Node node(NodeInfo message) throws WireException {
    return node(message.getNode());
  }

  /** The node that {@code node} describes. */
  public static Node node(dev.portolan.api.globalv1.Node node) throws WireException {
    return new Node(
        FieldPath.message("NodeInfo", node.getName()).name("Node.Name", node.getName()),
        node.getInternalIPsList(),
        node.getExternalIPsList(),
        node.getTopology().getZone(),
        node.getPodCIDRsList(),
        node.getLeaving());
  }

  /** The ServiceCIDR in {@code message}. */
  public static ServiceCidr serviceCidr(ServiceCIDR message) throws WireException {
    return new ServiceCidr(
        FieldPath.message("ServiceCIDR", message.getName()).name("Name", message.getName()),
        message.getCIDRsList());
  }
}
