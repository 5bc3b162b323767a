package dev.portolan.netlink.ipvs;

import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Attributes;
import dev.portolan.netlink.MessageWriter;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * A real server behind a virtual service. Address and port are what it is known by.
 *
 * @param weight how many connections it gets beside the others; 0 for no new ones
 * @param method how packets reach it: {@link #NAT} or another constant
 * @param upperThreshold with more connections than this it gets no new ones; 0 for no limit
 * @param lowerThreshold with fewer than this it gets new ones again
 */
public record RealServer(
    InetAddress address, int port, int weight, int method, int upperThreshold, int lowerThreshold) {
  /** The destination of packets is replaced; {@code Masq} in ipvsadm. */
  public static final int NAT = 0;

  /** The real server is this host. */
  public static final int LOCAL = 1;

  /** Packets are put into a tunnel. */
  public static final int TUNNEL = 2;

  /** Packets are handed to another host as they are. */
  public static final int ROUTE = 3;

  static final int SERVER = 2;

  private static final int ADDRESS = 1;
  private static final int PORT = 2;
  private static final int METHOD = 3;
  private static final int METHOD_MASK = 7;
  private static final int WEIGHT = 4;
  private static final int UPPER = 5;
  private static final int LOWER = 6;
  private static final int FAMILY = 11;

  /** A real server whose destination is replaced, without thresholds. */
  public RealServer(InetAddress address, int port, int weight) {
    this(address, port, weight, NAT, 0, 0);
  }

  /** The same with another weight and another upper threshold. */
  public RealServer with(int otherWeight, int otherThreshold) {
    return new RealServer(address, port, otherWeight, method, otherThreshold, lowerThreshold);
  }

  /** Reads one; before Linux 3.18 a real server has the family of its service. */
  static RealServer read(Attributes server, int serviceFamily) {
    int family = IpvsValues.u16(server.bytes(FAMILY));
    return new RealServer(
        IpvsValues.address(family == 0 ? serviceFamily : family, server.bytes(ADDRESS)),
        server.u16(PORT),
        server.nativeU32(WEIGHT),
        server.nativeU32(METHOD) & METHOD_MASK,
        server.nativeU32(UPPER),
        server.nativeU32(LOWER));
  }

  /** Writes what it is known by and, unless it is to be deleted, the rest. */
  void write(MessageWriter writer, boolean whole) {
    writer.nest(
        SERVER,
        () -> {
          writer.bytes(ADDRESS, Arrays.copyOf(address.getAddress(), IpvsValues.ADDRESS_LENGTH));
          writer.u16(PORT, port);
          writer.bytes(FAMILY, IpvsValues.bytes(AddressFamily.of(address).number()));
          if (whole) {
            writer.bytes(METHOD, MessageWriter.nativeBytes(method));
            writer.bytes(WEIGHT, MessageWriter.nativeBytes(weight));
            writer.bytes(UPPER, MessageWriter.nativeBytes(upperThreshold));
            writer.bytes(LOWER, MessageWriter.nativeBytes(lowerThreshold));
          }
        });
  }

  /** {@code address:port}. */
  @Override
  public String toString() {
    return IpvsValues.withPort(address, port);
  }
}
