package dev.portolan.training;

import java.util.ArrayList;
import java.util.List;

/**
 * A cluster as an API server writes it, with a service of every kind, and enough of them that the
 * most urgent are written first.
 */
final class TrainingObjects {
  /** The services. */
  static final List<String> NAMES = List.of("kubernetes", "web", "dns", "shop", "sticky", "empty");

  static final String NODE = "training";

  private static final int MANY = 1_001;

  private TrainingObjects() {}

  /** The answer to a request for a list. */
  static String list(String resource) {
    String kind =
        switch (resource) {
          case "nodes" -> "Node";
          case "services" -> "Service";
          case "endpointslices" -> "EndpointSlice";
          default -> "ServiceCIDR";
        };
    List<String> objects =
        switch (resource) {
          case "nodes" -> List.of(node());
          case "services" -> services();
          case "endpointslices" -> NAMES.stream().map(name -> slice(name, 1)).toList();
          default -> List.of();
        };
    return "{\"kind\":\"%sList\",\"metadata\":{\"resourceVersion\":\"10\"},\"items\":[%s]}"
        .formatted(kind, String.join(",", objects));
  }

  static String node() {
    return """
    {"metadata":{"name":"training","resourceVersion":"1","labels":{"topology.kubernetes.io/zone":"a"}},
     "spec":{"podCIDR":"10.244.1.0/24","podCIDRs":["10.244.1.0/24"]},
     "status":{"addresses":[{"type":"InternalIP","address":"192.168.10.11"}]}}\
    """
        .replace("\n", "");
  }

  static List<String> services() {
    List<String> all = new ArrayList<>(different());
    for (int i = 0; i < MANY; i++) {
      String ip = "10.97." + i / 250 + "." + (1 + i % 250);
      all.add(service("s" + i, ip, "TCP", "\"type\":\"ClusterIP\"", 0, ""));
    }
    return all;
  }

  private static List<String> different() {
    return List.of(
        service("kubernetes", 1, "TCP", "\"type\":\"ClusterIP\"", 0),
        service("web", 10, "TCP", "\"type\":\"NodePort\"", 30080),
        service("dns", 11, "UDP", "\"type\":\"ClusterIP\"", 0),
        service(
            "shop",
            12,
            "TCP",
            "\"type\":\"LoadBalancer\",\"externalTrafficPolicy\":\"Local\","
                + "\"healthCheckNodePort\":32000,\"loadBalancerSourceRanges\":[\"10.0.0.0/8\"]",
            30443),
        service(
            "sticky",
            13,
            "TCP",
            "\"type\":\"ClusterIP\",\"sessionAffinity\":\"ClientIP\",\"sessionAffinityConfig\":"
                + "{\"clientIP\":{\"timeoutSeconds\":600}},\"externalIPs\":[\"203.0.113.7\"]",
            0),
        service("empty", 14, "TCP", "\"type\":\"ClusterIP\"", 0));
  }

  private static String service(String name, int ip, String protocol, String spec, int nodePort) {
    String ingress = "{\"ip\":\"203.0.113.%d\",\"ipMode\":\"VIP\"}".formatted(ip);
    return service(name, "10.96.0." + ip, protocol, spec, nodePort, ingress);
  }

  private static String service(
      String name, String ip, String protocol, String spec, int nodePort, String ingress) {
    return """
    {"metadata":{"name":"%s","namespace":"default","resourceVersion":"2",
     "creationTimestamp":"2026-01-01T00:00:00Z"},
     "spec":{%s,"clusterIP":"%s","clusterIPs":["%s"],"ipFamilies":["IPv4"],
     "ports":[{"name":"main","protocol":"%s","port":80,"nodePort":%d}]},
     "status":{"loadBalancer":{"ingress":[%s]}}}\
    """
        .formatted(name, spec, ip, ip, protocol, nodePort, ingress)
        .replace("\n", "");
  }

  /** The endpoints of a service; each version has other ones. */
  static String slice(String service, int version) {
    StringBuilder members = new StringBuilder();
    for (int i = 0; i < (service.equals("empty") ? 0 : 2 + version % 3); i++) {
      members
          .append(i == 0 ? "" : ",")
          .append(
              "{\"addresses\":[\"10.244.%d.%d\"],\"nodeName\":\"%s\",\"conditions\":{\"ready\":true}%s}"
                  .formatted(
                      1 + i,
                      1 + (version + i) % 200,
                      i == 0 ? NODE : "other",
                      service.equals("dns") ? ",\"hints\":{\"forZones\":[{\"name\":\"a\"}]}" : ""));
    }
    return """
    {"metadata":{"name":"%s-1","namespace":"default","resourceVersion":"%d",
     "labels":{"kubernetes.io/service-name":"%s"},
     "annotations":{"endpoints.kubernetes.io/last-change-trigger-time":"2026-01-01T00:00:00Z"}},
     "addressType":"IPv4","ports":[{"name":"main","protocol":"%s","port":8080}],"endpoints":[%s]}\
    """
        .formatted(service, version, service, service.equals("dns") ? "UDP" : "TCP", members)
        .replace("\n", "");
  }
}
