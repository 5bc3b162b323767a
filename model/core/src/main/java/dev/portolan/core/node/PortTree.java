package dev.portolan.core.node;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.text.Tree;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * A port of a service as programs see it: where clients find it, and for each kind of traffic the
 * verdict and which of the lists of endpoints it is spread over. Where the verdict is not to
 * forward, the list has no meaning.
 */
record PortTree(
    String name,
    Protocol protocol,
    IpFamily family,
    Ip clusterIP,
    int port,
    int nodePort,
    List<Ip> externalIPs,
    List<Ip> loadBalancerIPs,
    List<Cidr> loadBalancerSourceRanges,
    Pool internalTrafficPolicy,
    Pool externalTrafficPolicy,
    int affinitySeconds,
    Balancing.Kind balancing,
    @Tree.OmitEmpty Map<Endpoint, Integer> weights,
    Endpoints endpoints,
    Map<Traffic, Object> verdicts,
    Map<Traffic, Object> uses) {
  private record Endpoints(List<Endpoint> cluster, List<Endpoint> local, List<Endpoint> serving) {}

  static PortTree of(ServicePort port) {
    return new PortTree(
        port.name().port(),
        port.name().protocol(),
        port.family(),
        port.clusterIp().address(),
        port.clusterIp().port(),
        port.nodePort(),
        port.ips(Kind.EXTERNAL_IP),
        port.ips(Kind.LOAD_BALANCER_IP),
        port.sourceRanges(),
        port.route(Traffic.INTERNAL).pool(),
        port.route(Traffic.EXTERNAL).pool(),
        port.affinitySeconds(),
        port.balancing().kind(),
        port.balancing().weights(),
        new Endpoints(port.cluster(), port.local(), port.serving()),
        perTraffic(port, Route::verdict),
        perTraffic(port, route -> route.pool().name().toLowerCase(Locale.ROOT)));
  }

  private static Map<Traffic, Object> perTraffic(ServicePort port, Function<Route, Object> value) {
    Map<Traffic, Object> all = new EnumMap<>(Traffic.class);
    for (Traffic traffic : Traffic.values()) {
      all.put(traffic, value.apply(port.route(traffic)));
    }
    return all;
  }
}
