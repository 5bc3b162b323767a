package dev.portolan.backend.ipvs;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.ipvs.VirtualService;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** What a virtual server is known by. */
record ServerKey(Ip address, Protocol protocol, int port) implements Comparable<ServerKey> {
  /** An endpoint behind a virtual server. */
  record EndpointKey(Ip address, int port) implements Comparable<EndpointKey> {
    @Override
    public int compareTo(EndpointKey other) {
      int byAddress = address.compareTo(other.address);
      return byAddress != 0 ? byAddress : Integer.compare(port, other.port);
    }

    /** {@code address:port}. */
    @Override
    public String toString() {
      return address.withPort(port);
    }
  }

  /** The key in our terms; empty for a service by mark, or of a protocol that no service has. */
  static Optional<ServerKey> of(VirtualService service) {
    if (service.mark() != 0) {
      return Optional.empty();
    }
    for (Protocol protocol : Protocol.values()) {
      if (number(protocol) == service.protocol()) {
        return Optional.of(
            new ServerKey(Ip.fromBytes(service.address().getAddress()), protocol, service.port()));
      }
    }
    return Optional.empty();
  }

  /** The key in the terms of netlink. */
  VirtualService service() {
    return new VirtualService(number(protocol), inet(address), port, 0);
  }

  private static int number(Protocol protocol) {
    return switch (protocol) {
      case TCP -> 6;
      case UDP -> 17;
      case SCTP -> 132;
    };
  }

  /** An address in the terms of netlink. */
  static InetAddress inet(Ip address) {
    try {
      return InetAddress.getByAddress(address.toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int compareTo(ServerKey other) {
    int byAddress = address.compareTo(other.address);
    if (byAddress != 0) {
      return byAddress;
    }
    int byProtocol = protocol.compareTo(other.protocol);
    return byProtocol != 0 ? byProtocol : Integer.compare(port, other.port);
  }

  /** {@code tcp 10.96.0.10:80}. */
  @Override
  public String toString() {
    return protocol.lower() + " " + address.withPort(port);
  }
}
