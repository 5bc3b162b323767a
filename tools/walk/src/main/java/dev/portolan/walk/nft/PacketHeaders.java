package dev.portolan.walk.nft;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.nftables.table.Keys;
import dev.portolan.walk.nft.table.NftExpression;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The headers of the first packet of a connection, as bytes. */
final class PacketHeaders {
  private static final int IPV4_LENGTH = 20;
  private static final int IPV6_LENGTH = 40;
  private static final int TCP_LENGTH = 40;
  private static final int UDP_LENGTH = 8;
  private static final int SCTP_LENGTH = 32;
  private static final byte TTL = 64;

  private PacketHeaders() {}

  /**
   * Some bytes of a header; nothing where it is shorter. The most common fields are read without
   * building the header.
   */
  static byte @Nullable [] part(
      PacketState state, NftExpression.Base base, int offset, int length) {
    if (base == NftExpression.Base.TRANSPORT && length == 2 && offset <= 2) {
      int port = offset == 0 ? state.sourcePort() : offset == 2 ? state.port() : -1;
      if (port >= 0) {
        return new byte[] {(byte) (port >>> 8), (byte) port};
      }
    }
    if (base == NftExpression.Base.NETWORK) {
      int whole = state.destination().family().bits() / 8;
      int end = whole == 4 ? IPV4_LENGTH : IPV6_LENGTH;
      if (length == whole && offset == end - whole) {
        return state.destination().toBytes();
      }
      if (length == whole && offset == end - 2 * whole) {
        return state.source().toBytes();
      }
    }
    byte[] header = of(state, base);
    return offset + length > header.length
        ? null
        : Arrays.copyOfRange(header, offset, offset + length);
  }

  /** The header that an offset counts from. */
  private static byte[] of(PacketState state, NftExpression.Base base) {
    return switch (base) {
      case NETWORK -> network(state);
      case TRANSPORT -> transport(state);
    };
  }

  /** The packet after {@code value} was written into one of its headers. */
  static PacketState write(PacketState state, NftExpression.Base base, int offset, byte[] value) {
    byte[] header = of(state, base);
    if (offset + value.length > header.length) {
      return state;
    }
    System.arraycopy(value, 0, header, offset, value.length);
    ByteBuffer bytes = ByteBuffer.wrap(header);
    if (base == NftExpression.Base.TRANSPORT) {
      return state.rewrite(
          state.source(),
          Short.toUnsignedInt(bytes.getShort(0)),
          state.destination(),
          Short.toUnsignedInt(bytes.getShort(2)));
    }
    int start = header.length == IPV4_LENGTH ? 12 : 8;
    int middle = (start + header.length) / 2;
    return state.rewrite(
        Ip.fromBytes(Arrays.copyOfRange(header, start, middle)),
        state.sourcePort(),
        Ip.fromBytes(Arrays.copyOfRange(header, middle, header.length)),
        state.port());
  }

  private static byte[] network(PacketState state) {
    byte protocol = (byte) Keys.number(state.protocol());
    byte[] source = state.source().toBytes();
    byte[] destination = state.destination().toBytes();
    if (state.destination().family() == IpFamily.IPV4) {
      return ByteBuffer.allocate(IPV4_LENGTH)
          .put((byte) 0x45)
          .put((byte) 0)
          .putShort((short) (IPV4_LENGTH + transportLength(state.protocol())))
          .putShort((short) 0)
          .putShort((short) 0x4000)
          .put(TTL)
          .put(protocol)
          .putShort((short) 0)
          .put(source)
          .put(destination)
          .array();
    }
    return ByteBuffer.allocate(IPV6_LENGTH)
        .putInt(0x60000000)
        .putShort((short) transportLength(state.protocol()))
        .put(protocol)
        .put(TTL)
        .put(source)
        .put(destination)
        .array();
  }

  /** TCP has SYN, SCTP an INIT chunk. */
  private static byte[] transport(PacketState state) {
    ByteBuffer header =
        ByteBuffer.allocate(transportLength(state.protocol()))
            .putShort((short) state.sourcePort())
            .putShort((short) state.port());
    switch (state.protocol()) {
      case TCP -> header.put(12, (byte) ((TCP_LENGTH / 4) << 4)).put(13, (byte) 2);
      case UDP -> header.putShort((short) UDP_LENGTH);
      case SCTP -> header.put(12, (byte) 1);
    }
    return header.array();
  }

  private static int transportLength(Protocol protocol) {
    return switch (protocol) {
      case TCP -> TCP_LENGTH;
      case UDP -> UDP_LENGTH;
      case SCTP -> SCTP_LENGTH;
    };
  }
}
