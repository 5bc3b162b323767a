package dev.portolan.walk.nft;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.route.KernelRoute;
import dev.portolan.netlink.route.Link;
import dev.portolan.nftables.Hook;
import dev.portolan.nftables.table.Keys;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.nft.PacketState.Tracking;
import java.util.Optional;

/** What rules can ask of a packet beside its headers. Keys are the kernel's numbers. */
final class PacketFacts {
  static final int META_MARK = 3;
  static final int CT_MARK = 3;
  static final int CT_STATE = 0;
  static final int CT_STATUS = 2;

  /** Bits of {@code ct state}. */
  private static final int INVALID = 1;

  private static final int NEW = 8;
  private static final int UNTRACKED = 0x40;

  /** Bits of {@code ct status}. */
  private static final int SOURCE_CHANGED = 0x10;

  private static final int DESTINATION_CHANGED = 0x20;
  private static final int SOURCE_SETTLED = 0x80;
  private static final int DESTINATION_SETTLED = 0x100;

  /** Results and flags of {@code fib}. */
  private static final int FIB_LINK = 1;

  private static final int FIB_NAME = 2;
  private static final int FIB_OF_SOURCE = 1;
  private static final int FIB_SAME_LINK = 8;
  private static final int FIB_PRESENT = 0x20;

  private static final int ETHERNET = 1;
  private static final int LOOPBACK = 772;
  private static final int MULTICAST_TYPE = 5;
  private static final int UNREACHABLE_TYPE = 7;

  private final FirstPacket original;
  private final NodeNetwork network;

  PacketFacts(FirstPacket original, NodeNetwork network) {
    this.original = original;
    this.network = network;
  }

  /** Whether an address is one of the node's own. */
  boolean isOfNode(Ip address) {
    return network.isLocal(address);
  }

  /** The node's address that a packet is redirected to. */
  Ip ownAddress(PacketState state, HookPassage passage) {
    return passage.point() == Hook.Point.OUTPUT
        ? Ip.of(state.destination().family() == IpFamily.IPV4 ? "127.0.0.1" : "::1")
        : network.addressOn(passage.in(), state.destination().family()).orElse(state.destination());
  }

  Fact meta(int key, PacketState state, HookPassage passage) {
    boolean v4 = original.destination().family() == IpFamily.IPV4;
    return switch (key) {
      case 0 -> Fact.number(60);
      case 1 -> Fact.networkShort(v4 ? 0x0800 : 0x86dd);
      case 2 -> Fact.number(0);
      case META_MARK -> Fact.number(state.mark());
      case 4 -> link(passage.in()).map(link -> Fact.number(link.index())).orElse(Fact.number(0));
      case 5 -> link(passage.out()).map(link -> Fact.number(link.index())).orElse(Fact.number(0));
      case 6 -> Fact.name(passage.in());
      case 7 -> Fact.name(passage.out());
      case 8 -> linkType(passage.in());
      case 9 -> linkType(passage.out());
      case 10, 11 -> original.isFromNode() ? new Fact.Unknown() : new Fact.Absent();
      case 15 -> Fact.octet(v4 ? 2 : 10);
      case 16 -> Fact.octet(Keys.number(state.protocol()));
      case 17, 18 -> new Fact.Absent();
      case 19 -> Fact.octet(0);
      case 21, 22, 25 -> Fact.number(0);
      case 26 -> kind(passage.in());
      case 27 -> kind(passage.out());
      default -> new Fact.Unknown();
    };
  }

  private Optional<Link> link(String name) {
    return network.link(name);
  }

  /** The kernel ends a rule that asks for the type of an interface where there is none. */
  private Fact linkType(String name) {
    return link(name)
        .map(link -> Fact.shortNumber(link.loopback() ? LOOPBACK : ETHERNET))
        .orElseGet(Fact.Absent::new);
  }

  private Fact kind(String name) {
    return link(name)
        .filter(link -> !link.kind().isEmpty())
        .map(link -> Fact.name(link.kind()))
        .orElseGet(Fact.Absent::new);
  }

  Fact connection(int key, boolean reply, PacketState state) {
    if (key == CT_STATE) {
      return Fact.number(
          switch (state.tracking()) {
            case NOT_YET -> INVALID;
            case TRACKED -> NEW;
            case NEVER -> UNTRACKED;
          });
    }
    if (state.tracking() != Tracking.TRACKED) {
      return new Fact.Absent();
    }
    // The answer's source is where the packet goes by now, and its destination the present source.
    Ip source = reply ? state.destination() : original.source();
    Ip destination = reply ? state.source() : original.destination();
    return switch (key) {
      case 1 -> Fact.octet(0);
      case CT_STATUS -> Fact.number(status(state));
      case CT_MARK -> Fact.number(state.connectionMark());
      case 7 -> Fact.octet(source.family() == IpFamily.IPV4 ? 2 : 10);
      case 8, 19, 21 -> new Fact.Known(source.toBytes());
      case 9, 20, 22 -> new Fact.Known(destination.toBytes());
      case 10 -> Fact.octet(Keys.number(state.protocol()));
      case 11 -> Fact.networkShort(reply ? state.port() : original.sourcePort());
      case 12 -> Fact.networkShort(reply ? state.sourcePort() : original.port());
      case 17 -> Fact.shortNumber(0);
      default -> new Fact.Unknown();
    };
  }

  private static int status(PacketState state) {
    return (state.changed().source() ? SOURCE_CHANGED : 0)
        | (state.changed().destination() ? DESTINATION_CHANGED : 0)
        | (state.settled().source() ? SOURCE_SETTLED : 0)
        | (state.settled().destination() ? DESTINATION_SETTLED : 0);
  }

  Fact route(int result, int flags, PacketState state, HookPassage passage) {
    Ip address = (flags & FIB_OF_SOURCE) != 0 ? state.source() : state.destination();
    boolean present = (flags & FIB_PRESENT) != 0;
    if (result != FIB_LINK && result != FIB_NAME) {
      return Fact.number(addressType(address));
    }
    Optional<Link> link =
        passage.point() == Hook.Point.PREROUTING && passage.in().equals("lo")
            ? link(passage.in())
            : network
                .linkTo(address)
                .filter(it -> (flags & FIB_SAME_LINK) == 0 || it.name().equals(passage.in()));
    if (present) {
      return Fact.octet(link.isPresent() ? 1 : 0);
    }
    return result == FIB_LINK
        ? Fact.number(link.map(Link::index).orElse(0))
        : Fact.name(link.map(Link::name).orElse(""));
  }

  /** As the kernel's {@code inet_addr_type}, and its counterpart for IPv6. */
  private int addressType(Ip address) {
    if (address.isMulticast()) {
      return MULTICAST_TYPE;
    }
    if (network.isLocal(address)) {
      return KernelRoute.LOCAL;
    }
    if (address.family() == IpFamily.IPV4) {
      return network.localRoute(address).map(KernelRoute::type).orElse(KernelRoute.UNICAST);
    }
    return network.route(address).map(KernelRoute::type).orElse(UNREACHABLE_TYPE);
  }
}
