package dev.portolan.backend.iptables;

import dev.portolan.backend.iptables.Chains.Kind;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Masquerade;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The rules of one service port: those in chains that it shares with others, and those in chains of
 * its own.
 */
final class PortRules {
  private final FamilySetting setting;
  private final ServicePort port;
  private final int healthCheckNodePort;
  private final List<Cidr> allowedSources;
  private final String name;
  private final String protocol;
  private final String hash;

  PortRules(FamilySetting setting, NodeFacts facts, ServicePort port, int healthCheckNodePort) {
    this.setting = setting;
    this.port = port;
    this.healthCheckNodePort = healthCheckNodePort;
    // Only load-balancer IPs can be guarded, and all of one port alike.
    this.allowedSources =
        port.addresses().stream()
            .flatMap(address -> facts.allowedSources(port, address).stream())
            .distinct()
            .toList();
    this.name = port.name().toString();
    this.protocol = port.name().protocol().lower();
    this.hash = Chains.hash(port.name());
  }

  /** The port's name, for people. */
  String name() {
    return name;
  }

  /** Hands over each rule in a chain that is shared. */
  void shared(BiConsumer<Shared, String> rules) {
    for (ServiceAddress address : port.addresses()) {
      if (port.forwards(address)) {
        forwarded(rules, address);
      }
      refused(rules, address);
    }
    if (healthCheckNodePort != 0) {
      rules.accept(
          Shared.FILTER_NODE_PORTS,
          comment(name + " health check node port")
              + " -m tcp -p tcp --dport "
              + healthCheckNodePort
              + " -j ACCEPT");
    }
  }

  private void forwarded(BiConsumer<Shared, String> rules, ServiceAddress address) {
    switch (address.kind()) {
      case CLUSTER_IP ->
          rules.accept(
              Shared.NAT_SERVICES, toClusterIp() + jump(kind(port.route(Traffic.INTERNAL))));
      case EXTERNAL_IP ->
          rules.accept(
              Shared.NAT_SERVICES, to(name + " external IP", address) + jump(Kind.EXTERNAL));
      case LOAD_BALANCER_IP -> loadBalancer(rules, address);
      case NODE_PORT -> nodePort(rules, address);
    }
  }

  private void loadBalancer(BiConsumer<Shared, String> rules, ServiceAddress address) {
    rules.accept(
        Shared.NAT_SERVICES,
        to(name + " loadbalancer IP", address) + jump(isGuarded() ? Kind.FIREWALL : Kind.EXTERNAL));
    if (isGuarded()) {
      rules.accept(
          Shared.FILTER_FIREWALL,
          to(name + " traffic not accepted by " + Kind.FIREWALL.named(hash), address) + " -j DROP");
    }
  }

  private void nodePort(BiConsumer<Shared, String> rules, ServiceAddress address) {
    String start = "-m comment --comment " + name + matchProtocol();
    String number = " --dport " + address.port();
    if (setting.countLocalhost()) {
      rules.accept(
          Shared.NAT_NODE_PORTS,
          start
              + " -d 127.0.0.0/8"
              + number
              + RuleText.counted(RuleText.LOCALHOST_COUNTER)
              + jump(Kind.EXTERNAL));
    }
    rules.accept(Shared.NAT_NODE_PORTS, start + number + jump(Kind.EXTERNAL));
  }

  /** What happens to packets to {@code address} that no rule of ours has forwarded. */
  private void refused(BiConsumer<Shared, String> rules, ServiceAddress address) {
    Shared chain = address.isExternal() ? Shared.FILTER_EXTERNAL_SERVICES : Shared.FILTER_SERVICES;
    switch (port.verdict(address.traffic())) {
      case REJECT -> rules.accept(chain, to(name + " has no endpoints", address) + " -j REJECT");
      case DROP -> rules.accept(chain, to(name + " has no local endpoints", address) + " -j DROP");
      case FORWARD, NONE -> {}
    }
  }

