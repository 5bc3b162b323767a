package dev.portolan.compare;

import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The fields of a Service as text. */
final class ServiceFields {
  static final String HEADLESS = "metadata.labels[" + Service.HEADLESS_LABEL + "]";
  private static final String PROXY_NAME = "metadata.labels[" + Service.PROXY_NAME_LABEL + "]";

  private static final String CREATED = "metadata.creationTimestamp";

  /** What decisions depend on, of all that is written beside a spec. */
  private static final Set<String> DECISIVE =
      Stream.concat(
              Stream.of(PROXY_NAME, HEADLESS),
              Arrays.stream(ServiceAnnotation.values()).map(ServiceAnnotation::field))
          .collect(Collectors.toSet());

  private ServiceFields() {}

  /** Whether what is decided about the service may differ because of {@code change}. */
  static boolean isDecisive(FieldChange change) {
    return !change.field().startsWith("metadata.") || DECISIVE.contains(change.field());
  }

  /** Whether it may where others claim an address of the service: the older one wins. */
  static boolean isDecisiveAmongClaims(FieldChange change) {
    return isDecisive(change) || change.field().equals(CREATED);
  }

  /** What is read of {@code service}, in the order in which people write it. */
  static ObjectFields of(Service service) {
    ObjectFields fields = new ObjectFields();
    service
        .metadata()
        .labels()
        .forEach((key, value) -> fields.add("metadata.labels[" + key + "]", quoted(value)));
    service
        .metadata()
        .annotations()
        .forEach((key, value) -> fields.add("metadata.annotations[" + key + "]", quoted(value)));
    // A source may keep these two labels without the others.
    service.proxyName().ifPresent(name -> fields.add(PROXY_NAME, quoted(name)));
    fields.add(HEADLESS, service.labelledHeadless() ? "set" : "");
    fields
        .add(CREATED, service.created().equals(Instant.EPOCH) ? "" : service.created().toString())
        .add("spec.type", service.type().toString())
        .add("spec.clusterIPs", service.clusterIps())
        .add("spec.ipFamilies", service.ipFamilies().stream().map(Object::toString).toList());
    for (Service.Port port : service.ports()) {
      addPort(port, fields);
    }
    return fields
        .add("spec.externalIPs", service.externalIps())
        .add("spec.loadBalancerSourceRanges", service.sourceRanges())
        .add("spec.internalTrafficPolicy", service.internalTrafficPolicy().toString())
        .add("spec.externalTrafficPolicy", service.externalTrafficPolicy().toString())
        .add("spec.sessionAffinity", service.affinitySeconds().isPresent() ? "ClientIP" : "None")
        .add(
            "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
            service.affinitySeconds().isPresent()
                ? number(service.affinitySeconds().getAsInt())
                : "")
        .add("spec.healthCheckNodePort", number(service.healthCheckNodePort()))
        .add(
            "status.loadBalancer.ingress",
            service.ingress().stream()
                .map(ingress -> ingress.ip() + (ingress.vip() ? "" : " (ipMode Proxy)"))
                .toList());
  }

  private static void addPort(Service.Port port, ObjectFields fields) {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("port", number(port.port()));
    parts.put("protocol", port.protocol().toString());
    parts.put("targetPort", number(port.targetPort()));
    parts.put("nodePort", number(port.nodePort()));
    String text =
        port.port()
            + "/"
            + port.protocol()
            + (port.nodePort() == 0 ? "" : ", nodePort " + port.nodePort());
    fields.add(fields.unused("spec.ports", port.name()), text, parts);
  }

  private static String number(int value) {
    return value == 0 ? "" : String.valueOf(value);
  }

  /** An empty label is a label. */
  private static String quoted(String value) {
    return value.isEmpty() ? "\"\"" : value;
  }
}
