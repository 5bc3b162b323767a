package dev.portolan.analyze;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who has which address in a cluster.
 *
 * @param clusterIps the services by their cluster IPs
 * @param nodes the Nodes by their addresses; of two with one address the first
 * @param endpoints the slices by the addresses in them
 * @param serviceRanges the ranges of ServiceCIDRs
 * @param podRanges the ranges that nodes take the addresses of Pods from
 */
public record AddressBook(
    Map<Ip, ObjectRef> clusterIps,
    Map<Ip, ObjectRef> nodes,
    Map<Ip, ObjectRef> endpoints,
    List<Range> serviceRanges,
    List<Range> podRanges) {
  /** A range and the object that has it. */
  public record Range(Cidr cidr, ObjectRef owner) {
    /** Whether the two have an address in common. */
    public boolean overlaps(Range other) {
      return cidr.contains(other.cidr) || other.cidr.contains(cidr);
    }
  }

  /** Collects what the objects of {@code cluster} say; what cannot be read is left out. */
  static AddressBook of(ClusterImage cluster) {
    Map<Ip, ObjectRef> clusterIps = new HashMap<>();
    cluster
        .services()
        .forEach((name, service) -> put(clusterIps, service.clusterIps(), service.ref()));
    Map<Ip, ObjectRef> nodes = new HashMap<>();
    List<Range> podRanges = new ArrayList<>();
    cluster
        .nodes()
        .forEach((name, node) -> {
          put(nodes, node.internalIps(), node.ref());
          put(nodes, node.externalIps(), node.ref());
          ranges(node.podCidrs(), node.ref()).forEach(podRanges::add);
        });
    Map<Ip, ObjectRef> endpoints = new HashMap<>();
    cluster
        .slices()
        .forEach((name, slice) -> {
          for (EndpointSlice.Member member : slice.members()) {
            put(endpoints, member.addresses(), slice.ref());
          }
        });
    List<Range> serviceRanges = new ArrayList<>();
    cluster
        .serviceCidrs()
        .forEach((name, cidr) -> ranges(cidr.cidrs(), cidr.ref()).forEach(serviceRanges::add));
    return new AddressBook(clusterIps, nodes, endpoints, serviceRanges, podRanges);
  }

  /** The first of {@code ranges} that {@code address} lies in. */
  public static Optional<Range> in(List<Range> ranges, Ip address) {
    return ranges.stream().filter(range -> range.cidr.contains(address)).findFirst();
  }

  /** The Node with that address, or null. */
  public @Nullable ObjectRef node(Ip address) {
    return nodes.get(address);
  }

  private static Stream<Range> ranges(List<String> texts, ObjectRef owner) {
    return texts.stream().flatMap(text -> Cidr.parse(text).stream()).map(c -> new Range(c, owner));
  }

  private static void put(Map<Ip, ObjectRef> map, List<String> texts, ObjectRef owner) {
    texts.forEach(text -> Ip.parse(text).ifPresent(ip -> map.putIfAbsent(ip, owner)));
  }
}