  /** The names of the chains that the port has for itself. */
  List<String> chains() {
    return chains(endpointChains());
  }

  private List<String> chains(Map<Endpoint, String> endpoints) {
    List<String> chains = new ArrayList<>();
    if (isForwardedFromOutside()) {
      chains.add(Kind.EXTERNAL.named(hash));
    }
    if (isGuarded()) {
      chains.add(Kind.FIREWALL.named(hash));
    }
    if (hasClusterChain()) {
      chains.add(Kind.CLUSTER.named(hash));
    }
    if (hasLocalChain()) {
      chains.add(Kind.LOCAL.named(hash));
    }
    chains.addAll(endpoints.values());
    return chains;
  }

  /** How many endpoints can be reached from this node. */
  static int endpoints(ServicePort port) {
    List<Endpoint> cluster = port.cluster();
    List<Endpoint> local = port.local();
    if (cluster.isEmpty() || local.isEmpty()) {
      return cluster.size() + local.size();
    }
    Set<Endpoint> reachable = new HashSet<>(cluster);
    reachable.addAll(local);
    return reachable.size();
  }

  /** Writes the port's own chains with their rules. */
  void own(RestoreWriter out, boolean comments) {
    out.about(name);
    Map<Endpoint, String> endpoints = endpointChains();
    chains(endpoints).forEach(out::chain);
    if (port.forwards(port.clusterIp())) {
      offCluster(out);
    }
    if (isForwardedFromOutside()) {
      external(out);
    }
    if (isGuarded()) {
      guard(out);
    }
    if (hasClusterChain()) {
      spread(out, Kind.CLUSTER.named(hash), port.cluster(), endpoints, comments);
    }
    if (hasLocalChain()) {
      spread(out, Kind.LOCAL.named(hash), port.local(), endpoints, comments);
    }
    endpoints.forEach((endpoint, chain) -> endpoint(out, endpoint, chain, comments));
    out.about("");
  }

  /** What comes to the cluster IP from elsewhere must come back through this node. */
  private void offCluster(RestoreWriter out) {
    String chain = kind(port.route(Traffic.INTERNAL)).named(hash);
    String others = RuleText.fromPods(setting.detector(), true);
    if (setting.masqueradeAll()) {
      out.rule(chain, toClusterIp() + jumpToMasquerade());
    } else if (!others.isEmpty()) {
      out.rule(chain, toClusterIp() + " " + others + jumpToMasquerade());
    }
  }

  private void external(RestoreWriter out) {
    String chain = Kind.EXTERNAL.named(hash);
    Route outside = port.route(Traffic.EXTERNAL);
    if (port.routes().shortCircuits()) {
      String inside = jump(kind(port.route(Traffic.SHORT_CIRCUIT)));
      String pods = RuleText.fromPods(setting.detector(), false);
      if (!pods.isEmpty()) {
        out.rule(
            chain,
            comment("pod traffic for " + name + " external destinations") + " " + pods + inside);
      }
      String ownTraffic = " -m addrtype --src-type LOCAL";
      out.rule(
          chain,
          comment("masquerade LOCAL traffic for " + name + " external destinations")
              + ownTraffic
              + jumpToMasquerade());
      out.rule(
          chain,
          comment("route LOCAL traffic for " + name + " external destinations")
              + ownTraffic
              + inside);
    }
    if (outside.masquerade() == Masquerade.ALL) {
      out.rule(
          chain,
          comment("masquerade traffic for " + name + " external destinations")
              + jumpToMasquerade());
    }
    if (outside.verdict() == Verdict.FORWARD) {
      out.rule(chain, "-j " + kind(outside).named(hash));
    }
  }

  /** Allowed clients continue; all others fall through, and a filter rule drops them. */
  private void guard(RestoreWriter out) {
    String chain = Kind.FIREWALL.named(hash);
    for (Cidr source : allowedSources) {
      out.rule(chain, comment(name + " loadbalancer IP") + " -s " + source + jump(Kind.EXTERNAL));
    }
    out.rule(
        chain,
        comment("other traffic to " + name + " will be dropped by " + Chains.PROXY_FIREWALL));
  }

