package dev.portolan.netlink.route;

import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.NetlinkMonitor;
import dev.portolan.netlink.NetlinkSocket;
import java.nio.file.Path;
import java.util.Optional;

/** Receives a notice of every change of interfaces and addresses in a network namespace. */
public final class LinkMonitor extends NetlinkMonitor<LinkNotice> {
  private static final int GROUP_LINK = 1;
  private static final int GROUP_IPV4_ADDRESS = 5;
  private static final int GROUP_IPV6_ADDRESS = 9;
  private static final int BUFFER = 4 << 20;

  /** Listens in this process's network namespace, or in the one that {@code namespace} names. */
  public LinkMonitor(Optional<Path> namespace) {
    this(namespace, BUFFER);
  }

  LinkMonitor(Optional<Path> namespace, int buffer) {
    this(NetlinkSocket.open(NetlinkSocket.ROUTE, namespace, buffer));
  }

  /**
   * The same, without most of what the connection with the number {@code port} does: the kernel
   * does not say of every notice whose it is.
   */
  public static LinkMonitor except(int port, Optional<Path> namespace) {
    NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE, namespace, BUFFER);
    socket.ignore(port);
    return new LinkMonitor(socket);
  }

  private LinkMonitor(NetlinkSocket socket) {
    super(
        socket,
        LinkMonitor::read,
        LinkNotice.Lost::new,
        GROUP_LINK,
        GROUP_IPV4_ADDRESS,
        GROUP_IPV6_ADDRESS);
  }

  static Optional<LinkNotice> read(Message message) {
    return switch (message.type()) {
      case Links.NEW_ADDRESS -> Optional.of(new LinkNotice.AddressAdded(LinkAddress.read(message)));
      case Links.DELETE_ADDRESS ->
          Optional.of(new LinkNotice.AddressRemoved(LinkAddress.read(message)));
      case Links.NEW_LINK -> Optional.of(new LinkNotice.LinkChanged(Link.read(message)));
      case Links.DELETE_LINK -> Optional.of(new LinkNotice.LinkRemoved(Link.read(message)));
      default -> Optional.empty();
    };
  }
}
