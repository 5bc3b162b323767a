package dev.portolan.backend.iptables;

import dev.portolan.backend.iptables.Chains.Kind;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Frontend;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Selection;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The rules of one service port: those in chains that it shares with others, and those in chains of
 * its own.
 */
final class PortRules {
  private final FamilySetting setting;
  private final Frontend frontend;
  private final Selection selection;
  private final int healthCheckNodePort;
  private final List<Cidr> allowedSources;
  private final String name;
  private final String protocol;
  private final String hash;

  PortRules(FamilySetting setting, NodeFacts facts, ServicePort port, int healthCheckNodePort) {
    this.setting = setting;
    this.frontend = port.frontend();
    this.selection = port.selection();
    this.healthCheckNodePort = healthCheckNodePort;
    this.allowedSources = facts.allowedSources(frontend);
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
    internal(rules);
    for (Ip address : frontend.externalIps()) {
      if (isForwardedFromOutside()) {
        rules.accept(
            Shared.NAT_SERVICES,
            to(name + " external IP", address, frontend.port()) + jump(Kind.EXTERNAL));
      }
      unanswered(rules, address);
    }
    for (Ip address : frontend.loadBalancerIps()) {
      loadBalancer(rules, address);
      unanswered(rules, address);
    }
    if (frontend.nodePort() != 0) {
      nodePort(rules);
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

  private void internal(BiConsumer<Shared, String> rules) {
    if (selection.internal() == Verdict.FORWARD) {
      rules.accept(Shared.NAT_SERVICES, toClusterIp() + jump(internalKind()));
      return;
    }
    verdict(selection.internal(), comment -> to(comment, frontend.clusterIp(), frontend.port()))
        .forEach(rule -> rules.accept(Shared.FILTER_SERVICES, rule));
  }

  private void loadBalancer(BiConsumer<Shared, String> rules, Ip address) {
    if (!isForwardedFromOutside()) {
      return;
    }
    rules.accept(
        Shared.NAT_SERVICES,
        to(name + " loadbalancer IP", address, frontend.port())
            + jump(isGuarded() ? Kind.FIREWALL : Kind.EXTERNAL));
    if (isGuarded()) {
      rules.accept(
          Shared.FILTER_FIREWALL,
          to(
                  name + " traffic not accepted by " + Kind.FIREWALL.named(hash),
                  address,
                  frontend.port())
              + " -j DROP");
    }
  }

  private void nodePort(BiConsumer<Shared, String> rules) {
    String port = " --dport " + frontend.nodePort();
    if (isForwardedFromOutside()) {
      String start = "-m comment --comment " + name + matchProtocol();
      if (setting.countLocalhost()) {
        rules.accept(
            Shared.NAT_NODE_PORTS,
            start
                + " -d 127.0.0.0/8"
                + port
                + RuleText.counted(RuleText.LOCALHOST_COUNTER)
                + jump(Kind.EXTERNAL));
      }
      rules.accept(Shared.NAT_NODE_PORTS, start + port + jump(Kind.EXTERNAL));
    }
    verdict(
            selection.external(),
            comment -> comment(comment) + " -m addrtype --dst-type LOCAL" + matchProtocol() + port)
        .forEach(rule -> rules.accept(Shared.FILTER_EXTERNAL_SERVICES, rule));
  }

  /** What happens to packets to {@code address} that no pod and not this node has sent. */
  private void unanswered(BiConsumer<Shared, String> rules, Ip address) {
    verdict(selection.external(), comment -> to(comment, address, frontend.port()))
        .forEach(rule -> rules.accept(Shared.FILTER_EXTERNAL_SERVICES, rule));
  }

  /** Matches packets; the comment says why. */
  private interface Match {
    String commented(String comment);
  }

  private List<String> verdict(Verdict verdict, Match match) {
    return switch (verdict) {
      case REJECT -> List.of(match.commented(name + " has no endpoints") + " -j REJECT");
      case DROP -> List.of(match.commented(name + " has no local endpoints") + " -j DROP");
      case FORWARD, NONE -> List.of();
    };
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
    List<Endpoint> cluster = port.selection().cluster();
    List<Endpoint> local = port.selection().local();
    if (cluster.isEmpty() || local.isEmpty()) {
      return cluster.size() + local.size();
    }
    int more = 0;
    for (Endpoint endpoint : local) {
      more += cluster.contains(endpoint) ? 0 : 1;
    }
    return cluster.size() + more;
  }

  /** Writes the port's own chains with their rules. */
  void own(RestoreWriter out, boolean comments) {
    out.about(name);
    Map<Endpoint, String> endpoints = endpointChains();
    chains(endpoints).forEach(out::chain);
    if (selection.internal() == Verdict.FORWARD) {
      offCluster(out);
    }
    if (isForwardedFromOutside()) {
      external(out);
    }
    if (isGuarded()) {
      guard(out);
    }
    if (hasClusterChain()) {
      spread(out, Kind.CLUSTER.named(hash), selection.cluster(), endpoints, comments);
    }
    if (hasLocalChain()) {
      spread(out, Kind.LOCAL.named(hash), selection.local(), endpoints, comments);
    }
    endpoints.forEach((endpoint, chain) -> endpoint(out, endpoint, chain, comments));
    out.about("");
  }

  /** What comes to the cluster IP from elsewhere must come back through this node. */
  private void offCluster(RestoreWriter out) {
    String chain = internalKind().named(hash);
    String others = RuleText.fromPods(setting.detector(), true);
    if (setting.masqueradeAll()) {
      out.rule(chain, toClusterIp() + jumpToMasquerade());
    } else if (!others.isEmpty()) {
      out.rule(chain, toClusterIp() + " " + others + jumpToMasquerade());
    }
  }

  private void external(RestoreWriter out) {
    String chain = Kind.EXTERNAL.named(hash);
    if (frontend.hasLocalExternalPolicy()) {
      String pods = RuleText.fromPods(setting.detector(), false);
      if (!pods.isEmpty()) {
        out.rule(
            chain,
            comment("pod traffic for " + name + " external destinations")
                + " "
                + pods
                + jump(Kind.CLUSTER));
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
              + jump(Kind.CLUSTER));
    } else {
      out.rule(
          chain,
          comment("masquerade traffic for " + name + " external destinations")
              + jumpToMasquerade());
    }
    if (selection.external() == Verdict.FORWARD) {
      Kind kind = frontend.hasLocalExternalPolicy() ? Kind.LOCAL : Kind.CLUSTER;
      out.rule(chain, "-j " + kind.named(hash));
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
    if (frontend.affinitySeconds() > 0) {
      for (Endpoint endpoint : endpoints) {
        String to = chains.get(endpoint);
        out.rule(
            chain,
            towards(endpoint, comments)
                + "-m recent --name "
                + to
                + " --rcheck --seconds "
                + frontend.affinitySeconds()
                + " --reap -j "
                + to);
      }
    }
    int left = endpoints.size();
    for (Endpoint endpoint : endpoints) {
      String chance =
          left == 1
              ? ""
              : "-m statistic --mode random --probability " + RuleText.probability(left) + " ";
      out.rule(chain, towards(endpoint, comments) + chance + "-j " + chains.get(endpoint));
      left--;
    }
  }

  private String towards(Endpoint endpoint, boolean comments) {
    return comments ? comment(name + " -> " + endpoint) + " " : "";
  }

  private void endpoint(RestoreWriter out, Endpoint endpoint, String chain, boolean comments) {
    String start = comments ? "-m comment --comment " + name + " " : "";
    // A pod that reaches itself must see another address than its own.
    out.rule(chain, start + "-s " + endpoint.address() + jumpToMasquerade());
    String remember = frontend.affinitySeconds() > 0 ? "-m recent --name " + chain + " --set " : "";
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
    return selection.shortCircuit() == Verdict.FORWARD;
  }

  private boolean isGuarded() {
    return isForwardedFromOutside()
        && !frontend.loadBalancerIps().isEmpty()
        && !frontend.sourceRanges().isEmpty();
  }

  private boolean hasClusterChain() {
    return !selection.cluster().isEmpty() && frontend.usesClusterEndpoints();
  }

  private boolean hasLocalChain() {
    return !selection.local().isEmpty() && frontend.usesLocalEndpoints();
  }

  private Map<Endpoint, String> endpointChains() {
    Map<Endpoint, String> chains = new LinkedHashMap<>();
    if (hasClusterChain()) {
      selection.cluster().forEach(it -> chains.put(it, Chains.endpoint(frontend.name(), it)));
    }
    if (hasLocalChain()) {
      selection
          .local()
          .forEach(it -> chains.computeIfAbsent(it, key -> Chains.endpoint(frontend.name(), key)));
    }
    return chains;
  }

  private Kind internalKind() {
    return frontend.internalPolicy() == TrafficPolicy.LOCAL ? Kind.LOCAL : Kind.CLUSTER;
  }

  private String toClusterIp() {
    return to(name + " cluster IP", frontend.clusterIp(), frontend.port());
  }

  private String to(String comment, Ip address, int port) {
    return comment(comment) + matchProtocol() + " -d " + address + " --dport " + port;
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
