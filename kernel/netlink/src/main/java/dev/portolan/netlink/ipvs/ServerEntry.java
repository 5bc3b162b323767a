package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;

/**
 * A real server as the kernel has it.
 *
 * @param active connections on which both sides may send
 * @param inactive connections that are ending, or that no answer came for yet
 * @param persistent entries that keep a client with this server
 */
public record ServerEntry(
    RealServer server, int active, int inactive, int persistent, Statistics statistics) {
  private static final int HEADER = 4;
  private static final int ACTIVE = 7;
  private static final int INACTIVE = 8;
  private static final int PERSISTENT = 9;
  private static final int STATISTICS = 10;
  private static final int STATISTICS_64 = 12;

  static ServerEntry read(Message message, int serviceFamily) {
    Attributes server = message.attributes(HEADER).nested(RealServer.SERVER);
    return new ServerEntry(
        RealServer.read(server, serviceFamily),
        server.nativeU32(ACTIVE),
        server.nativeU32(INACTIVE),
        server.nativeU32(PERSISTENT),
        Statistics.read(server, STATISTICS_64, STATISTICS));
  }

  /** Whether a connection still leads to it. */
  public boolean hasConnections() {
    return active != 0 || inactive != 0;
  }
}
