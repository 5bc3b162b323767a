package dev.portolan.compare.events;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.collection.PersistentMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A cluster as if manifests had been applied: their objects are new, or replace those of the same
 * name. What the API server fills in and a manifest usually lacks, such as cluster IPs, nodePorts
 * and status, stays as it is; so does the time of creation.
 *
 * @param notes sentences about what cannot be known before the change is applied
 */
public record AppliedChange(ClusterImage cluster, List<String> notes) {
  public AppliedChange {
    notes = List.copyOf(notes);
  }

  /** {@code cluster} after {@code manifests} were applied. */
  public static AppliedChange of(ClusterImage cluster, ClusterImage manifests) {
    List<String> notes = new ArrayList<>();
    PersistentMap<NamespacedName, EndpointSlice> slices = cluster.slices();
    for (Map.Entry<NamespacedName, EndpointSlice> entry : manifests.slices()) {
      slices = slices.with(entry.getKey(), entry.getValue());
    }
    PersistentMap<NamespacedName, Service> services = cluster.services();
    for (Map.Entry<NamespacedName, Service> entry : manifests.services()) {
      Service old = services.get(entry.getKey());
      Service now = old == null ? entry.getValue() : over(old, entry.getValue());
      services = services.with(entry.getKey(), now);
      if (old == null) {
        noteNew(now, manifests, notes);
      }
    }
    PersistentMap<String, Node> nodes = cluster.nodes();
    for (Map.Entry<String, Node> entry : manifests.nodes()) {
      Node old = nodes.get(entry.getKey());
      nodes =
          nodes.with(entry.getKey(), old == null ? entry.getValue() : over(old, entry.getValue()));
    }
    PersistentMap<String, ServiceCidr> cidrs = cluster.serviceCidrs();
    for (Map.Entry<String, ServiceCidr> entry : manifests.serviceCidrs()) {
      cidrs = cidrs.with(entry.getKey(), entry.getValue());
    }
    return new AppliedChange(new ClusterImage(services, slices, nodes, cidrs), notes);
  }

  private static void noteNew(Service service, ClusterImage manifests, List<String> notes) {
    if (service.type() == ServiceType.EXTERNAL_NAME || service.clusterIps().contains("None")) {
      return;
    }
    if (isUnset(service.clusterIps())) {
      notes.add(
          service.ref()
              + " is new and has no clusterIP; the API server will allocate one, and until it is"
              + " known nothing is decided about the service; write one into the file to see more");
    }
    if (manifests.slicesOf(service.name()).isEmpty()) {
      notes.add(
          service.ref() + " is new and has no endpoints yet; its EndpointSlices follow its pods");
    }
  }

  private static boolean isUnset(List<String> ips) {
    return ips.isEmpty() || ips.getFirst().isEmpty();
  }

  private static Service over(Service old, Service now) {
    boolean allocated = isUnset(now.clusterIps()) && now.type() != ServiceType.EXTERNAL_NAME;
    boolean balanced = now.type() == ServiceType.LOAD_BALANCER;
    boolean checked = balanced && now.externalTrafficPolicy() == TrafficPolicy.LOCAL;
    Service.Builder service = now.toBuilder().created(old.created());
    if (allocated) {
      service.clusterIps(old.clusterIps()).ipFamilies(old.ipFamilies());
    }
    if (now.type() == ServiceType.NODE_PORT || balanced) {
      service.ports(ports(old, now));
    }
    if (balanced && now.ingress().isEmpty()) {
      service.ingress(old.ingress());
    }
    if (checked && now.healthCheckNodePort() == 0) {
      service.healthCheckNodePort(old.healthCheckNodePort());
    }
    return service.build();
  }

  /** The ports, each with the nodePort that it has. */
  private static List<Service.Port> ports(Service old, Service now) {
    List<Service.Port> ports = new ArrayList<>();
    for (Service.Port port : now.ports()) {
      int nodePort =
          old.ports().stream()
              .filter(one ->
                  one.protocol() == port.protocol()
                      && (one.name().equals(port.name()) || one.port() == port.port()))
              .mapToInt(Service.Port::nodePort)
              .findFirst()
              .orElse(0);
      ports.add(
          port.nodePort() != 0
              ? port
              : new Service.Port(
                  port.name(), port.protocol(), port.port(), nodePort, port.targetPort()));
    }
    return ports;
  }

  private static Node over(Node old, Node now) {
    boolean addressed = !now.internalIps().isEmpty() || !now.externalIps().isEmpty();
    return new Node(
        now.name(),
        addressed ? now.internalIps() : old.internalIps(),
        addressed ? now.externalIps() : old.externalIps(),
        now.zone(),
        now.podCidrs().isEmpty() ? old.podCidrs() : now.podCidrs(),
        now.leaving());
  }
}
