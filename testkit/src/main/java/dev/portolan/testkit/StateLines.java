package dev.portolan.testkit;

import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Frontend;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Selection;
import dev.portolan.core.node.ServicePort;
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
  static final Set<String> KEYS =
      Collections.unmodifiableSet(
          new LinkedHashSet<>(
              List.of(
                  "type",
                  "nodePort",
                  "externalIPs",
                  "loadBalancerIPs",
                  "sources",
                  "affinity",
                  "iTP",
                  "eTP",
                  "healthCheck",
                  "localReady",
                  "internal",
                  "external",
                  "shortCircuit",
                  "cluster",
                  "local",
                  "serving")));

  private static final Comparator<ServicePort> ORDER =
      Comparator.comparing(ServicePort::name)
          .thenComparing(port -> port.frontend().family())
          .thenComparing(port -> port.frontend().clusterIp());

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
  static List<String> of(NodeChange change) {
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
    Frontend frontend = port.frontend();
    StringBuilder line = new StringBuilder();
    line.append(port.name()).append(' ').append(port.name().protocol()).append(' ');
    line.append(frontend.clusterIp().withPort(frontend.port()));
    if (service.type() != ServiceType.CLUSTER_IP) {
      add(line, "type", service.type());
    }
    if (frontend.nodePort() != 0) {
      add(line, "nodePort", frontend.nodePort());
    }
    addList(line, "externalIPs", frontend.externalIps());
    addList(line, "loadBalancerIPs", frontend.loadBalancerIps());
    addList(line, "sources", frontend.sourceRanges());
    if (frontend.affinitySeconds() != 0) {
      add(line, "affinity", frontend.affinitySeconds());
    }
    if (frontend.internalPolicy() != TrafficPolicy.CLUSTER) {
      add(line, "iTP", frontend.internalPolicy());
    }
    if (frontend.externalPolicy() != TrafficPolicy.CLUSTER) {
      add(line, "eTP", frontend.externalPolicy());
    }
    if (service.healthCheckNodePort() != 0) {
      add(line, "healthCheck", service.healthCheckNodePort());
      add(line, "localReady", service.localReadyEndpoints());
    }
    addSelection(line, port.selection());
    return line.toString();
  }

  private static void addSelection(StringBuilder line, Selection selection) {
    add(line, "internal", selection.internal());
    if (selection.external() != Verdict.NONE) {
      add(line, "external", selection.external());
    }
    if (selection.shortCircuit() != selection.external()) {
      add(line, "shortCircuit", selection.shortCircuit());
    }
    addList(line, "cluster", selection.cluster());
    addList(line, "local", selection.local());
    Set<Endpoint> chosen = new TreeSet<>(selection.cluster());
    chosen.addAll(selection.local());
    if (!chosen.equals(new TreeSet<>(selection.serving()))) {
      line.append(" serving=").append(joined(selection.serving()));
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
