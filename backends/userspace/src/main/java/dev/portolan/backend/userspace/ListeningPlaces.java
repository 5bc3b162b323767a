package dev.portolan.backend.userspace;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Verdict;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where portals are that clients connect to themselves. */
final class ListeningPlaces {
  private static final Ip LOOPBACK_V4 = Ip.of("127.0.0.1");
  private static final Ip LOOPBACK_V6 = Ip.of("::1");
  private static final int FIRST_OCTET_127 = 127 << 24;
  private static final int OTHER_OCTETS = 0xffffff;

  private ListeningPlaces() {}

  /**
   * The portals of {@code port}, and where each may be, the best place first. An address whose
   * clients are all rejected has none: where nothing listens, the system refuses them.
   */
  static Map<PortalId, List<InetSocketAddress>> of(ServicePort port, NodeFacts facts) {
    Map<PortalId, List<InetSocketAddress>> places = new LinkedHashMap<>();
    if (port.name().protocol() != Protocol.SCTP) {
      for (ServiceAddress address : port.addresses()) {
        if (port.forwards(address) || port.verdict(address.traffic()) == Verdict.DROP) {
          PortalId id = PortalId.of(port, address);
          places.put(id, of(id, address, facts));
        }
      }
    }
    return places;
  }

  /**
   * The address itself, where the machine has it; an address of the loopback network that looks
   * like it; and last a port of localhost.
   */
  private static List<InetSocketAddress> of(PortalId id, ServiceAddress address, NodeFacts facts) {
    IpFamily family = address.family();
    Ip loopback = family == IpFamily.IPV4 ? LOOPBACK_V4 : LOOPBACK_V6;
    List<InetSocketAddress> places = new ArrayList<>();
    if (address.isNodePort()) {
      facts
          .primaryIp(family)
          .filter(facts::servesNodePorts)
          .ifPresent(ip -> places.add(Sockets.address(ip, address.port())));
      places.add(Sockets.address(loopback, address.port()));
    } else {
      places.add(Sockets.address(address.address(), address.port()));
      if (family == IpFamily.IPV4) {
        places.add(Sockets.address(alias(address.address()), address.port()));
      }
    }
    places.add(Sockets.address(loopback, id.preferredPort(0)));
    places.add(Sockets.address(loopback, 0));
    return places;
  }

  /** 127.96.0.10 for 10.96.0.10: all of 127.0.0.0/8 is this machine's, on Linux. */
  private static Ip alias(Ip address) {
    return Ip.v4(FIRST_OCTET_127 | ((int) address.low() & OTHER_OCTETS));
  }
}
