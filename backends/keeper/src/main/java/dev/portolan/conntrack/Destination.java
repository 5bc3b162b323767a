package dev.portolan.conntrack;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;

/** What clients send to: an address and port of a service, or a nodePort at the unspecified one. */
record Destination(Protocol protocol, Ip address, int port) {
  /** One of the addresses of a service port. */
  static Destination of(ServicePort port, ServiceAddress address) {
    return new Destination(port.name().protocol(), address.address(), address.port());
  }

  /** A port of the node, on whatever address of a family. */
  static Destination nodePort(Protocol protocol, IpFamily family, int port) {
    return new Destination(protocol, Ip.any(family), port);
  }

  /** Whether it is a port of the node. */
  boolean isNodePort() {
    return address.isUnspecified();
  }

  /** The family of the flows that go there. */
  IpFamily family() {
    return address.family();
  }
}
