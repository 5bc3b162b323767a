package dev.portolan.core.node;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Cidr;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node's state as a tree for programs. Fields keep their names and meanings; new ones may join.
 *
 * <ul>
 *   <li>{@code revision}: grows with each state of this node that differs from the one before
 *   <li>{@code node}: what is known of the node, see {@link #facts}
 *   <li>{@code services}: each with {@code namespace}, {@code name}, {@code type}, {@code
 *       healthCheckNodePort} and {@code ports}; a port is there once a family, see {@link #port}
 * </ul>
 *
 * A number that is not set is 0, a text that is not set is empty, a list always there.
 */
public final class NodeTree {
  private NodeTree() {}

  /** A state with the services that somebody wants to see. */
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

  /** A change: {@code from} and {@code revision}, services set, names of services removed. */
  public static Map<String, Object> of(NodeDelta delta) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("revision", delta.toRevision());
    tree.put("from", delta.fromRevision());
    delta.facts().ifPresent(facts -> tree.put("node", facts(facts)));
    tree.put("set", delta.set().stream().map(NodeTree::service).toList());
    tree.put("removed", delta.removed().stream().map(NamespacedName::toString).toList());
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
    tree.put("ports", service.ports().stream().map(NodeTree::port).toList());
    return tree;
  }

  /**
   * Where clients find a port, and for each kind of traffic the verdict and which of the lists of
   * endpoints it is spread over. Where the verdict is not to forward, the list has no meaning.
   */
  public static Map<String, Object> port(ServicePort port) {
    Map<String, Object> tree = frontend(port.frontend());
    Selection selection = port.selection();
    Map<String, Object> endpoints = new LinkedHashMap<>();
    endpoints.put("cluster", selection.cluster().stream().map(NodeTree::endpoint).toList());
    endpoints.put("local", selection.local().stream().map(NodeTree::endpoint).toList());
    endpoints.put("serving", selection.serving().stream().map(NodeTree::endpoint).toList());
    tree.put("endpoints", endpoints);
    Map<String, Object> verdicts = new LinkedHashMap<>();
    verdicts.put("internal", selection.internal().toString());
    verdicts.put("external", selection.external().toString());
    verdicts.put("shortCircuit", selection.shortCircuit().toString());
    tree.put("verdicts", verdicts);
    Map<String, Object> uses = new LinkedHashMap<>();
    uses.put("internal", list(port.frontend().internalPolicy()));
    uses.put("external", list(port.frontend().externalPolicy()));
    uses.put("shortCircuit", list(TrafficPolicy.CLUSTER));
    tree.put("uses", uses);
    return tree;
  }

  /** Where clients find a port, and how they are to be treated. */
  public static Map<String, Object> frontend(Frontend frontend) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", frontend.name().port());
    tree.put("protocol", frontend.name().protocol().toString());
    tree.put("family", frontend.family().toString());
    tree.put("clusterIP", frontend.clusterIp().toString());
    tree.put("port", frontend.port());
    tree.put("nodePort", frontend.nodePort());
    tree.put("externalIPs", texts(frontend.externalIps()));
    tree.put("loadBalancerIPs", texts(frontend.loadBalancerIps()));
    tree.put("loadBalancerSourceRanges", texts(frontend.sourceRanges()));
    tree.put("internalTrafficPolicy", frontend.internalPolicy().toString());
    tree.put("externalTrafficPolicy", frontend.externalPolicy().toString());
    tree.put("affinitySeconds", frontend.affinitySeconds());
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

  private static String list(TrafficPolicy policy) {
    return policy == TrafficPolicy.LOCAL ? "local" : "cluster";
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
