package dev.portolan.netlink.sockets;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetlinkSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A connection to the kernel's list of sockets: reads those of a network namespace, and ends. */
public final class InetSockets implements AutoCloseable {
  private static final int BY_FAMILY = 20;
  private static final int DESTROY = 21;
  private static final int REQUEST_ID = 48;

  private final NetlinkConnection kernel;

  /** Works in this process's network namespace, or in the one that {@code namespace} names. */
  public InetSockets(Optional<Path> namespace) {
    kernel = new NetlinkConnection(NetlinkSocket.SOCK_DIAG, namespace);
  }

  /**
   * The sockets of a protocol, of both families.
   *
   * @param states a bit for each state that is wanted: {@code 1 << InetSocket.ESTABLISHED}
   */
  public List<InetSocket> sockets(int protocol, int states) {
    return List.of(AddressFamily.values()).stream()
        .flatMap(family -> sockets(family, protocol, states).stream())
        .toList();
  }

  private List<InetSocket> sockets(AddressFamily family, int protocol, int states) {
    String what = "read the sockets of " + (protocol == InetSocket.TCP ? "TCP" : "UDP");
    try {
      return kernel.dump(
          what,
          BY_FAMILY,
          writer -> {
            request(writer, family, protocol, states);
            writer.rawBytes(new byte[REQUEST_ID]);
          },
          message -> InetSocket.read(protocol, message));
    } catch (NetlinkException e) {
      if (e.errno() == Errno.ENOENT) {
        throw new NetlinkException(
            "cannot " + what + ": load the kernel's modules tcp_diag and udp_diag", e);
      }
      throw e;
    }
  }

  /**
   * Ends a socket: its program gets ECONNABORTED, and a TCP peer a reset.
   *
   * @return false if it had ended by itself
   * @throws NetlinkException where the kernel does not do that ({@link Errno#EOPNOTSUPP}), or not
   *     for this process
   */
  public boolean end(InetSocket socket) {
    try {
      kernel.ask(
          "end socket " + socket,
          DESTROY,
          MessageWriter.ACK,
          writer -> {
            request(writer, socket.family(), socket.protocol(), 1 << socket.state());
            socket.write(writer);
          },
          answer -> {});
      return true;
    } catch (NetlinkException e) {
      if (e.errno() == Errno.ENOENT) {
        return false;
      }
      throw e;
    }
  }

  private static void request(
      MessageWriter writer, AddressFamily family, int protocol, int states) {
    writer.raw(family.number(), protocol, 0, 0).rawBytes(MessageWriter.nativeBytes(states));
  }

  @Override
  public void close() {
    kernel.close();
  }
}