  private void spread(
      RestoreWriter out,
      String chain,
      List<Endpoint> endpoints,
      Map<Endpoint, String> chains,
      boolean comments) {
    if (port.affinitySeconds() > 0) {
      for (Endpoint endpoint : endpoints) {
        String to = chains.get(endpoint);
        out.rule(
            chain,
            towards(endpoint, comments)
                + "-m recent --name "
                + to
                + " --rcheck --seconds "
                + port.affinitySeconds()
                + " --reap -j "
                + to);
      }
    }
    int left = endpoints.stream().mapToInt(port.balancing()::weight).sum();
    for (Endpoint endpoint : endpoints) {
      int weight = port.balancing().weight(endpoint);
      String chance =
          left == weight
              ? ""
              : "-m statistic --mode random --probability "
                  + RuleText.probability(weight, left)
                  + " ";
      out.rule(chain, towards(endpoint, comments) + chance + "-j " + chains.get(endpoint));
      left -= weight;
    }
  }

  private String towards(Endpoint endpoint, boolean comments) {
    return comments ? comment(name + " -> " + endpoint) + " " : "";
  }

  private void endpoint(RestoreWriter out, Endpoint endpoint, String chain, boolean comments) {
    String start = comments ? "-m comment --comment " + name + " " : "";
    // A pod that reaches itself must see another address than its own.
    out.rule(chain, start + "-s " + endpoint.address() + jumpToMasquerade());
    String remember = port.affinitySeconds() > 0 ? "-m recent --name " + chain + " --set " : "";
    out.rule(
        chain,
        start
            + remember
            + "-m "
            + protocol
            + " -p "
            + protocol
            + " -j DNAT --to-destination "
            + endpoint);
  }

  private boolean isForwardedFromOutside() {
    return port.verdict(Traffic.SHORT_CIRCUIT) == Verdict.FORWARD;
  }

  private boolean isGuarded() {
    return isForwardedFromOutside() && !allowedSources.isEmpty();
  }

  private boolean hasClusterChain() {
    return !port.cluster().isEmpty() && port.routes().use(Pool.CLUSTER);
  }

  private boolean hasLocalChain() {
    return !port.local().isEmpty() && port.routes().use(Pool.LOCAL);
  }

  private Map<Endpoint, String> endpointChains() {
    Map<Endpoint, String> chains = new LinkedHashMap<>();
    if (hasClusterChain()) {
      port.cluster().forEach(it -> chains.put(it, Chains.endpoint(port.name(), it)));
    }
    if (hasLocalChain()) {
      port.local()
          .forEach(it -> chains.computeIfAbsent(it, key -> Chains.endpoint(port.name(), key)));
    }
    return chains;
  }

  /** The chain that spreads traffic over the endpoints of a route. */
  private static Kind kind(Route route) {
    return switch (route.pool()) {
      case CLUSTER -> Kind.CLUSTER;
      case LOCAL -> Kind.LOCAL;
    };
  }

  private String toClusterIp() {
    return to(name + " cluster IP", port.clusterIp());
  }

  private String to(String comment, ServiceAddress address) {
    String match =
        address.isNodePort()
            ? " -m addrtype --dst-type LOCAL" + matchProtocol()
            : matchProtocol() + " -d " + address.address();
    return comment(comment) + match + " --dport " + address.port();
  }

  private String matchProtocol() {
    return " -m " + protocol + " -p " + protocol;
  }

  private String jump(Kind kind) {
    return " -j " + kind.named(hash);
  }

  private static String jumpToMasquerade() {
    return " -j " + Chains.MARK_MASQUERADE;
  }

  private static String comment(String text) {
    return "-m comment --comment \"" + text + "\"";
  }
}
