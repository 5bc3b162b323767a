package dev.portolan.core.explain;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Frontend;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.ServicePort;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The kinds of places through which a connection can reach a service. */
enum Door {
  CLUSTER_IP("cluster IP", "spec.clusterIPs"),
  LOAD_BALANCER_IP("load-balancer IP", "status.loadBalancer.ingress"),
  EXTERNAL_IP("external IP", "spec.externalIPs"),
  NODE_PORT("nodePort", "spec.ports.nodePort");

  final String label;
  final String field;

  Door(String label, String field) {
    this.label = label;
    this.field = field;
  }

  /** A service port and the door through which it was found. */
  record Opening(ServicePort port, Door door) {}

  /** Who answers at an address on this node: a service's own address goes before nodePorts. */
  static Optional<Opening> find(NodeImage image, Ip address, int number, Protocol protocol) {
    Optional<Opening> byAddress =
        ports(image, address, protocol)
            .filter(port -> port.frontend().port() == number)
            .flatMap(port -> byAddress(port, address).stream())
            .findFirst();
    if (byAddress.isPresent() || number == 0 || !servesNodePorts(image.facts(), address)) {
      return byAddress;
    }
    return ports(image, address, protocol)
        .filter(port -> port.frontend().nodePort() == number)
        .findFirst()
        .map(port -> new Opening(port, NODE_PORT));
  }

  private static Stream<ServicePort> ports(NodeImage image, Ip address, Protocol protocol) {
    return StreamSupport.stream(image.services().spliterator(), false)
        .flatMap(service -> service.ports().stream())
        .filter(port -> port.name().protocol() == protocol)
        .filter(port -> port.frontend().family() == address.family());
  }

  private static Optional<Opening> byAddress(ServicePort port, Ip address) {
    Frontend frontend = port.frontend();
    if (frontend.clusterIp().equals(address)) {
      return Optional.of(new Opening(port, CLUSTER_IP));
    }
    if (frontend.loadBalancerIps().contains(address)) {
      return Optional.of(new Opening(port, LOAD_BALANCER_IP));
    }
    return frontend.externalIps().contains(address)
        ? Optional.of(new Opening(port, EXTERNAL_IP))
        : Optional.empty();
  }

  /** Whether {@code address} is the node's and serves nodePorts. */
  static boolean servesNodePorts(NodeFacts facts, Ip address) {
    return facts.addresses().contains(address) && facts.nodePorts(address.family()).accept(address);
  }
}
