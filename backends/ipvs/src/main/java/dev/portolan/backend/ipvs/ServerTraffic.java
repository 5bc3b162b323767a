package dev.portolan.backend.ipvs;

import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.ServiceEntry;
import dev.portolan.netlink.ipvs.Statistics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What virtual servers have carried, by the service ports that they serve: written by the thread
 * that syncs, read by any.
 */
final class ServerTraffic {
  private final Map<ServerKey, ServicePortName> owners = new ConcurrentHashMap<>();

  /** These are all virtual servers now. */
  void reset(Map<ServerKey, VirtualServer> all) {
    owners.keySet().retainAll(all.keySet());
    set(all);
  }

  /** These virtual servers are new, or changed. */
  void set(Map<ServerKey, VirtualServer> some) {
    some.forEach((key, server) -> owners.put(key, server.owner()));
  }

  /** This virtual server goes. */
  void remove(ServerKey key) {
    owners.remove(key);
  }

  /** What the kernel has counted, read on a connection of its own. */
  List<TrafficCount> read(Optional<Path> namespace) {
    List<TrafficCount> counts = new ArrayList<>();
    Optional<Ipvs> found = Ipvs.open(namespace);
    if (found.isPresent()) {
      try (Ipvs kernel = found.get()) {
        kernel.entries().forEach(entry -> add(entry, counts));
      }
    }
    return counts;
  }

  private void add(ServiceEntry entry, List<TrafficCount> counts) {
    ServerKey key = ServerKey.of(entry.service()).orElse(null);
    ServicePortName owner = key == null ? null : owners.get(key);
    if (key == null || owner == null) {
      return;
    }
    String place = key.toString();
    Statistics carried = entry.statistics();
    counts.add(new TrafficCount(owner, place, Kind.CONNECTIONS, carried.connections()));
    counts.add(new TrafficCount(owner, place, Kind.PACKETS_IN, carried.packetsIn()));
    counts.add(new TrafficCount(owner, place, Kind.PACKETS_OUT, carried.packetsOut()));
    counts.add(new TrafficCount(owner, place, Kind.BYTES_IN, carried.bytesIn()));
    counts.add(new TrafficCount(owner, place, Kind.BYTES_OUT, carried.bytesOut()));
  }
}
