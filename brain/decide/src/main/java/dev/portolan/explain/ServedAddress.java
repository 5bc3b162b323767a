package dev.portolan.explain;

import dev.portolan.core.fate.Fates;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import java.util.Optional;
import java.util.function.Predicate;

/** One of the addresses at which a service port is found. */
record ServedAddress(ServicePort port, ServiceAddress address) {
  /** What answers at an address on this node: a service's own address goes before nodePorts. */
  static Optional<ServedAddress> find(
      NodeImage image, Fates fates, Ip ip, int number, Protocol protocol) {
    Optional<ServedAddress> own =
        find(
            image,
            protocol,
            address ->
                !address.isNodePort() && address.address().equals(ip) && address.port() == number);
    return own.isPresent() || !fates.servesNodePorts(ip, protocol)
        ? own
        : ofNodePort(image, ip.family(), number, protocol);
  }

  /** What has the nodePort {@code number}, whichever addresses serve it. */
  static Optional<ServedAddress> ofNodePort(
      NodeImage image, IpFamily family, int number, Protocol protocol) {
    return find(image, protocol, ServiceAddress.nodePort(family, number)::equals);
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
