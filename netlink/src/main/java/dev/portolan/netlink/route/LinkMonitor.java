package dev.portolan.netlink.route;

import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.NetlinkSocket;
import dev.portolan.netlink.Subscription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Hears of every change of interfaces and addresses in a network namespace. */
public final class LinkMonitor implements AutoCloseable {
  private static final int GROUP_LINK = 1;
  private static final int GROUP_IPV4_ADDRESS = 5;
  private static final int GROUP_IPV6_ADDRESS = 9;
  private static final int BUFFER = 4 << 20;

  private final Subscription<LinkNotice> subscription;

  /** Listens in this process's network namespace, or in the one that {@code namespace} names. */
  public LinkMonitor(Optional<Path> namespace) {
    this(namespace, BUFFER);
  }

  LinkMonitor(Optional<Path> namespace, int buffer) {
    subscription =
        new Subscription<>(
            NetlinkSocket.open(NetlinkSocket.ROUTE, namespace, buffer),
            LinkMonitor::read,
            LinkNotice.Lost::new,
            GROUP_LINK,
            GROUP_IPV4_ADDRESS,
            GROUP_IPV6_ADDRESS);
  }

  /** The next notice; nothing where the time has passed or {@link #close} was called. */
  public Optional<LinkNotice> next(Duration wait) throws InterruptedException {
    return subscription.next(wait);
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return subscription.isClosed();
  }

  /** Stops listening; any thread may call it, and a thread that waits returns. */
  @Override
  public void close() {
    subscription.close();
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
