package dev.portolan.core.node;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.text.Tree;
import java.util.List;

/**
 * One port of a service in one family, as this node is to treat it: where clients find it, and for
 * each kind of traffic what becomes of it. Lists of endpoints are in the order of their addresses.
 *
 * @param addresses the cluster IP first, then the others in the order of their kinds
 * @param sourceRanges sources that may use the load-balancer addresses; empty for all
 * @param affinitySeconds how long a client stays with its endpoint; 0 without affinity
 * @param balancing how new connections are spread over the endpoints of a pool
 * @param cluster the pool of endpoints on any node
 * @param local the pool of endpoints on this node
 * @param serving every endpoint that still serves and that this node may use, chosen or not:
 *     connections to these may live on
 */
@Tree.Fields("affinitySeconds sourceRanges balancing")
public record ServicePort(
    ServicePortName name,
    List<ServiceAddress> addresses,
    @Tree.Named("loadBalancerSourceRanges") List<Cidr> sourceRanges,
    int affinitySeconds,
    Balancing balancing,
    Routes routes,
    List<Endpoint> cluster,
    List<Endpoint> local,
    List<Endpoint> serving)
    implements Tree.Shown {
  public ServicePort {
    addresses = List.copyOf(addresses);
    sourceRanges = List.copyOf(sourceRanges);
    cluster = List.copyOf(cluster);
    local = List.copyOf(local);
    serving = List.copyOf(serving);
    if (addresses.isEmpty() || addresses.getFirst().isExternal()) {
      throw new IllegalArgumentException(name + " has no cluster IP as its first address");
    }
  }

  /** A port whose endpoints are drawn with equal chance. */
  public ServicePort(
      ServicePortName name,
      List<ServiceAddress> addresses,
      List<Cidr> sourceRanges,
      int affinitySeconds,
      Routes routes,
      List<Endpoint> cluster,
      List<Endpoint> local,
      List<Endpoint> serving) {
    this(
        name,
        addresses,
        sourceRanges,
        affinitySeconds,
        Balancing.RANDOM,
        routes,
        cluster,
        local,
        serving);
  }

  /** The family of all its addresses and endpoints. */
  public IpFamily family() {
    return clusterIp().family();
  }

  /** The address inside the cluster. */
  public ServiceAddress clusterIp() {
    return addresses.getFirst();
  }

  /** The IPs among its addresses that are of {@code kind}. */
  public List<Ip> ips(ServiceAddress.Kind kind) {
    return addresses.stream()
        .filter(address -> address.kind() == kind)
        .map(ServiceAddress::address)
        .toList();
  }

  /** The nodePort; 0 where there is none. */
  public int nodePort() {
    ServiceAddress last = addresses.getLast();
    return last.isNodePort() ? last.port() : 0;
  }

  /** Whether clients outside the cluster have an address to use. */
  public boolean isExternallyAccessible() {
    return addresses.getLast().isExternal();
  }

  /**
   * Who may use {@code address}; empty for all clients. Rules need {@link
   * NodeFacts#allowedSources}, which lets in the node itself as well.
   */
  public List<Cidr> sourceRanges(ServiceAddress address) {
    return address.kind() == ServiceAddress.Kind.LOAD_BALANCER_IP ? sourceRanges : List.of();
  }

  /** What becomes of {@code traffic}. */
  public Route route(Traffic traffic) {
    return routes.of(traffic);
  }

  /** Whether {@code traffic} is forwarded, rejected or dropped. */
  public Verdict verdict(Traffic traffic) {
    return route(traffic).verdict();
  }

  /**
   * Whether any client of {@code address} is forwarded: where one from outside is, pods and the
   * node itself are too.
   */
  public boolean forwards(ServiceAddress address) {
    Traffic widest = address.isExternal() ? Traffic.SHORT_CIRCUIT : Traffic.INTERNAL;
    return verdict(widest) == Verdict.FORWARD;
  }

  /** The endpoints that {@code traffic} is spread over; empty unless it is forwarded. */
  public List<Endpoint> endpoints(Traffic traffic) {
    Route route = route(traffic);
    return route.verdict() == Verdict.FORWARD ? endpoints(route.pool()) : List.of();
  }

  /** The endpoints in {@code pool}. */
  public List<Endpoint> endpoints(Pool pool) {
    return switch (pool) {
      case CLUSTER -> cluster;
      case LOCAL -> local;
    };
  }

  @Override
  public Object shown() {
    return PortTree.of(this);
  }

  /** {@code namespace/name:port address:port/protocol}. */
  @Override
  public String toString() {
    ServiceAddress clusterIp = clusterIp();
    return name + " " + clusterIp.address().withPort(clusterIp.port()) + "/" + name.protocol();
  }
}
