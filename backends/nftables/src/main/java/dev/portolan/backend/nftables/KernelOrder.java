package dev.portolan.backend.nftables;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.SetSpec;
import dev.portolan.nftables.table.Entry;
import dev.portolan.nftables.table.KernelTables;
import dev.portolan.nftables.table.TableState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the numbers that endpoints have in the kernel, so that after a restart they keep them and
 * hardly anything has to be written.
 */
final class KernelOrder {
  /** Most services have few endpoints. */
  private static final int FEW = 4;

  private final Map<Key, List<@Nullable Endpoint>> found = new HashMap<>();

  /** A service address, or a nodePort at the unspecified address, and a pool behind it. */
  private record Key(Ip address, Protocol protocol, int port, Pool pool) {}

  /**
   * Reads the maps of endpoints that are {@code there}, and adds to {@code order} what {@code
   * services} have.
   *
   * @param wanted the tables of these services, whatever the order; large maps are asked for their
   *     keys
   */
  static void adopt(
      KernelTables there,
      List<NodeService> services,
      EndpointOrder order,
      Supplier<Map<IpFamily, TableState>> wanted) {
    KernelOrder reader = new KernelOrder();
    Map<IpFamily, TableState> tables = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      for (Nftables.SetInfo set : there.sets(family)) {
        if (set.name().endsWith("endpoints") && set.dataType() != SetSpec.VERDICT_TYPE) {
          boolean large = KernelTables.isLarge(set);
          if (large && tables.isEmpty()) {
            tables.putAll(wanted.get());
          }
          reader.read(
              family,
              set.name(),
              large
                  ? there.elements(family, set.name(), elements(tables.get(family), set.name()))
                  : there.elements(family, set.name()));
        }
      }
    }
    for (NodeService service : services) {
      for (ServicePort port : service.ports()) {
        for (Pool pool : Pool.values()) {
          reader.tell(port, pool, order);
        }
      }
    }
  }

  private static List<Element> elements(@Nullable TableState table, String map) {
    return table == null
        ? List.of()
        : table.entries().getOrDefault(map, List.of()).stream().map(Entry::element).toList();
  }

  private void read(IpFamily family, String map, List<? extends @Nullable Element> elements) {
    for (Protocol protocol : Protocol.values()) {
      if (map.startsWith(protocol.lower() + "-")) {
        Pool pool = map.contains("local-") ? Pool.LOCAL : Pool.CLUSTER;
        read(family, protocol, pool, map.contains("nodeport-"), elements);
      }
    }
  }

  private void read(
      IpFamily family,
      Protocol protocol,
      Pool pool,
      boolean nodePorts,
      List<? extends @Nullable Element> elements) {
    int addressLength = family.bits() / 8;
    int keyLength = (nodePorts ? 0 : addressLength) + 8;
    for (Element element : elements) {
      if (element == null
          || element.key().length != keyLength
          || element.data().length < addressLength + 2) {
        continue;
      }
      ByteBuffer key = ByteBuffer.wrap(element.key());
      Ip address = nodePorts ? Ip.any(family) : ip(key, family);
      int port = Short.toUnsignedInt(key.getShort());
      int index = key.order(ByteOrder.nativeOrder()).getInt(keyLength - 4);
      if (index < 0 || index >= elements.size()) {
        continue;
      }
      List<@Nullable Endpoint> numbered =
          found.computeIfAbsent(
              new Key(address, protocol, port, pool), place -> new ArrayList<>(FEW));
      while (numbered.size() <= index) {
        numbered.add(null);
      }
      ByteBuffer data = ByteBuffer.wrap(element.data());
      numbered.set(index, new Endpoint(ip(data, family), Short.toUnsignedInt(data.getShort()), ""));
    }
  }

  private void tell(ServicePort port, Pool pool, EndpointOrder order) {
    List<Endpoint> wanted = port.balancing().turns(port.endpoints(pool));
    for (ServiceAddress address : port.addresses()) {
      List<@Nullable Endpoint> numbered =
          found.get(new Key(address.address(), port.name().protocol(), address.port(), pool));
      if (numbered != null && !wanted.isEmpty()) {
        order.adopt(port, pool, recognised(numbered, wanted));
        return;
      }
    }
  }

  /**
   * The endpoints from number 0 to the first that is missing, each as the one of {@code wanted} at
   * its address and port; the kernel does not know on which node it is.
   */
  static List<Endpoint> recognised(
      List<? extends @Nullable Endpoint> numbered, List<Endpoint> wanted) {
    if (isInOrder(numbered, wanted)) {
      return wanted;
    }
    Map<Endpoint, Deque<Endpoint>> byPlace = new HashMap<>();
    for (Endpoint endpoint : wanted) {
      byPlace.computeIfAbsent(place(endpoint), place -> new ArrayDeque<>(1)).add(endpoint);
    }
    List<Endpoint> slots = new ArrayList<>(numbered.size());
    for (Endpoint there : numbered) {
      if (there == null) {
        break;
      }
      Deque<Endpoint> same = byPlace.get(there);
      slots.add(same == null || same.isEmpty() ? there : same.remove());
    }
    return slots;
  }

  /** Whether the kernel has all that are wanted, one after the other. */
  private static boolean isInOrder(
      List<? extends @Nullable Endpoint> numbered, List<Endpoint> wanted) {
    if (numbered.size() != wanted.size()) {
      return false;
    }
    for (int i = 0; i < wanted.size(); i++) {
      Endpoint there = numbered.get(i);
      Endpoint endpoint = wanted.get(i);
      if (there == null
          || there.port() != endpoint.port()
          || !there.address().equals(endpoint.address())) {
        return false;
      }
    }
    return true;
  }

  private static Endpoint place(Endpoint endpoint) {
    return new Endpoint(endpoint.address(), endpoint.port(), "");
  }

  private static Ip ip(ByteBuffer bytes, IpFamily family) {
    return switch (family) {
      case IPV4 -> Ip.v4(bytes.getInt());
      case IPV6 -> new Ip(bytes.getLong(), bytes.getLong());
    };
  }
}
