package dev.portolan.netlink.sockets;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.netlink.MessageWriter;
import dev.portolan.netlink.NetlinkException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A socket of TCP or UDP.
 *
 * @param family that of the socket: one of IPv6 may have IPv4 addresses in mapped form
 * @param protocol the number of its protocol, such as {@link #UDP}
 * @param state such as {@link #ESTABLISHED}; a socket of UDP is established if it is connected
 * @param device the number of the device that it is bound to, or 0
 * @param cookie the kernel's number for it, which no other socket ever has
 */
public record InetSocket(
    AddressFamily family,
    int protocol,
    int state,
    InetAddress local,
    int localPort,
    InetAddress remote,
    int remotePort,
    int device,
    long cookie) {
  public static final int TCP = 6;
  public static final int UDP = 17;

  public static final int ESTABLISHED = 1;
  public static final int SYN_SENT = 2;
  public static final int TIME_WAIT = 6;
  public static final int CLOSED = 7;
  public static final int LISTENING = 10;

  /** The size of what tells a socket from others, in requests and answers. */
  private static final int ID = 48;

  private static final int HEADER = 4;

  static InetSocket read(int protocol, Message message) {
    ByteBuffer body = message.body();
    if (body.remaining() < HEADER + ID) {
      throw new NetlinkException("the kernel sent a socket that is too short");
    }
    boolean six = body.get(0) == AddressFamily.IPV6.number();
    return new InetSocket(
        six ? AddressFamily.IPV6 : AddressFamily.IPV4,
        protocol,
        Byte.toUnsignedInt(body.get(1)),
        address(body, HEADER + 4, six),
        port(body, HEADER),
        address(body, HEADER + 20, six),
        port(body, HEADER + 2),
        body.getInt(HEADER + 36),
        Integer.toUnsignedLong(body.getInt(HEADER + 40))
            | (long) body.getInt(HEADER + 44) << Integer.SIZE);
  }

  /** Writes what tells this socket from all others. */
  void write(MessageWriter writer) {
    writer.raw(localPort >> 8, localPort, remotePort >> 8, remotePort);
    writer.rawBytes(Arrays.copyOf(local.getAddress(), 16));
    writer.rawBytes(Arrays.copyOf(remote.getAddress(), 16));
    writer.rawBytes(MessageWriter.nativeBytes(device));
    writer.rawBytes(MessageWriter.nativeBytes((int) cookie));
    writer.rawBytes(MessageWriter.nativeBytes((int) (cookie >>> Integer.SIZE)));
  }

  private static int port(ByteBuffer body, int offset) {
    return Short.toUnsignedInt(body.duplicate().order(ByteOrder.BIG_ENDIAN).getShort(offset));
  }

  private static InetAddress address(ByteBuffer body, int offset, boolean six) {
    byte[] bytes = new byte[six ? 16 : 4];
    body.get(offset, bytes);
    return AddressFamily.address(bytes);
  }

  /** {@code udp 10.244.1.7:4000 -> 10.244.2.9:53}. */
  @Override
  public String toString() {
    return (protocol == TCP ? "tcp " : "udp ")
        + text(local, localPort)
        + " -> "
        + text(remote, remotePort);
  }

  /** An address in mapped form reads as one of IPv4. */
  private static String text(InetAddress address, int port) {
    try {
      String host = InetAddress.getByAddress(address.getAddress()).getHostAddress();
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of 4 or 16 bytes is refused", e);
    }
  }
}
