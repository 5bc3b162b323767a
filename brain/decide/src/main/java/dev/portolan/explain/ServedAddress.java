package dev.portolan.explain;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** One of the addresses at which a service port is found. */
record ServedAddress(ServicePort port, ServiceAddress address) {
  /** The addresses at which a node reaches itself. */
  static final List<Ip> LOCALHOST = List.of(Ip.of("127.0.0.1"), Ip.of("::1"));

  /** What answers at an address on this node: a service's own address goes before nodePorts. */
  static Optional<ServedAddress> find(
      NodeImage image, Dataplane dataplane, Ip ip, int number, Protocol protocol) {
    Optional<ServedAddress> own =
        find(
            image,
            protocol,
            address ->
                !address.isNodePort() && address.address().equals(ip) && address.port() == number);
    return own.isPresent() || !servesNodePorts(image.facts(), dataplane, ip, protocol)
        ? own
        : ofNodePort(image, ip.family(), number, protocol);
  }

  /** What has the nodePort {@code number}, whichever addresses serve it. */
  static Optional<ServedAddress> ofNodePort(
      NodeImage image, IpFamily family, int number, Protocol protocol) {
    return find(image, protocol, ServiceAddress.nodePort(family, number)::equals);
  }

  /** Whether nodePorts are served on {@code ip}, loopback addresses included. */
  static boolean servesNodePorts(NodeFacts facts, Dataplane dataplane, Ip ip, Protocol protocol) {
    if (!ip.isLoopback()) {
      return facts.servesNodePorts(ip)
          || (dataplane.forwardsOnly() && facts.addresses().contains(ip));
    }
    if (dataplane.listensOn(ip, protocol)) {
      return true;
    }
    NodePortAddresses addresses = facts.nodePorts(ip.family());
    return dataplane.servesLocalhost()
        && ip.family() == IpFamily.IPV4
        && (addresses.all() || addresses.ranges().stream().anyMatch(range -> range.contains(ip)));
  }

  private static Optional<ServedAddress> find(
      NodeImage image, Protocol protocol, Predicate<ServiceAddress> wanted) {
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        for (ServiceAddress address : port.addresses()) {
          if (port.name().protocol() == protocol && wanted.test(address)) {
            return Optional.of(new ServedAddress(port, address));
          }
        }
      }
    }
    return Optional.empty();
  }
}
