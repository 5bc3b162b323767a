package dev.portolan.backend.ipvs;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Verdict;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.ipvs.ServiceSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The virtual servers that some services need, and the addresses that belong on the device, each
 * with the number of service ports that have it. It follows from the decision, the options and the
 * node's own addresses; no kernel is asked.
 */
public final class IpvsState {
  private final IpvsOptions options;
  private final NodeAddresses node;
  private final Predicate<String> schedulers;
  private final SortedMap<ServerKey, VirtualServer> servers = new TreeMap<>();
  private final Map<Ip, Integer> addresses = new HashMap<>();

  /**
   * An empty state.
   *
   * @param schedulers whether the kernel has one of that name
   */
  IpvsState(IpvsOptions options, NodeAddresses node, Predicate<String> schedulers) {
    this.options = options;
    this.node = node;
    this.schedulers = schedulers;
  }

  /** What {@code image} needs on a node whose own addresses are as the cluster knows them. */
  public static IpvsState of(NodeImage image, IpvsOptions options) {
    return of(image, options, new NodeAddresses(image.facts().addresses()), name -> true);
  }

  static IpvsState of(
      NodeImage image, IpvsOptions options, NodeAddresses node, Predicate<String> schedulers) {
    IpvsState state = new IpvsState(options, node, schedulers);
    for (NodeService service : image.services()) {
      state.lay(service, image.facts());
    }
    return state;
  }

  /** Adds what {@code service} needs; nothing for one that is not there. */
  void lay(@Nullable NodeService service, NodeFacts facts) {
    if (service == null) {
      return;
    }
    for (ServicePort port : service.ports()) {
      if (facts.families().contains(port.family())) {
        port.addresses().forEach(address -> lay(port, address, facts));
      }
    }
  }

  private void lay(ServicePort port, ServiceAddress address, NodeFacts facts) {
    Route route = port.route(address.traffic());
    if (route.verdict() == Verdict.NONE) {
      return;
    }
    List<Endpoint> pool = pool(port, route);
    if (address.isNodePort()) {
      for (Ip own : node.servingNodePorts(port.family(), facts)) {
        add(port, own, address.port(), pool);
      }
      return;
    }
    add(port, address.address(), address.port(), pool);
    addresses.merge(address.address(), 1, Integer::sum);
  }

  /** Where no endpoint of this node is left, mode ipvs uses those of all nodes. */
  private static List<Endpoint> pool(ServicePort port, Route route) {
    List<Endpoint> chosen = port.endpoints(route.pool());
    return chosen.isEmpty() ? port.endpoints(Pool.CLUSTER) : chosen;
  }

  private void add(ServicePort port, Ip address, int number, List<Endpoint> pool) {
    ServerKey key = new ServerKey(address, port.name().protocol(), number);
    int affinity = port.affinitySeconds();
    SchedulerChoice chosen = SchedulerChoice.of(port, options, schedulers);
    ServiceSettings settings =
        ServiceSettings.of(
            port.family() == IpFamily.IPV4 ? AddressFamily.IPV4 : AddressFamily.IPV6,
            chosen.name(),
            affinity > 0 ? chosen.flags() | ServiceSettings.PERSISTENT : chosen.flags(),
            affinity);
    servers.putIfAbsent(
        key, new VirtualServer(key, port.name(), settings, pool, port.balancing(), port.serving()));
  }

  /** The virtual servers. */
  SortedMap<ServerKey, VirtualServer> servers() {
    return Collections.unmodifiableSortedMap(servers);
  }

  /** How many service ports want each address on the device. */
  Map<Ip, Integer> addresses() {
    return Collections.unmodifiableMap(addresses);
  }

  /** Those of a family as ipvsadm prints them, each under the name of its service port. */
  List<String> lines(IpFamily family) {
    List<String> lines = new ArrayList<>();
    lines.add("device " + IpvsOptions.DEVICE);
    addresses.keySet().stream()
        .sorted()
        .filter(address -> address.family() == family && !node.has(address))
        .forEach(address -> lines.add("  " + address + "/" + address.family().bits()));
    servers.values().stream()
        .filter(server -> server.key().address().family() == family)
        .forEach(server -> {
          ServerKey key = server.key();
          lines.add("");
          lines.add("# " + server.owner());
          String protocol = key.protocol().name().toUpperCase(Locale.ROOT);
          lines.add(
              protocol
                  + (key.protocol() == Protocol.SCTP ? " " : "  ")
                  + key.address().withPort(key.port())
                  + " "
                  + server.settings());
          server
              .pool()
              .forEach(endpoint ->
                  lines.add(
                      "  -> %-28s Masq    %d"
                          .formatted(endpoint, server.balancing().weight(endpoint))));
        });
    return List.copyOf(lines);
  }
}
