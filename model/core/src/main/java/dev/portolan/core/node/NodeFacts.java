package dev.portolan.core.node;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.text.Tree;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a backend has to know of the node that it works on.
 *
 * @param known whether the cluster has an object for the node; without one, all but the name is
 *     empty
 * @param families the families that the node serves; of another one nothing is programmed
 * @param primaryIps the node's own address in each family that it has, the preferred family first
 * @param addresses every address that the cluster knows the node by
 * @param zone empty where not known
 * @param eligible whether load balancers should send traffic here: false for a node that is leaving
 * @param masqueradeAll whether all traffic to cluster IPs is masqueraded
 */
@Tree.Fields(
    "name known zone families primaryIps addresses podCidrs localDetectors"
        + " nodePortAddresses serviceCidrs eligible masqueradeAll")
public record NodeFacts(
    String name,
    boolean known,
    Set<IpFamily> families,
    @Tree.Named("primaryIPs") List<Ip> primaryIps,
    List<Ip> addresses,
    String zone,
    @Tree.Named("podCIDRs") List<Cidr> podCidrs,
    NodePortAddresses nodePortsV4,
    NodePortAddresses nodePortsV6,
    LocalDetector detectorV4,
    LocalDetector detectorV6,
    @Tree.Named("serviceCIDRs") List<Cidr> serviceCidrs,
    boolean eligible,
    boolean masqueradeAll) {
  public NodeFacts {
    families = Set.copyOf(families);
    primaryIps = List.copyOf(primaryIps);
    addresses = List.copyOf(addresses);
    podCidrs = List.copyOf(podCidrs);
    serviceCidrs = List.copyOf(serviceCidrs);
  }

  /** The facts of a node of which nothing but the name is known. */
  public static NodeFacts unknown(String name) {
    return new NodeFacts(
        name,
        false,
        Set.of(IpFamily.values()),
        List.of(),
        List.of(),
        "",
        List.of(),
        NodePortAddresses.NONE,
        NodePortAddresses.NONE,
        new LocalDetector.Undetected(),
        new LocalDetector.Undetected(),
        List.of(),
        false,
        false);
  }

  /** The same where it is not known which addresses could be services': none is rejected. */
  public NodeFacts withoutServiceCidrs() {
    return new NodeFacts(
        name,
        known,
        families,
        primaryIps,
        addresses,
        zone,
        podCidrs,
        nodePortsV4,
        nodePortsV6,
        detectorV4,
        detectorV6,
        List.of(),
        eligible,
        masqueradeAll);
  }

  /** The same where the node is known by {@code others}. */
  public NodeFacts withAddresses(List<Ip> others) {
    return new NodeFacts(
        name,
        known,
        families,
        primaryIps,
        others,
        zone,
        podCidrs,
        nodePortsV4,
        nodePortsV6,
        detectorV4,
        detectorV6,
        serviceCidrs,
        eligible,
        masqueradeAll);
  }

  /**
   * Whether the cluster is known to have no object for the node. A server that speaks KPNG's part
   * of the API alone says nothing of Nodes: such a node is not known, but counts as eligible.
   */
  public boolean isMissing() {
    return !known && !eligible;
  }

  /** The node's own address in {@code family}. */
  public Optional<Ip> primaryIp(IpFamily family) {
    return primaryIps.stream().filter(ip -> ip.family() == family).findFirst();
  }

  /** On which addresses nodePorts of {@code family} are served. */
  public NodePortAddresses nodePorts(IpFamily family) {
    return family == IpFamily.IPV4 ? nodePortsV4 : nodePortsV6;
  }

  /** How packets of {@code family} from this node's pods are recognised. */
  public LocalDetector detector(IpFamily family) {
    return family == IpFamily.IPV4 ? detectorV4 : detectorV6;
  }

  Map<IpFamily, LocalDetector> localDetectors() {
    return perFamily(this::detector);
  }

  Map<IpFamily, NodePortAddresses> nodePortAddresses() {
    return perFamily(this::nodePorts);
  }

  private static <T> Map<IpFamily, T> perFamily(Function<IpFamily, T> value) {
    Map<IpFamily, T> all = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      all.put(family, value.apply(family));
    }
    return all;
  }

  /** Whether {@code endpoint} runs on this node. */
  public boolean isLocal(Endpoint endpoint) {
    return !name.isEmpty() && endpoint.node().equals(name);
  }

  /** Whether {@code address} is one of this node's and nodePorts are served on it. */
  public boolean servesNodePorts(Ip address) {
    return addresses.contains(address) && nodePorts(address.family()).accept(address);
  }

  /**
   * Who may use {@code address} of {@code port} from this node's point of view; empty for all
   * clients. The node itself may reach a load-balancer address that it carries on an interface with
   * that same address as its source, so where the node may, those addresses may.
   */
  public List<Cidr> allowedSources(ServicePort port, ServiceAddress address) {
    List<Cidr> ranges = port.sourceRanges(address);
    boolean nodeAllowed =
        ranges.stream()
            .anyMatch(range -> primaryIp(range.family()).filter(range::contains).isPresent());
    return nodeAllowed
        ? Stream.concat(ranges.stream(), port.ips(address.kind()).stream().map(Cidr::only))
            .distinct()
            .toList()
        : ranges;
  }
}
