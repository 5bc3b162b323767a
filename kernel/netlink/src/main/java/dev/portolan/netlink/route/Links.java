package dev.portolan.netlink.route;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetlinkSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the kernel's interfaces and their addresses: reads them all, and makes what our
 * own interface needs.
 */
public final class Links implements AutoCloseable {
  static final int NEW_LINK = 16;
  static final int DELETE_LINK = 17;
  static final int GET_LINK = 18;
  static final int NEW_ADDRESS = 20;
  static final int DELETE_ADDRESS = 21;
  static final int GET_ADDRESS = 22;

  private static final int NEW_ROUTE = 24;
  private static final int DELETE_ROUTE = 25;
  private static final int GET_ROUTE = 26;
  private static final int NO_SUCH_DEVICE = 19;
  private static final int NO_SUCH_ADDRESS = 99;
  private static final int NAME = 3;
  private static final int LINK_INFO = 18;
  private static final int INFO_KIND = 1;
  private static final int ADDRESS = 1;
  private static final int LOCAL = 2;
  private static final int NO_DUPLICATE_DETECTION = 2;

  /**
   * Of a route: the table of this host's own addresses, made by the kernel, of this host, local.
   */
  private static final int[] LOCAL_ROUTE = {255, 2, 254, 2};

  private static final int ROUTE_DESTINATION = 1;
  private static final int ROUTE_LINK = 4;
  private static final int ROUTE_SOURCE = 7;
  private static final int NO_SUCH_ROUTE = 3;

  /** The size of one datagram: every answer to it fits into the socket's buffer. */
  private static final int DATAGRAM = 192 << 10;

  private final NetlinkConnection kernel;

  /** Reads in this process's network namespace, or in the one that {@code namespace} names. */
  public Links(Optional<Path> namespace) {
    kernel = new NetlinkConnection(NetlinkSocket.ROUTE, namespace);
  }

  /** The number that the kernel knows this connection by. */
  public int port() {
    return kernel.port();
  }

  /** All interfaces. */
  public List<Link> all() {
    return kernel.dump(
        "read the interfaces", GET_LINK, writer -> writer.raw(new int[16]), Link::read);
  }

  /** All addresses of both families on all interfaces. */
  public List<LinkAddress> addresses() {
    return kernel.dump(
        "read the addresses", GET_ADDRESS, writer -> writer.raw(new int[8]), LinkAddress::read);
  }

  /** All routes of a family, of all tables. */
  public List<KernelRoute> routes(AddressFamily family) {
    return kernel.dump(
        "read the routes",
        GET_ROUTE,
        writer -> writer.raw(family.number(), 0, 0, 0).raw(new int[8]),
        KernelRoute::read);
  }

  /** The interface of that name. */
  public Optional<Link> named(String name) {
    List<Link> found = new ArrayList<>();
    try {
      boolean _ =
          kernel.ask(
              "read the interface " + name,
              GET_LINK,
              MessageWriter.ACK,
              writer -> writer.raw(new int[16]).text(NAME, name),
              message -> found.add(Link.read(message)));
    } catch (NetlinkException e) {
      if (e.errno() != NO_SUCH_DEVICE) {
        throw e;
      }
    }
    return found.stream().findFirst();
  }

  /**
   * Makes an interface that holds addresses and sends nothing, if there is none of that name. It
   * stays down and answers no ARP, which is enough for the kernel to take packets to its addresses
   * as its own.
   */
  public Link ensureDummy(String name) {
    try {
      boolean _ =
          kernel.ask(
              "make the interface " + name,
              NEW_LINK,
              MessageWriter.ACK | MessageWriter.CREATE | MessageWriter.EXCLUSIVE,
              writer ->
                  writer
                      .raw(new int[16])
                      .text(NAME, name)
                      .nest(LINK_INFO, () -> writer.text(INFO_KIND, "dummy")),
              _ -> {});
    } catch (NetlinkException e) {
      if (e.errno() != Errno.EEXIST) {
        throw e;
      }
    }
    return named(name)
        .orElseThrow(() -> new NetlinkException("the interface " + name + " vanished at once"));
  }

