package dev.portolan.conntrack;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Frontend;
import java.util.ArrayList;
import java.util.List;

/** Where clients come in: an address and port, or a nodePort on whatever address of the node. */
sealed interface Door {
  /** One address and port of a service. */
  record Address(Protocol protocol, Ip address, int port) implements Door {}

  /** A port of the node. */
  record NodePort(Protocol protocol, IpFamily family, int port) implements Door {}

  /** The protocol that is spoken there. */
  Protocol protocol();

  /** The family of the flows that come in. */
  default IpFamily family() {
    return switch (this) {
      case Address door -> door.address.family();
      case NodePort door -> door.family;
    };
  }

  /** All the doors of a service port. */
  static List<Door> of(Frontend frontend) {
    Protocol protocol = frontend.name().protocol();
    List<Door> doors = new ArrayList<>();
    doors.add(new Address(protocol, frontend.clusterIp(), frontend.port()));
    frontend.externalIps().forEach(ip -> doors.add(new Address(protocol, ip, frontend.port())));
    frontend.loadBalancerIps().forEach(ip -> doors.add(new Address(protocol, ip, frontend.port())));
    if (frontend.nodePort() != 0) {
      doors.add(new NodePort(protocol, frontend.family(), frontend.nodePort()));
    }
    return doors;
  }
}
