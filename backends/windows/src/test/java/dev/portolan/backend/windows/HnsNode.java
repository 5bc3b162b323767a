package dev.portolan.backend.windows;

import dev.portolan.core.net.Ip;
import dev.portolan.testkit.windows.HnsJournal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Host Network Service of a node in tests: what it starts with, and what it has now. */
final class HnsNode {
  static final UUID NETWORK = UUID.fromString("a1b2c3d4-0000-4000-8000-000000000001");

  private HnsNode() {}

  /** The network that pods are in. */
  static String network(UUID id, String type, String policies) {
    return "network {\"ID\":\"%s\",\"Name\":\"cbr0\",\"Type\":\"%s\",\"Policies\":[%s]}"
        .formatted(text(id), type, policies);
  }

  /** Where the pods of another node are, in an overlay. */
  static String subnet(String prefix, String node) {
    return """
    {"Type":"RemoteSubnetRoute","Settings":{"DestinationPrefix":"%s","IsolationId":4096,\
    "ProviderAddress":"%s","DistributedRouterMacAddress":"00-15-5D-00-00-12"}}\
    """
        .formatted(prefix, node);
  }

  /** An endpoint that a CNI plugin makes for a pod of this node. */
  static String pod(String address) {
    return endpoint(podId(address), address, false);
  }

  static UUID podId(String address) {
    return UUID.nameUUIDFromBytes(Ip.of(address).toBytes());
  }

  /** An endpoint of another program. */
  static String endpoint(UUID id, String address, boolean remote) {
    return """
    endpoint {"ID":"%s","Name":"%s","HostComputeNetwork":"%s",\
    "IpConfigurations":[{"IpAddress":"%s","PrefixLength":24}],"MacAddress":"00-15-5D-00-00-01","Flags":%d}\
    """
        .formatted(text(id), "of " + address, text(NETWORK), address, remote ? 1 : 0);
  }

  /** A load balancer of another program. */
  static String balancer(UUID id, UUID endpoint, String vip, int port) {
    return """
    loadbalancer {"ID":"%s","HostComputeEndpoints":["%s"],"FrontendVIPs":["%s"],\
    "PortMappings":[{"Protocol":6,"InternalPort":1,"ExternalPort":%d}]}\
    """
        .formatted(text(id), text(endpoint), vip, port);
  }

  /** As HNS writes it. */
  static String text(UUID id) {
    return id.toString().toUpperCase(Locale.ROOT);
  }

  /** The load balancers as {@code address:port -> endpoints}, in order. */
  static List<String> balancers(HnsJournal hns) {
    Map<String, String> addresses =
        hns.endpoints().entrySet().stream()
            .collect(
                Collectors.toMap(Map.Entry::getKey, entry -> value(entry.getValue(), "IpAddress")));
    return hns.loadBalancers().values().stream()
        .map(json -> line(json, addresses))
        .sorted()
        .toList();
  }

  private static String line(String json, Map<String, String> addresses) {
    String vip = json.contains("FrontendVIPs") ? list(json, "FrontendVIPs") : "";
    return vip
        + ":"
        + number(json, "ExternalPort")
        + " -> "
        + Stream.of(list(json, "HostComputeEndpoints").split(","))
            .map(id -> addresses.getOrDefault(id, "?"))
            .sorted()
            .collect(Collectors.joining(" "))
        + " :"
        + number(json, "InternalPort");
  }

  private static String value(String json, String key) {
    return json.replaceFirst(".*\"" + key + "\" *: *\"([^\"]*)\".*", "$1");
  }

  private static String number(String json, String key) {
    return json.replaceFirst(".*\"" + key + "\" *: *([0-9]*).*", "$1");
  }

  private static String list(String json, String key) {
    return json.replaceFirst(".*\"" + key + "\" *: *\\[([^]]*)].*", "$1").replaceAll("[\" ]", "");
  }

  /** The addresses of remote endpoints, in order. */
  static List<String> remotes(HnsJournal hns) {
    return hns.endpoints().values().stream()
        .filter(json -> json.matches(".*\"Flags\" *: *1.*"))
        .map(json -> value(json, "IpAddress"))
        .sorted()
        .toList();
  }

  /** What was done since the last mark, without identifiers. */
  static List<String> changes(HnsJournal hns) {
    return hns.changes().stream().map(call -> call.replaceFirst(" 0x.*", "")).toList();
  }
}