  /**
   * Adds addresses, each on its own, without looking for duplicates on the network; those that are
   * there already stay. What the kernel refuses is returned, and does not stop the rest.
   */
  public List<AddressRefusal> addAddresses(Link link, Collection<InetAddress> addresses) {
    return order(link, addresses, NEW_ADDRESS, MessageWriter.CREATE, Errno.EEXIST);
  }

  /** Removes addresses, ignoring those that do not exist any more. */
  public List<AddressRefusal> removeAddresses(Link link, Collection<InetAddress> addresses) {
    return order(link, addresses, DELETE_ADDRESS, 0, NO_SUCH_ADDRESS);
  }

  private List<AddressRefusal> order(
      Link link, Collection<InetAddress> addresses, int type, int flags, int harmless) {
    List<InetAddress> all = List.copyOf(addresses);
    List<AddressRefusal> refusals = new ArrayList<>();
    MessageWriter writer = new MessageWriter();
    for (int i = 0; i < all.size(); i++) {
      int start = writer.length();
      byte[] bytes = all.get(i).getAddress();
      writer
          .begin(type, MessageWriter.REQUEST | flags, i)
          .raw(AddressFamily.of(all.get(i)).number(), bytes.length * 8, NO_DUPLICATE_DETECTION, 0)
          .rawBytes(MessageWriter.nativeBytes(link.index()))
          .bytes(LOCAL, bytes)
          .bytes(ADDRESS, bytes)
          .end();
      if (writer.length() >= DATAGRAM || i == all.size() - 1) {
        writer.addFlags(start, MessageWriter.ACK);
        for (Message error : kernel.order("change addresses", writer).errors()) {
          if (error.errno() != harmless) {
            refusals.add(
                new AddressRefusal(all.get(error.sequence()), error.errno(), error.errorText()));
          }
        }
        writer.cut(0);
      }
    }
    return refusals;
  }

  /**
   * Lets this host use {@code source} where it connects to its own {@code address}; by itself it
   * would use that address, and could not go on when it is removed. For IPv4 only: the kernel
   * refuses IPv6 routes through an interface that is down.
   */
  public void preferSource(Link link, Inet4Address address, Inet4Address source) {
    route(NEW_ROUTE, MessageWriter.CREATE | MessageWriter.REPLACE, link, address, source);
  }

  /** Removes the route to an address that this host has no more; without one, nothing is done. */
  public void removeRoute(Link link, Inet4Address address) {
    try {
      route(DELETE_ROUTE, 0, link, address, null);
    } catch (NetlinkException e) {
      if (e.errno() != NO_SUCH_ROUTE) {
        throw e;
      }
    }
  }

  private void route(
      int type, int flags, Link link, Inet4Address address, @Nullable Inet4Address source) {
    byte[] bytes = address.getAddress();
    boolean _ =
        kernel.ask(
            "change the local route to " + address.getHostAddress(),
            type,
            MessageWriter.ACK | flags,
            writer -> {
              writer
                  .raw(AddressFamily.of(address).number(), bytes.length * 8, 0, 0)
                  .raw(LOCAL_ROUTE)
                  .raw(0, 0, 0, 0)
                  .bytes(ROUTE_DESTINATION, bytes)
                  .bytes(ROUTE_LINK, MessageWriter.nativeBytes(link.index()));
              if (source != null) {
                writer.bytes(ROUTE_SOURCE, source.getAddress());
              }
            },
            _ -> {});
  }

  /** An address that the kernel refused to add or to remove, and why. */
  public record AddressRefusal(InetAddress address, int errno, String text) {}

  /** Removes an interface with its addresses; no error if it is gone already. */
  public void delete(Link link) {
    try {
      boolean _ =
          kernel.ask(
              "delete the interface " + link.name(),
              DELETE_LINK,
              MessageWriter.ACK,
              writer ->
                  writer
                      .raw(0, 0, 0, 0)
                      .rawBytes(MessageWriter.nativeBytes(link.index()))
                      .raw(new int[8]),
              _ -> {});
    } catch (NetlinkException e) {
      if (e.errno() != NO_SUCH_DEVICE) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    kernel.close();
  }
}
