package dev.portolan.netlink.route;

import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkConnection;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetlinkSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A connection to the kernel that reads the node's interfaces and their addresses. */
public final class Links implements AutoCloseable {
  static final int NEW_LINK = 16;
  static final int DELETE_LINK = 17;
  static final int GET_LINK = 18;
  static final int NEW_ADDRESS = 20;
  static final int DELETE_ADDRESS = 21;
  static final int GET_ADDRESS = 22;

  private static final int NO_SUCH_DEVICE = 19;

  private final NetlinkConnection kernel;

  /** Reads in this process's network namespace, or in the one that {@code namespace} names. */
  public Links(Optional<Path> namespace) {
    kernel = new NetlinkConnection(NetlinkSocket.ROUTE, namespace);
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
