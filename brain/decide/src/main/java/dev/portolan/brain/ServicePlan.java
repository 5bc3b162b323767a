package dev.portolan.brain;

import dev.portolan.core.cluster.Warning;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A service with the addresses that it really holds, ready to be seen from any node. */
public final class ServicePlan {
  private final ServiceDraft draft;
  private final List<PortPlan> ports;
  private final List<Warning> warnings;
  private final Map<String, Integer> localReady;

  /** One port in one family: as drafted, and its choices. */
  public record PortPlan(ServiceDraft.Port draft, Selector selector) {
    /** Where clients find it: the addresses that it really holds. */
    public Frontend frontend() {
      return selector.frontend();
    }

    /** The endpoints that could be chosen. */
    public List<EndpointCandidate> candidates() {
      return draft.candidates();
    }
  }

  private ServicePlan(ServiceDraft draft, List<PortPlan> ports, List<Warning> warnings) {
    this.draft = draft;
    this.ports = ports;
    this.warnings = warnings;
    this.localReady = draft.healthCheckNodePort() == 0 ? Map.of() : countLocalReady(draft);
  }

  /** Keeps of {@code draft} the addresses that it holds by {@code claims}. */
  static ServicePlan of(ServiceDraft draft, Claims claims) {
    List<PortPlan> ports = new ArrayList<>(draft.ports().size());
    List<Warning> warnings = new ArrayList<>(draft.warnings());
    for (ServiceDraft.Port port : draft.ports()) {
      List<ServiceAddress> held = held(draft, port.frontend(), claims, warnings);
      // Without its cluster IP there is no port.
      if (!held.isEmpty() && !held.getFirst().isExternal()) {
        Frontend frontend = port.frontend().keeping(held);
        ports.add(new PortPlan(port, new Selector(frontend, port.candidates())));
      }
    }
    return new ServicePlan(draft, List.copyOf(ports), List.copyOf(warnings));
  }

  private static List<ServiceAddress> held(
      ServiceDraft draft, Frontend frontend, Claims claims, List<Warning> warnings) {
    List<ServiceAddress> held = new ArrayList<>(frontend.addresses().size());
    for (ServiceAddress address : frontend.addresses()) {
      Claim claim = Claim.of(frontend, address);
      Claim.Claimant holder = claims.holder(claim);
      if (holder == null || holder.service().equals(draft.name())) {
        held.add(address);
      } else {
        warnings.add(
            new Warning(
                draft.service().ref(),
                "",
                claim + " belongs to Service " + holder.service() + ", which keeps it"));
      }
    }
    return held;
  }

  /** The service as it was read. */
  public ServiceDraft draft() {
    return draft;
  }

  /** The ports that are served, in each family. */
  public List<PortPlan> ports() {
    return ports;
  }

  /** What is wrong with the service. */
  public List<Warning> warnings() {
    return warnings;
  }

  /** The nodes that may see the service differently from others in their zone. */
  Set<String> specialNodes() {
    if (ports.isEmpty()) {
      return Set.of();
    }
    if (ports.size() == 1 && localReady.isEmpty()) {
      return ports.getFirst().selector.specialNodes();
    }
    Set<String> nodes = new HashSet<>(localReady.keySet());
    for (PortPlan port : ports) {
      nodes.addAll(port.selector.specialNodes());
    }
    return nodes;
  }

  /** Whether nodes of different zones may see the service differently. */
  boolean dependsOnZone() {
    for (PortPlan port : ports) {
      if (port.selector.dependsOnZone()) {
        return true;
      }
    }
    return false;
  }

  /** The service as a node in a zone sees it, or null where there is nothing to see. */
  @Nullable NodeService at(String node, String zone) {
    if (ports.isEmpty()) {
      return null;
    }
    List<ServicePort> seen = new ArrayList<>(ports.size());
    for (PortPlan port : ports) {
      seen.add(port.selector.select(node, zone));
    }
    return new NodeService(
            draft.name(),
            draft.service().type(),
            draft.healthCheckNodePort(),
            localReady.getOrDefault(node, 0),
            seen)
        .preservingDestination(draft.service().metadata().preservesDestination());
  }

  /** How many distinct addresses are ready on each node; of two families the larger number. */
  private static Map<String, Integer> countLocalReady(ServiceDraft draft) {
    Map<IpFamily, Map<String, Set<Ip>>> ready = new EnumMap<>(IpFamily.class);
    for (ServiceDraft.Port port : draft.ports()) {
      for (EndpointCandidate candidate : port.candidates()) {
        String node = candidate.endpoint().node();
        if (candidate.ready() && !node.isEmpty()) {
          ready
              .computeIfAbsent(port.frontend().family(), family -> new HashMap<>())
              .computeIfAbsent(node, key -> new HashSet<>())
              .add(candidate.endpoint().address());
        }
      }
    }
    Map<String, Integer> counts = new HashMap<>();
    for (Map<String, Set<Ip>> byNode : ready.values()) {
      byNode.forEach((node, addresses) -> counts.merge(node, addresses.size(), Math::max));
    }
    return counts;
  }
}
