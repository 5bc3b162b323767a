package dev.portolan.backend.nftables;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Frontend;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.netlink.nftables.Element;
import dev.portolan.netlink.nftables.Nftables;
import dev.portolan.netlink.nftables.SetSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the numbers that endpoints have in the kernel, so that after a restart they keep them and
 * hardly anything has to be written.
 */
final class KernelOrder {
  private final Map<Door, TreeMap<Integer, Endpoint>> found = new HashMap<>();

  /** A service address, or a nodePort at the unspecified address. */
  private record Door(Ip address, Protocol protocol, int port, boolean local) {}

  /**
   * Reads the maps of endpoints in {@code table}, and adds to {@code order} what {@code image} has.
   */
  static void adopt(Nftables kernel, String table, NodeImage image, EndpointOrder order) {
    KernelOrder reader = new KernelOrder();
    for (IpFamily family : IpFamily.values()) {
      boolean ipv6 = family == IpFamily.IPV6;
      if (kernel.tables(ipv6).contains(table)) {
        for (Nftables.SetInfo set : kernel.sets(ipv6, table)) {
          if (set.name().endsWith("endpoints") && set.dataType() != SetSpec.VERDICT_TYPE) {
            reader.read(family, set.name(), kernel.elements(ipv6, table, set.name()));
          }
        }
      }
    }
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        reader.tell(port, false, order);
        reader.tell(port, true, order);
      }
    }
  }

  private void read(IpFamily family, String map, List<Element> elements) {
    int addressLength = family.bits() / 8;
    for (Protocol protocol : Protocol.values()) {
      if (!map.startsWith(protocol.lower() + "-")) {
        continue;
      }
      for (Element element : elements) {
        ByteBuffer key = ByteBuffer.wrap(element.key());
        int expected = map.contains("nodeport-") ? 8 : addressLength + 8;
        if (key.remaining() != expected || element.data().length < addressLength + 2) {
          continue;
        }
        Ip address = map.contains("nodeport-") ? any(family) : ip(key, addressLength);
        int port = Short.toUnsignedInt(key.getShort());
        int index = key.order(ByteOrder.nativeOrder()).getInt(key.position() + 2);
        ByteBuffer data = ByteBuffer.wrap(element.data());
        Endpoint endpoint =
            new Endpoint(ip(data, addressLength), Short.toUnsignedInt(data.getShort()), "");
        found
            .computeIfAbsent(
                new Door(address, protocol, port, map.contains("local-")), door -> new TreeMap<>())
            .put(index, endpoint);
      }
    }
  }

  private void tell(ServicePort port, boolean local, EndpointOrder order) {
    Frontend frontend = port.frontend();
    List<Endpoint> wanted = local ? port.selection().local() : port.selection().cluster();
    for (Door door : doors(frontend, local)) {
      TreeMap<Integer, Endpoint> numbered = found.get(door);
      if (numbered != null && !wanted.isEmpty()) {
        List<Endpoint> slots = new ArrayList<>();
        for (int i = 0; numbered.containsKey(i); i++) {
          Endpoint there = numbered.get(i);
          slots.add(
              wanted.stream()
                  .filter(endpoint -> endpoint.address().equals(there.address()))
                  .filter(endpoint -> endpoint.port() == there.port())
                  .filter(endpoint -> !slots.contains(endpoint))
                  .findFirst()
                  .orElse(there));
        }
        order.adopt(port.name(), frontend.family(), local, slots);
        return;
      }
    }
  }

  private static List<Door> doors(Frontend frontend, boolean local) {
    Protocol protocol = frontend.name().protocol();
    List<Door> doors = new ArrayList<>();
    doors.add(new Door(frontend.clusterIp(), protocol, frontend.port(), local));
    frontend
        .loadBalancerIps()
        .forEach(ip -> doors.add(new Door(ip, protocol, frontend.port(), local)));
    frontend.externalIps().forEach(ip -> doors.add(new Door(ip, protocol, frontend.port(), local)));
    doors.add(new Door(any(frontend.family()), protocol, frontend.nodePort(), local));
    return doors;
  }

  private static Ip any(IpFamily family) {
    return Ip.fromBytes(new byte[family.bits() / 8]);
  }

  private static Ip ip(ByteBuffer bytes, int length) {
    byte[] address = new byte[length];
    bytes.get(address);
    return Ip.fromBytes(address);
  }
}
