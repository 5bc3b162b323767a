package dev.portolan.backend.windows;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServicePort;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Load balancers of HNS only forward: each has one list of endpoints for all its clients, and one
 * port for all its endpoints. NodePorts are served on every address of the node.
 */
record WindowsDataplane() implements Dataplane {
  /**
   * The endpoints with the port that most of {@code pool} have; of several such ports the smallest.
   */
  static List<Endpoint> withOnePort(List<Endpoint> pool) {
    Map<Integer, List<Endpoint>> byPort =
        pool.stream()
            .collect(Collectors.groupingBy(Endpoint::port, TreeMap::new, Collectors.toList()));
    List<Endpoint> most = List.of();
    for (List<Endpoint> some : byPort.values()) {
      most = some.size() > most.size() ? some : most;
    }
    return most;
  }

  @Override
  public String name() {
    return "windows";
  }

  @Override
  public boolean forwardsOnly() {
    return true;
  }

  @Override
  public boolean hasOneListForAll() {
    return true;
  }

  @Override
  public List<Endpoint> endpoints(ServicePort port, Pool pool) {
    return withOnePort(port.endpoints(pool));
  }

  @Override
  public boolean servesNodePorts(NodeFacts facts, Ip address) {
    return !address.isLoopback() && facts.addresses().contains(address);
  }

  @Override
  public boolean hashesClients() {
    return false;
  }
}
