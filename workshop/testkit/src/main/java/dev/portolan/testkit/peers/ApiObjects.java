package dev.portolan.testkit.peers;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The objects of the model as the API server takes them: trees of maps and lists. */
public final class ApiObjects {
  private ApiObjects() {}

  /** All objects of a cluster in one List, as {@code kubectl get -o json} prints it. */
  public static String list(ClusterImage image) {
    List<Object> items = new ArrayList<>();
    image.nodes().forEach((name, node) -> items.add(node(node)));
    image.serviceCidrs().forEach((name, cidr) -> items.add(serviceCidr(cidr)));
    image
        .services()
        .forEach((name, service) -> {
          Map<String, Object> tree = service(service);
          tree.putAll(status(service));
          items.add(tree);
        });
    image.slices().forEach((name, slice) -> items.add(slice(slice)));
    return Json.line(Map.of("apiVersion", "v1", "kind", "List", "items", items));
  }

  static Map<String, Object> service(Service service) {
    Map<String, Object> labels = new LinkedHashMap<>();
    service.proxyName().ifPresent(name -> labels.put(Service.PROXY_NAME_LABEL, name));
    if (service.labelledHeadless()) {
      labels.put(Service.HEADLESS_LABEL, "");
    }
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("type", service.type().toString());
    if (!service.clusterIps().isEmpty()) {
      spec.put("clusterIP", service.clusterIps().getFirst());
      spec.put("clusterIPs", service.clusterIps());
      spec.put(
          "ipFamilyPolicy", service.clusterIps().size() > 1 ? "RequireDualStack" : "SingleStack");
    }
    if (!service.ipFamilies().isEmpty()) {
      spec.put("ipFamilies", service.ipFamilies().stream().map(Object::toString).toList());
    }
    spec.put("ports", service.ports().stream().map(port -> port(service, port)).toList());
    spec.put("internalTrafficPolicy", service.internalTrafficPolicy().toString());
    boolean open = service.type() != ServiceType.CLUSTER_IP || !service.externalIps().isEmpty();
    if (open) {
      spec.put("externalTrafficPolicy", service.externalTrafficPolicy().toString());
    }
    if (service.type() == ServiceType.LOAD_BALANCER) {
      spec.put(
          "allocateLoadBalancerNodePorts",
          service.ports().stream().allMatch(port -> port.nodePort() != 0));
      spec.put("loadBalancerSourceRanges", service.sourceRanges());
    }
    spec.put("externalIPs", service.externalIps());
    service
        .affinitySeconds()
        .ifPresent(seconds -> {
          spec.put("sessionAffinity", "ClientIP");
          spec.put("sessionAffinityConfig", Map.of("clientIP", Map.of("timeoutSeconds", seconds)));
        });
    if (service.healthCheckNodePort() != 0) {
      spec.put("healthCheckNodePort", service.healthCheckNodePort());
    }
    return object("v1", "Service", metadata(service.name(), labels), Map.of("spec", spec));
  }

  private static Map<String, Object> port(Service service, Service.Port port) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", port.name());
    tree.put("protocol", port.protocol().toString());
    tree.put("port", port.port());
    if (port.nodePort() != 0 && service.type() != ServiceType.CLUSTER_IP) {
      tree.put("nodePort", port.nodePort());
    }
    return tree;
  }

  /** What a load balancer writes into the status of its service. */
  static Map<String, Object> status(Service service) {
    List<Object> ingress = new ArrayList<>();
    service
        .ingress()
        .forEach(one -> ingress.add(Map.of("ip", one.ip(), "ipMode", one.vip() ? "VIP" : "Proxy")));
    return Map.of("status", Map.of("loadBalancer", Map.of("ingress", ingress)));
  }

  static Map<String, Object> slice(EndpointSlice slice) {
    Map<String, Object> labels = new LinkedHashMap<>();
    if (!slice.serviceName().isEmpty()) {
      labels.put(EndpointSlice.SERVICE_NAME_LABEL, slice.serviceName());
    }
    if (slice.labelledHeadless()) {
      labels.put(Service.HEADLESS_LABEL, "");
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("addressType", slice.addressType().toString());
    List<Object> ports = new ArrayList<>();
    for (EndpointSlice.Port port : slice.ports()) {
      ports.add(
          Map.of("name", port.name(), "protocol", port.protocol().toString(), "port", port.port()));
    }
    tree.put("ports", ports);
    tree.put("endpoints", slice.members().stream().map(ApiObjects::member).toList());
    return object("discovery.k8s.io/v1", "EndpointSlice", metadata(slice.name(), labels), tree);
  }

  private static Map<String, Object> member(EndpointSlice.Member member) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("addresses", member.addresses());
    tree.put(
        "conditions",
        Map.of(
            "ready", member.conditions().ready(),
            "serving", member.conditions().serving(),
            "terminating", member.conditions().terminating()));
    if (!member.node().isEmpty()) {
      tree.put("nodeName", member.node());
    }
    if (!member.zone().isEmpty()) {
      tree.put("zone", member.zone());
    }
    Map<String, Object> hints = new LinkedHashMap<>();
    if (!member.zoneHints().isEmpty()) {
      hints.put("forZones", named(member.zoneHints()));
    }
    if (!member.nodeHints().isEmpty()) {
      hints.put("forNodes", named(member.nodeHints()));
    }
    if (!hints.isEmpty()) {
      tree.put("hints", hints);
    }
    return tree;
  }

  private static List<Object> named(List<String> names) {
    List<Object> trees = new ArrayList<>();
    names.forEach(name -> trees.add(Map.of("name", name)));
    return trees;
  }

  static Map<String, Object> node(Node node) {
    Map<String, Object> labels = new LinkedHashMap<>();
    if (!node.zone().isEmpty()) {
      labels.put(Node.ZONE_LABEL, node.zone());
    }
    List<Object> addresses = new ArrayList<>();
    node.internalIps().forEach(ip -> addresses.add(Map.of("type", "InternalIP", "address", ip)));
    node.externalIps().forEach(ip -> addresses.add(Map.of("type", "ExternalIP", "address", ip)));
    Map<String, Object> spec = new LinkedHashMap<>();
    if (!node.podCidrs().isEmpty()) {
      spec.put("podCIDR", node.podCidrs().getFirst());
      spec.put("podCIDRs", node.podCidrs());
    }
    if (node.leaving()) {
      spec.put("taints", List.of(Map.of("key", Node.AUTOSCALER_TAINT, "effect", "NoSchedule")));
    }
    return object(
        "v1",
        "Node",
        Map.of("name", node.name(), "labels", labels),
        Map.of("spec", spec, "status", Map.of("addresses", addresses)));
  }

  static Map<String, Object> serviceCidr(ServiceCidr cidr) {
    return object(
        "networking.k8s.io/v1",
        "ServiceCIDR",
        Map.of("name", cidr.name()),
        Map.of("spec", Map.of("cidrs", cidr.cidrs())));
  }

  private static Map<String, Object> metadata(NamespacedName name, Map<String, Object> labels) {
    return Map.of("name", name.name(), "namespace", name.namespace(), "labels", labels);
  }

  private static Map<String, Object> object(
      String version, String kind, Map<String, Object> metadata, Map<String, Object> rest) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("apiVersion", version);
    tree.put("kind", kind);
    tree.put("metadata", metadata);
    tree.putAll(rest);
    return tree;
  }
}
