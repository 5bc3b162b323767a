package dev.portolan.api;

import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.EndpointScopes;
import dev.portolan.api.localv1.PortName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The endpoints of a service in KPNG's fields, which know one address with one number for each port
 * name, chosen for the same traffic on all ports.
 *
 * <p>So an address is one endpoint, or as many as it takes to say all that is decided of it.
 */
final class KpngEndpoints {
  private KpngEndpoints() {}

  /** An endpoint, and what distinguishes it from others of its service. */
  record Keyed(String key, Endpoint message) {}

  /** What is the same for all ports of one endpoint. */
  private record Role(String node, boolean internal, boolean external, boolean serving) {
    boolean isChosen() {
      return internal || external;
    }

    /** The message; {@code named} says that a port without a name needs one here. */
    Endpoint message(Ip address, Map<String, Integer> ports, boolean named) {
      Endpoint.Builder message =
          Endpoint.newBuilder()
              .setIPs(IpSets.of(List.of(address)))
              .setScopes(EndpointScopes.newBuilder().setInternal(internal).setExternal(external))
              .setServing(serving)
              .setNode(node);
      ports.forEach((name, port) ->
          message.addPortOverrides(PortName.newBuilder().setName(name).setPort(port)));
      Integer unnamed = ports.get("");
      if (named && unnamed != null) {
        message.addPortOverrides(
            PortName.newBuilder().setName(KpngFields.UNNAMED).setPort(unnamed));
      }
      return message.build();
    }
  }

  /** An endpoint in the making. */
  private record Part(Role role, NavigableMap<String, Integer> ports) {}

  /** One port name in one role. */
  private record Slot(Role role, String name) {}

  /** The endpoints of one address. */
  private static final class Parts {
    private final List<Part> all = new ArrayList<>(1);
    private final Map<Role, List<Part>> byRole = new HashMap<>(2);
    private final Map<Slot, Set<Integer>> numbers = new HashMap<>(2);

    /**
     * Adds a port to the first endpoint that has room for it, or to a new one. An endpoint has room
     * for one number of each name, so the nth number is in the nth endpoint of its role.
     */
    void place(Role role, String name, int port) {
      Set<Integer> there = numbers.computeIfAbsent(new Slot(role, name), s -> new HashSet<>(2));
      if (!there.add(port)) {
        return;
      }
      List<Part> same = byRole.computeIfAbsent(role, r -> new ArrayList<>(1));
      if (same.size() < there.size()) {
        Part part = new Part(role, new TreeMap<>());
        same.add(part);
        all.add(part);
      }
      same.get(there.size() - 1).ports.put(name, port);
    }
  }

  /** The endpoints that are chosen for anything, address by address. */
  static List<Keyed> of(NodeService service) {
    return keyed(service, false);
  }

  /** The endpoints that are chosen for anything or still serve, address by address. */
  static List<Keyed> withUnchosen(NodeService service) {
    return keyed(service, true);
  }

  /** Whether {@code endpoint} runs on {@code node}. */
  static boolean isLocal(Endpoint endpoint, String node) {
    return !node.isEmpty() && endpoint.getNode().equals(node);
  }

  private static List<Keyed> keyed(NodeService service, boolean unchosen) {
    TreeMap<Ip, Parts> parts = new TreeMap<>();
    for (ServicePort port : service.ports()) {
      collect(port, unchosen, parts);
    }
    boolean named = KpngFields.needsTargetName(service);
    List<Keyed> endpoints = new ArrayList<>();
    parts.forEach((address, those) -> {
      for (int i = 0; i < those.all.size(); i++) {
        String key = i == 0 ? address.toString() : address + "-" + (i + 1);
        Part part = those.all.get(i);
        endpoints.add(new Keyed(key, part.role.message(address, part.ports, named)));
      }
    });
    return endpoints;
  }

  private static void collect(ServicePort port, boolean unchosen, Map<Ip, Parts> parts) {
    Set<dev.portolan.core.node.Endpoint> internal =
        new HashSet<>(port.endpoints(port.route(Traffic.INTERNAL).pool()));
    Set<dev.portolan.core.node.Endpoint> external =
        new HashSet<>(port.endpoints(port.route(Traffic.EXTERNAL).pool()));
    Set<dev.portolan.core.node.Endpoint> serving = new HashSet<>(port.serving());
    TreeSet<dev.portolan.core.node.Endpoint> all = new TreeSet<>(serving);
    all.addAll(internal);
    all.addAll(external);
    for (dev.portolan.core.node.Endpoint endpoint : all) {
      Role role =
          new Role(
              endpoint.node(),
              internal.contains(endpoint),
              external.contains(endpoint),
              serving.contains(endpoint));
      if (unchosen || role.isChosen()) {
        parts
            .computeIfAbsent(endpoint.address(), address -> new Parts())
            .place(role, port.name().port(), endpoint.port());
      }
    }
  }
}
