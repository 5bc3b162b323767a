package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;

/**
 * After how many seconds without a packet IPVS forgets a connection.
 *
 * @param tcp of TCP, established
 * @param tcpFin of TCP, after a FIN
 * @param udp of UDP
 */
public record Timeouts(int tcp, int tcpFin, int udp) {
  private static final int HEADER = 4;
  private static final int TCP = 4;
  private static final int TCP_FIN = 5;
  private static final int UDP = 6;

  static Timeouts read(Message message) {
    Attributes attributes = message.attributes(HEADER);
    return new Timeouts(
        attributes.nativeU32(TCP), attributes.nativeU32(TCP_FIN), attributes.nativeU32(UDP));
  }

  void write(MessageWriter writer) {
    writer.bytes(TCP, MessageWriter.nativeBytes(tcp));
    writer.bytes(TCP_FIN, MessageWriter.nativeBytes(tcpFin));
    writer.bytes(UDP, MessageWriter.nativeBytes(udp));
  }

  /** These, and those of {@code others} where these are 0. */
  public Timeouts or(Timeouts others) {
    return new Timeouts(
        tcp == 0 ? others.tcp : tcp,
        tcpFin == 0 ? others.tcpFin : tcpFin,
        udp == 0 ? others.udp : udp);
  }
}
