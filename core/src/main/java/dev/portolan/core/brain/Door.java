package dev.portolan.core.brain;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Frontend;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import java.util.Optional;

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

  /** Who answers at an address on this node. */
  static Optional<Opening> find(NodeImage image, Ip address, int number, Protocol protocol) {
    boolean nodePortsServed = servesNodePorts(image.facts(), address);
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        Frontend frontend = port.frontend();
        if (port.name().protocol() != protocol || frontend.family() != address.family()) {
          continue;
        }
        if (frontend.port() == number) {
          if (frontend.clusterIp().equals(address)) {
            return Optional.of(new Opening(port, CLUSTER_IP));
          }
          if (frontend.loadBalancerIps().contains(address)) {
            return Optional.of(new Opening(port, LOAD_BALANCER_IP));
          }
          if (frontend.externalIps().contains(address)) {
            return Optional.of(new Opening(port, EXTERNAL_IP));
          }
        }
        if (frontend.nodePort() == number && nodePortsServed) {
          return Optional.of(new Opening(port, NODE_PORT));
        }
      }
    }
    return Optional.empty();
  }

  /** Whether {@code address} is the node's and serves nodePorts. */
  static boolean servesNodePorts(NodeFacts facts, Ip address) {
    return facts.addresses().contains(address) && facts.nodePorts(address.family()).accept(address);
  }
}
