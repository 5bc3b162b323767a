package dev.portolan.audit;

import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.audit.AuditDifference.Kind;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The addresses and ports that services of an image have. */
final class DecidedPlaces {
  private static final int MANY_PORTS = 65_536;

  private final Set<Place> places = new HashSet<>();
  private final Map<Ip, Set<Integer>> ports = new HashMap<>();

  /** A place as rules name it; of a nodePort, the unspecified address. */
  private record Place(Ip address, int port, Protocol protocol) {}

  DecidedPlaces(NodeImage image) {
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        if (image.facts().families().contains(port.family())) {
          port.addresses().forEach(address -> add(address, port.name().protocol()));
        }
      }
      if (service.healthCheckNodePort() != 0) {
        for (IpFamily family : IpFamily.values()) {
          add(ServiceAddress.nodePort(family, service.healthCheckNodePort()), Protocol.TCP);
        }
      }
    }
  }

  private void add(ServiceAddress address, Protocol protocol) {
    places.add(new Place(address.address(), address.port(), protocol));
    ports.computeIfAbsent(address.address(), _ -> new HashSet<>()).add(address.port());
  }

  /** Whether a service has this address and port, other than as a nodePort. */
  boolean isAddress(Ip address, int port, Protocol protocol) {
    return places.contains(new Place(address, port, protocol));
  }

  /** A port at which no service has {@code address}. */
  int unusedPort(Ip address) {
    Set<Integer> used = ports.getOrDefault(address, Set.of());
    for (int port = 9; port < MANY_PORTS; port++) {
      if (!used.contains(port)) {
        return port;
      }
    }
    throw new IllegalStateException(address + " has every port");
  }

  /** What rules serve and no service has. */
  List<AuditDifference> stale(Ruleset rules) {
    return rules.served().stream()
        .filter(served -> !isDecided(served))
        .sorted(Comparator.comparing(ServedPlace::toString))
        .map(served ->
            new AuditDifference(
                Kind.STALE,
                Basis.PACKETS,
                served.toString(),
                served.owner(),
                "the kernel has rules for it, and no service has this place"))
        .distinct()
        .toList();
  }

  /** A rule that names an address alone goes with any port there. */
  private boolean isDecided(ServedPlace served) {
    Ip address = served.address().orElseGet(() -> Ip.any(served.family()));
    return served.port() == 0
        ? ports.containsKey(address)
        : places.contains(new Place(address, served.port(), served.protocol()));
  }
}
