package dev.portolan.conformance.clusters;

import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Trigger;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Writes what was decided for a node: a line for each port of a service and family. */
public final class StateLines {
  /** What an attribute says of a port; null or an empty list where that is nothing special. */
  private interface Attribute {
    @Nullable Object of(NodeService service, ServicePort port);
  }

  private static final Map<String, Attribute> ATTRIBUTES = new LinkedHashMap<>();

  static {
    ATTRIBUTES.put("type", (service, port) -> unless(ServiceType.CLUSTER_IP, service.type()));
    ATTRIBUTES.put("nodePort", (service, port) -> unless(0, port.nodePort()));
    ATTRIBUTES.put("externalIPs", (service, port) -> port.ips(Kind.EXTERNAL_IP));
    ATTRIBUTES.put("loadBalancerIPs", (service, port) -> port.ips(Kind.LOAD_BALANCER_IP));
    ATTRIBUTES.put("sources", (service, port) -> port.sourceRanges());
    ATTRIBUTES.put("affinity", (service, port) -> unless(0, port.affinitySeconds()));
    ATTRIBUTES.put(
        "balancing", (service, port) -> unless(Balancing.Kind.RANDOM, port.balancing().kind()));
    ATTRIBUTES.put(
        "weights",
        (service, port) ->
            port.balancing().weights().entrySet().stream()
                .map(weight -> weight.getKey() + "*" + weight.getValue())
                .toList());
    ATTRIBUTES.put(
        "iTP", (service, port) -> unless(Pool.CLUSTER, port.route(Traffic.INTERNAL).pool()));
    ATTRIBUTES.put(
        "eTP", (service, port) -> unless(Pool.CLUSTER, port.route(Traffic.EXTERNAL).pool()));
    ATTRIBUTES.put("healthCheck", (service, port) -> unless(0, service.healthCheckNodePort()));
    ATTRIBUTES.put(
        "localReady",
        (service, port) ->
            service.healthCheckNodePort() == 0 ? null : service.localReadyEndpoints());
    ATTRIBUTES.put(
        "preservesDestination", (service, port) -> unless(false, service.preservesDestination()));
    ATTRIBUTES.put("internal", (service, port) -> port.verdict(Traffic.INTERNAL));
    ATTRIBUTES.put(
        "external", (service, port) -> unless(Verdict.NONE, port.verdict(Traffic.EXTERNAL)));
    ATTRIBUTES.put(
        "shortCircuit",
        (service, port) ->
            unless(port.verdict(Traffic.EXTERNAL), port.verdict(Traffic.SHORT_CIRCUIT)));
    ATTRIBUTES.put("cluster", (service, port) -> port.cluster());
    ATTRIBUTES.put("local", (service, port) -> port.local());
    ATTRIBUTES.put("serving", (service, port) -> serving(port));
  }

  /** The names of the attributes of a line, in their order. */
  public static final Set<String> KEYS = Collections.unmodifiableSet(ATTRIBUTES.keySet());

  private static final Comparator<ServicePort> ORDER =
      Comparator.comparing(ServicePort::name)
          .thenComparing(port -> port.family())
          .thenComparing(port -> port.clusterIp());

  private StateLines() {}

  /** All services of an image. */
  public static List<String> of(NodeImage image) {
    List<String> lines = new ArrayList<>();
    for (NodeService service : image.services()) {
      service.ports().stream().sorted(ORDER).forEach(port -> lines.add(line(service, port)));
    }
    return lines;
  }

  /** What a change carries, without the contents. */
  public static List<String> of(NodeChange change) {
    List<String> lines = new ArrayList<>();
    if (change.factsChanged()) {
      lines.add("facts");
    }
    change.set().forEach(service -> lines.add("set " + service.name()));
    change.removed().forEach(service -> lines.add("removed " + service.name()));
    for (Trigger trigger : change.triggers()) {
      lines.add("trigger " + trigger.service() + " " + trigger.time());
    }
    return lines;
  }

  private static String line(NodeService service, ServicePort port) {
    StringBuilder line = new StringBuilder();
    line.append(port.name()).append(' ').append(port.name().protocol()).append(' ');
    line.append(port.clusterIp().address().withPort(port.clusterIp().port()));
    ATTRIBUTES.forEach((key, attribute) -> {
      Object value = attribute.of(service, port);
      if (value != null && !(value instanceof List<?> list && list.isEmpty())) {
        line.append(' ').append(key).append('=');
        line.append(value instanceof List<?> list ? joined(list) : value);
      }
    });
    return line.toString();
  }

  private static @Nullable Object unless(Object usual, Object value) {
    return value.equals(usual) ? null : value;
  }

  /** Only where these are not the ones that were chosen. */
  private static @Nullable Object serving(ServicePort port) {
    Set<Endpoint> chosen = new TreeSet<>(port.cluster());
    chosen.addAll(port.local());
    return chosen.equals(new TreeSet<>(port.serving())) ? null : joined(port.serving());
  }

  static String joined(Collection<?> values) {
    return String.join(",", values.stream().map(Object::toString).toList());
  }
}
