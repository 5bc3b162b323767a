package dev.portolan.backend.nftables;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.table.Names;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;

/** Reads what was counted: by the elements of the maps of services, and by rules. */
final class CountedElements {
  private final Nftables kernel;
  private final String table;
  private final List<TrafficCount> counts = new ArrayList<>();

  private CountedElements(Nftables kernel, String table) {
    this.kernel = kernel;
    this.table = table;
  }

  /** All counts that the tables have now; none where they do not count. */
  static List<TrafficCount> read(NftablesOptions options) {
    if (!options.counting()) {
      return List.of();
    }
    try (Nftables kernel = new Nftables(options.namespace())) {
      CountedElements elements = new CountedElements(kernel, options.table());
      elements.read(options.maps());
      return elements.counts;
    } catch (NetlinkException e) {
      throw new BackendException("nftables: " + e.getMessage(), e);
    }
  }

  private void read(ServiceMaps maps) {
    for (IpFamily family : IpFamily.values()) {
      int address = family.bits() / 8;
      read(family, maps.serviceIps(), address);
      read(family, maps.nodePorts(), 0);
      read(family, maps.noEndpoints(), address);
      read(family, maps.noEndpointsNodePorts(), 0);
    }
  }

  /** Reads a map whose keys have the protocol after the bytes of the address. */
  private void read(IpFamily family, String map, int address) {
    AddressFamily own = netlink(family);
    kernel.packets(
        own,
        table,
        map,
        (element, packets) -> {
          ServicePortName port = Names.port(element.comment(), protocol(element.key()[address]));
          String place = map + " " + family + " " + HexFormat.of().formatHex(element.key());
          counts.add(new TrafficCount(port, place, kind(element), packets));
        });
  }

  private static Kind kind(Element element) {
    NftVerdict verdict = element.verdict().orElse(NftVerdict.DROP);
    if (verdict.equals(NftVerdict.DROP)) {
      return Kind.DROPPED;
    }
    return verdict.equals(NftVerdict.goTo(Layout.REJECTING)) ? Kind.REFUSED : Kind.CONNECTIONS;
  }

  private static Protocol protocol(byte number) {
    return switch (number) {
      case 17 -> Protocol.UDP;
      case (byte) 132 -> Protocol.SCTP;
      default -> Protocol.TCP;
    };
  }

  /** How many packets the rules of a chain have counted; nothing where the kernel does not say. */
  static OptionalLong packets(NftablesOptions options, IpFamily family, String chain) {
    try (Nftables kernel = new Nftables(options.namespace())) {
      return kernel.packets(netlink(family), options.table(), chain);
    } catch (NetlinkException e) {
      return OptionalLong.empty();
    }
  }

  /** The family as netlink knows it. */
  private static AddressFamily netlink(IpFamily family) {
    return family == IpFamily.IPV4 ? AddressFamily.IPV4 : AddressFamily.IPV6;
  }
}
