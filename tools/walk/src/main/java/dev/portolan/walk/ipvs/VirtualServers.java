package dev.portolan.walk.ipvs;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.RealServer;
import dev.portolan.netlink.ipvs.ServerEntry;
import dev.portolan.netlink.ipvs.ServiceEntry;
import dev.portolan.netlink.ipvs.ServiceSettings;
import dev.portolan.netlink.ipvs.VirtualService;
import dev.portolan.walk.WalkedPacket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The virtual servers of a kernel, as they were at one moment. */
public final class VirtualServers {
  private final Map<Place, Server> byPlace = new LinkedHashMap<>();
  private final Map<Integer, Server> byMark = new HashMap<>();

  private record Place(int protocol, Ip address, int port) {}

  /** A virtual server with what is behind it. */
  public record Server(VirtualService service, ServiceSettings settings, List<RealServer> real) {
    public Server {
      real = List.copyOf(real);
    }

    /** Where new connections go, and how large a part of them. */
    Map<RealServer, Double> shares() {
      Map<RealServer, Double> shares = new LinkedHashMap<>();
      double all = real.stream().mapToDouble(this::parts).sum();
      real.stream()
          .filter(one -> one.weight() > 0)
          .forEach(one -> shares.put(one, parts(one) / all));
      return shares;
    }

    /** Round robin and least connections see only whether there is a weight. */
    private double parts(RealServer one) {
      boolean equal =
          settings.scheduler().equals("rr")
              || settings.scheduler().equals("lc")
              || settings.scheduler().equals("dh");
      return equal ? Math.min(1, one.weight()) : one.weight();
    }
  }

  /** Has these. */
  public VirtualServers(Collection<Server> servers) {
    for (Server server : servers) {
      VirtualService service = server.service;
      if (service.mark() != 0) {
        byMark.put(service.mark(), server);
      } else {
        byPlace.put(place(service), server);
      }
    }
  }

  /** All of this network namespace or another; empty where the kernel has no IPVS. */
  public static Optional<VirtualServers> read(Optional<Path> namespace) {
    return Ipvs.open(namespace)
        .map(kernel -> {
          try (kernel) {
            List<Server> servers = new ArrayList<>();
            for (ServiceEntry entry : kernel.entries()) {
              servers.add(
                  new Server(
                      entry.service(),
                      entry.settings(),
                      kernel.servers(entry.service()).stream().map(ServerEntry::server).toList()));
            }
            return new VirtualServers(servers);
          }
        });
  }

  private static Place place(VirtualService service) {
    return new Place(
        service.protocol(), Ip.fromBytes(service.address().getAddress()), service.port());
  }

  /** Those that an address, and not a mark, leads to. */
  Collection<Server> all() {
    return byPlace.values();
  }

  /** The virtual server that takes {@code packet}. */
  Optional<Server> of(WalkedPacket packet) {
    int protocol = number(packet.first().protocol());
    return Optional.ofNullable(packet.mark() == 0 ? null : byMark.get(packet.mark()))
        .or(() ->
            Optional.ofNullable(
                byPlace.get(new Place(protocol, packet.destination(), packet.port()))));
  }

  static int number(Protocol protocol) {
    return switch (protocol) {
      case TCP -> 6;
      case UDP -> 17;
      case SCTP -> 132;
    };
  }

  /** The protocol that the kernel gives this number; empty for others. */
  static Optional<Protocol> protocol(int number) {
    for (Protocol protocol : Protocol.values()) {
      if (number(protocol) == number) {
        return Optional.of(protocol);
      }
    }
    return Optional.empty();
  }
}
