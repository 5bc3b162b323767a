package dev.portolan.source.kube;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.source.kube.wire.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON as an API server does: a list on many lines or one, an event on one line. */
final class JsonEncoding implements Encoding {
  @Override
  public String type() {
    return JsonFormat.TYPE;
  }

  @Override
  public byte[] list(String kind, List<Stored> objects, String version) {
    return bytes(
        Map.of(
            "kind",
            kind + "List",
            "metadata",
            Map.of("resourceVersion", version),
            "items",
            objects.stream().map(JsonEncoding::object).toList()));
  }

  @Override
  public byte[] event(String type, Stored object) {
    return bytes(Map.of("type", type, "object", object(object)));
  }

  @Override
  public byte[] bookmark(String kind, String version) {
    Map<String, Object> meta = Map.of("resourceVersion", version);
    return bytes(Map.of("type", "BOOKMARK", "object", Map.of("kind", kind, "metadata", meta)));
  }

  @Override
  public byte[] error(int code, String message) {
    return bytes(Map.of("type", "ERROR", "object", Map.of("code", code, "message", message)));
  }

  @Override
  public byte[] status(int code, String message) {
    return bytes(Map.of("kind", "Status", "code", code, "message", message));
  }

  private static byte[] bytes(Map<String, ?> object) {
    return (write(object) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, Object> object(Stored stored) {
    Map<String, Object> object = new LinkedHashMap<>();
    Map<String, Object> meta = new LinkedHashMap<>();
    Map<String, String> labels = new LinkedHashMap<>();
    meta.put("resourceVersion", Long.toString(stored.version()));
    meta.put("labels", labels);
    meta.put("managedFields", List.of(Map.of("fieldsV1", Map.of("f:a\"}]{", Map.of()))));
    object.put("metadata", meta);
    switch (stored.object()) {
      case Service service -> service(service, object, meta, labels);
      case EndpointSlice slice -> slice(slice, object, meta, labels);
      case Node node -> node(node, object, meta, labels);
      case ServiceCidr cidr -> {
        meta.put("name", cidr.name());
        object.put("spec", Map.of("cidrs", cidr.cidrs()));
      }
      default -> throw new IllegalArgumentException();
    }
    return object;
  }

  private static void service(
      Service service,
      Map<String, Object> object,
      Map<String, Object> meta,
      Map<String, String> labels) {
    meta.put("name", service.name().name());
    meta.put("namespace", service.name().namespace());
    meta.put("creationTimestamp", service.created().toString());
    labels.putAll(service.metadata().labels());
    meta.put("annotations", service.metadata().annotations());
    service.proxyName().ifPresent(name -> labels.put(Service.PROXY_NAME_LABEL, name));
    if (service.labelledHeadless()) {
      labels.put(Service.HEADLESS_LABEL, "");
    }
    Map<String, Object> spec = new LinkedHashMap<>();
    List<Object> ports = new ArrayList<>();
    for (Service.Port port : service.ports()) {
      ports.add(
          Map.of(
              "name",
              port.name(),
              "protocol",
              port.protocol().toString(),
              "port",
              port.port(),
              "nodePort",
              port.nodePort(),
              "targetPort",
              port.targetPort() == 0 ? "http" : port.targetPort()));
    }
    spec.put("ports", ports);
    spec.put("type", service.type().toString());
    spec.put("clusterIPs", service.clusterIps());
    spec.put("ipFamilies", service.ipFamilies().stream().map(Object::toString).toList());
    spec.put("externalIPs", service.externalIps());
    spec.put("loadBalancerSourceRanges", service.sourceRanges());
    spec.put("internalTrafficPolicy", service.internalTrafficPolicy().toString());
    spec.put("externalTrafficPolicy", service.externalTrafficPolicy().toString());
    spec.put("healthCheckNodePort", service.healthCheckNodePort());
    service
        .affinitySeconds()
        .ifPresent(seconds -> {
          spec.put("sessionAffinity", "ClientIP");
          spec.put("sessionAffinityConfig", Map.of("clientIP", Map.of("timeoutSeconds", seconds)));
        });
    object.put("spec", spec);
    List<Object> ingress = new ArrayList<>();
    for (Service.Ingress entry : service.ingress()) {
      ingress.add(Map.of("ip", entry.ip(), "ipMode", entry.vip() ? "VIP" : "Proxy"));
    }
    object.put("status", Map.of("loadBalancer", Map.of("ingress", ingress)));
  }

  private static void slice(
      EndpointSlice slice,
      Map<String, Object> object,
      Map<String, Object> meta,
      Map<String, String> labels) {
    meta.put("name", slice.name().name());
    meta.put("namespace", slice.name().namespace());
    if (!slice.serviceName().isEmpty()) {
      labels.put(EndpointSlice.SERVICE_NAME_LABEL, slice.serviceName());
    }
    if (slice.labelledHeadless()) {
      labels.put(Service.HEADLESS_LABEL, "");
    }
    if (slice.triggerTime() != null) {
      meta.put(
          "annotations",
          Map.of(EndpointSlice.TRIGGER_TIME_ANNOTATION, slice.triggerTime().toString()));
    }
    object.put("addressType", slice.addressType().toString());
    List<Object> ports = new ArrayList<>();
    for (EndpointSlice.Port port : slice.ports()) {
      ports.add(
          Map.of("name", port.name(), "protocol", port.protocol().toString(), "port", port.port()));
    }
    object.put("ports", ports);
    object.put("endpoints", slice.members().stream().map(JsonEncoding::member).toList());
  }

  private static Map<String, Object> member(EndpointSlice.Member member) {
    Map<String, Object> endpoint = new LinkedHashMap<>();
    endpoint.put("addresses", member.addresses());
    endpoint.put(
        "conditions",
        Map.of(
            "ready", member.conditions().ready(),
            "serving", member.conditions().serving(),
            "terminating", member.conditions().terminating()));
    endpoint.put("nodeName", member.node());
    endpoint.put("zone", member.zone());
    endpoint.put(
        "hints",
        Map.of(
            "forZones", member.zoneHints().stream().map(it -> Map.of("name", it)).toList(),
            "forNodes", member.nodeHints().stream().map(it -> Map.of("name", it)).toList()));
    endpoint.put("targetRef", Map.of("name", member.target()));
    return endpoint;
  }

  private static void node(
      Node node, Map<String, Object> object, Map<String, Object> meta, Map<String, String> labels) {
    meta.put("name", node.name());
    if (!node.zone().isEmpty()) {
      labels.put(Node.ZONE_LABEL, node.zone());
    }
    List<Object> taints =
        node.leaving() ? List.of(Map.of("key", Node.AUTOSCALER_TAINT)) : List.of();
    object.put("spec", Map.of("podCIDRs", node.podCidrs(), "taints", taints));
    List<Object> addresses = new ArrayList<>();
    node.internalIps().forEach(ip -> addresses.add(Map.of("type", "InternalIP", "address", ip)));
    node.externalIps().forEach(ip -> addresses.add(Map.of("type", "ExternalIP", "address", ip)));
    object.put("status", Map.of("addresses", addresses));
  }

  private static String write(Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> write(entry.getKey()) + ":" + write(entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list ->
          list.stream().map(JsonEncoding::write).collect(Collectors.joining(", ", "[", "]"));
      case String text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
      default -> value.toString();
    };
  }
}
