package dev.portolan.cli.peers;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.portolan.api.ClusterItems;
import dev.portolan.api.EncodedEndpoint;
import dev.portolan.api.EncodedService;
import dev.portolan.api.StreamItem;
import dev.portolan.api.globalv1.EndpointInfo;
import dev.portolan.api.globalv1.NodeInfo;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.IPSet;
import dev.portolan.api.localv1.Service;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the client in Go has to print of a state. */
final class KpngLines {
  private KpngLines() {}

  /** The lines of a node's state. */
  static List<String> of(NodeImage image) throws InvalidProtocolBufferException {
    String node = image.facts().name();
    List<String> lines = new ArrayList<>();
    for (NodeService service : image.services()) {
      EncodedService encoded = EncodedService.of(service);
      List<Object> endpoints = new ArrayList<>();
      for (EncodedEndpoint endpoint : encoded.endpoints()) {
        endpoints.add(endpoint(endpoint.path(), Endpoint.parseFrom(bytes(endpoint.set(node)))));
      }
      Service message = Service.parseFrom(bytes(encoded.set()));
      lines.add(Json.line(service(encoded.path(), message, endpoints)));
    }
    return lines;
  }

  /** The lines of a cluster's state: services, then endpoints, then nodes. */
  static List<String> of(ClusterImage cluster) throws InvalidProtocolBufferException {
    List<String> lines = new ArrayList<>();
    for (Map.Entry<NamespacedName, dev.portolan.core.cluster.Service> entry : cluster.services()) {
      if (ClusterItems.isFor(entry.getValue(), Optional.empty())) {
        StreamItem item = ClusterItems.service(entry.getValue());
        Service message = ServiceInfo.parseFrom(bytes(item)).getService();
        String name = entry.getKey().toString();
        lines.add(info(path(item), Map.of("service", service(name, message, List.of()))));
      }
    }
    TreeMap<String, String> endpoints = new TreeMap<>();
    for (Map.Entry<NamespacedName, EndpointSlice> slice : cluster.slices()) {
      for (ClusterItems.Entry entry : ClusterItems.endpointInfos(slice.getValue())) {
        endpoints.put(entry.path(), info(entry.path(), EndpointInfo.parseFrom(bytes(entry.set()))));
      }
    }
    lines.addAll(endpoints.values());
    for (Map.Entry<String, Node> entry : cluster.nodes()) {
      StreamItem item = ClusterItems.node(entry.getValue());
      dev.portolan.api.globalv1.Node node = NodeInfo.parseFrom(bytes(item)).getNode();
      Map<String, Object> tree = new LinkedHashMap<>();
      put(tree, "node", node.getName());
      put(tree, "zone", node.getTopology().getZone());
      lines.add(info(path(item), tree));
    }
    return lines;
  }

  private static String info(String path, EndpointInfo info) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("endpoint", endpoint("", info.getEndpoint()));
    put(tree, "of", info.getNamespace() + "/" + info.getServiceName());
    put(tree, "slice", info.getSourceName());
    put(tree, "pod", info.getPodName());
    if (info.getConditions().getReady()) {
      tree.put("ready", true);
    }
    put(tree, "node", info.getTopology().getNode());
    put(tree, "zone", info.getTopology().getZone());
    if (info.getHints().getZonesCount() > 0) {
      tree.put("zones", info.getHints().getZonesList());
    }
    return info(path, tree);
  }

  private static String info(String path, Map<String, ?> rest) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("path", path);
    tree.putAll(rest);
    return Json.line(tree);
  }

  private static void put(Map<String, Object> tree, String key, String value) {
    if (!value.isEmpty()) {
      tree.put(key, value);
    }
  }

  private static Map<String, Object> service(String path, Service message, List<Object> endpoints) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("path", path);
    tree.put("type", message.getType());
    tree.put("clusterIPs", all(message.getIPs().getClusterIPs()));
    tree.put("externalIPs", all(message.getIPs().getExternalIPs()));
    tree.put("loadBalancerIPs", all(message.getIPs().getLoadBalancerIPs()));
    tree.put(
        "sourceRanges",
        message.getIPFiltersList().stream()
            .flatMap(filter -> filter.getSourceRangesList().stream())
            .toList());
    List<Object> ports = new ArrayList<>();
    message
        .getPortsList()
        .forEach(port -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("name", port.getName());
          one.put("protocol", port.getProtocol().name());
          one.put("port", port.getPort());
          one.put("nodePort", port.getNodePort());
          one.put("targetPort", port.getTargetPort());
          ports.add(one);
        });
    tree.put("ports", ports);
    tree.put("internalLocal", message.getInternalTrafficToLocal());
    tree.put("externalLocal", message.getExternalTrafficToLocal());
    tree.put("affinitySeconds", message.getClientIP().getTimeoutSeconds());
    tree.put("healthCheckNodePort", message.getHealthCheckNodePort());
    tree.put("endpoints", endpoints);
    return tree;
  }

  private static Map<String, Object> endpoint(String path, Endpoint message) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("path", path);
    tree.put("ips", all(message.getIPs()));
    List<Object> ports = new ArrayList<>();
    message
        .getPortOverridesList()
        .forEach(port -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("name", port.getName());
          one.put("port", port.getPort());
          ports.add(one);
        });
    tree.put("ports", ports);
    tree.put("local", message.getLocal());
    tree.put("internal", message.getScopes().getInternal());
    tree.put("external", message.getScopes().getExternal());
    return tree;
  }

  private static List<String> all(IPSet set) {
    return Stream.concat(set.getV4List().stream(), set.getV6List().stream()).toList();
  }

  private static ByteString bytes(StreamItem item) {
    return item.message().getSet().getBytes();
  }

  private static String path(StreamItem item) {
    return item.message().getSet().getRef().getPath();
  }
}
