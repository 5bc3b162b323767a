package dev.portolan.core.node;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.node.ServiceAddress.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A node's state as a tree for programs. Fields keep their names and meanings; new ones may join.
 *
 * <ul>
 *   <li>{@code revision}: grows with each state of this node that differs from the one before
 *   <li>{@code node}: what is known of the node, see {@link #facts}
 *   <li>{@code services}: each with {@code namespace}, {@code name}, {@code type}, {@code
 *       healthCheckNodePort} and {@code ports}; a port is there once per family, see {@link #port}
 * </ul>
 *
 * A number that is not set is 0, a text that is not set is empty, a list always there.
 */
public final class NodeTree {
  private NodeTree() {}

  /** A state with the selected services. */
  public static Map<String, Object> of(long revision, NodeFacts facts, List<NodeService> services) {
    Map<String, Object> tree = ofNode(revision, facts);
    tree.put("services", services.stream().map(NodeTree::service).toList());
    return tree;
  }

  /** A state without services. */
  public static Map<String, Object> ofNode(long revision, NodeFacts facts) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("revision", revision);
    tree.put("node", facts(facts));
    return tree;
  }

  /**
   * A change: {@code from} and {@code revision}, services set, names of services removed.
   *
   * @param services the selected services of the change
   */
  public static Map<String, Object> of(NodeChange change, List<ServiceChange> services) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("revision", change.after().revision());
    tree.put("from", change.before().revision());
    if (change.factsChanged()) {
      tree.put("node", facts(change.after().facts()));
    }
    List<Object> set = new ArrayList<>();
    List<Object> removed = new ArrayList<>();
    for (ServiceChange service : services) {
      if (service.after() != null) {
        set.add(service(service.after()));
      } else {
        removed.add(service.name().toString());
      }
    }
    tree.put("set", set);
    tree.put("removed", removed);
    return tree;
  }

  /** What is known of a node. */
  public static Map<String, Object> facts(NodeFacts facts) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", facts.name());
    tree.put("known", facts.known());
    tree.put("zone", facts.zone());
    tree.put("families", texts(facts.families().stream().sorted().toList()));
    tree.put("primaryIPs", texts(facts.primaryIps()));
    tree.put("addresses", texts(facts.addresses()));
    tree.put("podCIDRs", texts(facts.podCidrs()));
    tree.put(
        "localDetectors", perFamily(facts.detectorV4().toString(), facts.detectorV6().toString()));
    tree.put(
        "nodePortAddresses",
        perFamily(nodePorts(facts.nodePortsV4()), nodePorts(facts.nodePortsV6())));
    tree.put("serviceCIDRs", texts(facts.serviceCidrs()));
    tree.put("eligible", facts.eligible());
    tree.put("masqueradeAll", facts.masqueradeAll());
    return tree;
  }

  /** A service with its ports. */
  public static Map<String, Object> service(NodeService service) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("namespace", service.name().namespace());
    tree.put("name", service.name().name());
    tree.put("type", service.type().toString());
    tree.put("healthCheckNodePort", service.healthCheckNodePort());
    tree.put("localReadyEndpoints", service.localReadyEndpoints());
    if (service.preservesDestination()) {
      tree.put("preservesDestination", true);
    }
    tree.put("ports", service.ports().stream().map(NodeTree::port).toList());
    return tree;
  }

  /**
   * Where clients find a port, and for each kind of traffic the verdict and which of the lists of
   * endpoints it is spread over. Where the verdict is not to forward, the list has no meaning.
   */
  public static Map<String, Object> port(ServicePort port) {
    Map<String, Object> tree = frontend(port);
    Map<String, Object> endpoints = new LinkedHashMap<>();
    endpoints.put("cluster", port.cluster().stream().map(NodeTree::endpoint).toList());
    endpoints.put("local", port.local().stream().map(NodeTree::endpoint).toList());
    endpoints.put("serving", port.serving().stream().map(NodeTree::endpoint).toList());
    tree.put("endpoints", endpoints);
    Map<String, Object> verdicts = new LinkedHashMap<>();
    Map<String, Object> uses = new LinkedHashMap<>();
    for (Map.Entry<String, Route> entry : routes(port.routes()).entrySet()) {
      Route route = entry.getValue();
      verdicts.put(entry.getKey(), route.verdict().toString());
      uses.put(entry.getKey(), route.pool().name().toLowerCase(Locale.ROOT));
    }
    tree.put("verdicts", verdicts);
    tree.put("uses", uses);
    return tree;
  }

  private static Map<String, Route> routes(Routes routes) {
    Map<String, Route> byName = new LinkedHashMap<>();
    byName.put("internal", routes.internal());
    byName.put("external", routes.external());
    byName.put("shortCircuit", routes.shortCircuit());
    return byName;
  }

  /** Where clients find a port, and how they are to be treated. */
  public static Map<String, Object> frontend(ServicePort port) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", port.name().port());
    tree.put("protocol", port.name().protocol().toString());
    tree.put("family", port.family().toString());
    tree.put("clusterIP", port.clusterIp().address().toString());
    tree.put("port", port.clusterIp().port());
    tree.put("nodePort", port.nodePort());
    tree.put("externalIPs", texts(port.ips(Kind.EXTERNAL_IP)));
    tree.put("loadBalancerIPs", texts(port.ips(Kind.LOAD_BALANCER_IP)));
    tree.put("loadBalancerSourceRanges", texts(port.sourceRanges()));
    tree.put("internalTrafficPolicy", port.routes().internal().pool().toString());
    tree.put("externalTrafficPolicy", port.routes().external().pool().toString());
    tree.put("affinitySeconds", port.affinitySeconds());
    tree.put("balancing", port.balancing().kind().toString());
    if (port.balancing().isWeighted()) {
      Map<String, Object> weights = new LinkedHashMap<>();
      port.balancing()
          .weights()
          .forEach((endpoint, weight) -> weights.put(endpoint.toString(), weight));
      tree.put("weights", weights);
    }
    return tree;
  }

  /** An endpoint; its node is empty where not known. */
  public static Map<String, Object> endpoint(Endpoint endpoint) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("address", endpoint.address().toString());
    tree.put("port", endpoint.port());
    tree.put("node", endpoint.node());
    return tree;
  }

  private static Map<String, Object> perFamily(Object v4, Object v6) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("IPv4", v4);
    tree.put("IPv6", v6);
    return tree;
  }

  private static List<String> nodePorts(NodePortAddresses addresses) {
    return addresses.all()
        ? List.of("all")
        : addresses.ranges().stream().map(Cidr::toString).toList();
  }

  private static List<String> texts(List<?> values) {
    return values.stream().map(Object::toString).toList();
  }
}
