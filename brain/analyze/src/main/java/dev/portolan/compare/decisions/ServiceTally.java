package dev.portolan.compare.decisions;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.text.Tree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects what groups of nodes see of one service, and what differs in it. */
final class ServiceTally {
  private final NamespacedName name;
  private final Map<Key, PortTally> ports = new LinkedHashMap<>();
  private final PropertyTally properties = new PropertyTally();
  private final BitSet nodes = new BitSet();
  private boolean wasThere;
  private boolean isThere;

  /** One port in one family. */
  private record Key(ServicePortName name, IpFamily family) {}

  ServiceTally(NamespacedName name) {
    this.name = name;
  }

  /** Adds what some nodes see. */
  void add(PairGroups.Group group) {
    NodeService before = group.before();
    NodeService after = group.after();
    wasThere |= before != null;
    isThere |= after != null;
    if (group.differs()) {
      nodes.or(group.nodes());
      if (before != null && after != null) {
        compare(before, after, group.nodes());
      }
    }
    Map<Key, ServicePort> now = ports(after);
    ports(before)
        .forEach((key, port) -> tally(key, port).add(port, now.remove(key), group.nodes()));
    now.forEach((key, port) -> tally(key, port).add(null, port, group.nodes()));
  }

  private void compare(NodeService before, NodeService after, BitSet where) {
    Tree.differences(
        before,
        after,
        (field, old, now) -> {
          switch (field) {
            case "ports" -> {}
            case "localReadyEndpoints" -> {
              if (before.healthCheckNodePort() != 0 && after.healthCheckNodePort() != 0) {
                properties.add("healthCheck", health(before), health(after), where);
              }
            }
            default -> properties.add(field, old, now, where);
          }
        });
  }

  private static String health(NodeService service) {
    return service.localReadyEndpoints() > 0 ? "passes" : "fails";
  }

  private PortTally tally(Key key, ServicePort port) {
    return ports.computeIfAbsent(key, any -> new PortTally(port));
  }

  private static Map<Key, ServicePort> ports(@Nullable NodeService service) {
    Map<Key, ServicePort> ports = new LinkedHashMap<>();
    if (service != null) {
      for (ServicePort port : service.ports()) {
        ports.put(new Key(port.name(), port.family()), port);
      }
    }
    return ports;
  }

  /** What differs. */
  ServiceDifference difference(NodeSets sets) {
    List<PortDifference> different = new ArrayList<>();
    for (PortTally port : ports.values()) {
      if (port.differs()) {
        different.add(port.difference(sets));
      }
    }
    return new ServiceDifference(
        name,
        !wasThere ? Presence.ADDED : isThere ? Presence.CHANGED : Presence.REMOVED,
        sets.of(nodes),
        properties.changes(sets),
        different);
  }
}
