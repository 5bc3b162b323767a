package dev.portolan.conformance.clusters;

import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Trigger;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Writes what was decided for a node: a line for each port of a service and family. */
public final class StateLines {
  /** The attributes of a line, in their order. Those that say nothing special are left out. */
  public static final Set<String> KEYS =
      Collections.unmodifiableSet(
          new LinkedHashSet<>(
              List.of(
                  "type",
                  "nodePort",
                  "externalIPs",
                  "loadBalancerIPs",
                  "sources",
                  "affinity",
                  "balancing",
                  "weights",
                  "iTP",
                  "eTP",
                  "healthCheck",
                  "localReady",
                  "preservesDestination",
                  "internal",
                  "external",
                  "shortCircuit",
                  "cluster",
                  "local",
                  "serving")));

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
    if (service.type() != ServiceType.CLUSTER_IP) {
      add(line, "type", service.type());
    }
    if (port.nodePort() != 0) {
      add(line, "nodePort", port.nodePort());
    }
    addList(line, "externalIPs", port.ips(Kind.EXTERNAL_IP));
    addList(line, "loadBalancerIPs", port.ips(Kind.LOAD_BALANCER_IP));
    addList(line, "sources", port.sourceRanges());
    if (port.affinitySeconds() != 0) {
      add(line, "affinity", port.affinitySeconds());
    }
    if (port.balancing().kind() != Balancing.Kind.RANDOM) {
      add(line, "balancing", port.balancing().kind());
    }
    addList(
        line,
        "weights",
        port.balancing().weights().entrySet().stream()
            .map(weight -> weight.getKey() + "*" + weight.getValue())
            .toList());
    addPool(line, "iTP", port.route(Traffic.INTERNAL));
    addPool(line, "eTP", port.route(Traffic.EXTERNAL));
    if (service.healthCheckNodePort() != 0) {
      add(line, "healthCheck", service.healthCheckNodePort());
      add(line, "localReady", service.localReadyEndpoints());
    }
    if (service.preservesDestination()) {
      add(line, "preservesDestination", true);
    }
    addRoutes(line, port);
    return line.toString();
  }

  private static void addPool(StringBuilder line, String key, Route route) {
    if (route.pool() != Pool.CLUSTER) {
      add(line, key, route.pool());
    }
  }

  private static void addRoutes(StringBuilder line, ServicePort port) {
    Verdict external = port.verdict(Traffic.EXTERNAL);
    Verdict shortCircuit = port.verdict(Traffic.SHORT_CIRCUIT);
    add(line, "internal", port.verdict(Traffic.INTERNAL));
    if (external != Verdict.NONE) {
      add(line, "external", external);
    }
    if (shortCircuit != external) {
      add(line, "shortCircuit", shortCircuit);
    }
    addList(line, "cluster", port.cluster());
    addList(line, "local", port.local());
    Set<Endpoint> chosen = new TreeSet<>(port.cluster());
    chosen.addAll(port.local());
    if (!chosen.equals(new TreeSet<>(port.serving()))) {
      line.append(" serving=").append(joined(port.serving()));
    }
  }

  private static void add(StringBuilder line, String key, Object value) {
    line.append(' ').append(key).append('=').append(value);
  }

  private static void addList(StringBuilder line, String key, Collection<?> values) {
    if (!values.isEmpty()) {
      add(line, key, joined(values));
    }
  }

  static String joined(Collection<?> values) {
    return String.join(",", values.stream().map(Object::toString).toList());
  }
}
