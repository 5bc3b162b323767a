package dev.portolan.backend.ebpf;

import dev.portolan.core.backend.ConnectedSocket;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Keys and values of the maps, as {@link SocketMap} describes them. */
final class Bytes {
  /** Where the generation is in a service's value. */
  static final int GENERATION = 24;

  static final int COUNT = 32;
  static final int AFFINITY = 36;
  static final int POOL = 40;

  /** An endpoint gets new connections. */
  static final int CHOSEN = 1;

  /** An endpoint keeps those that it has. */
  static final int SERVING = 2;

  private Bytes() {}

  /** What a service's value says. */
  record Entry(long generation, int count, int affinity, int pool) {
    /** Whether connections are refused. */
    boolean isRefused() {
      return count == 0;
    }
  }

  static ByteBuffer serviceKey(SocketFrontend frontend) {
    ByteBuffer key = address(buffer(24), 0, frontend.address(), frontend.port());
    return key.putInt(20, frontend.protocol() == Protocol.TCP ? 6 : 17);
  }

  static SocketFrontend frontend(ByteBuffer key) {
    ByteBuffer bytes = key.duplicate().order(ByteOrder.nativeOrder());
    return new SocketFrontend(
        ip(bytes, 0), port(bytes, 16), bytes.getInt(20) == 6 ? Protocol.TCP : Protocol.UDP);
  }

  static ByteBuffer service(SocketFrontend frontend, Entry entry) {
    return buffer(48)
        .put(0, serviceKey(frontend), 0, 24)
        .putLong(GENERATION, entry.generation)
        .putInt(COUNT, entry.count)
        .putInt(AFFINITY, entry.affinity)
        .putInt(POOL, entry.pool);
  }

  static Entry entry(ByteBuffer value) {
    ByteBuffer bytes = value.duplicate().order(ByteOrder.nativeOrder());
    return new Entry(
        bytes.getLong(GENERATION), bytes.getInt(COUNT), bytes.getInt(AFFINITY), bytes.getInt(POOL));
  }

  static ByteBuffer slotKey(long generation, int index) {
    return buffer(16).putLong(0, generation).putInt(8, index);
  }

  static long generation(ByteBuffer slotKey) {
    return slotKey.duplicate().order(ByteOrder.nativeOrder()).getLong(0);
  }

  static ByteBuffer slot(Endpoint endpoint) {
    return address(buffer(20), 0, endpoint.address(), endpoint.port());
  }

  static SocketTranslation.Place place(ByteBuffer slot) {
    return new SocketTranslation.Place(ip(slot, 0), port(slot, 16));
  }

  static ByteBuffer memberKey(int pool, Endpoint endpoint) {
    return buffer(24).putInt(0, pool).put(4, slot(endpoint), 16, 2).put(8, slot(endpoint), 0, 16);
  }

  static int pool(ByteBuffer memberKey) {
    return memberKey.duplicate().order(ByteOrder.nativeOrder()).getInt(0);
  }

  static ByteBuffer member(int how) {
    return buffer(4).putInt(0, how);
  }

  static ByteBuffer reverseKey(ConnectedSocket socket) {
    return address(buffer(32), 8, socket.endpoint(), socket.endpointPort())
        .putLong(0, socket.cookie());
  }

  static ConnectedSocket connected(ByteBuffer reverseKey, ByteBuffer value) {
    return new ConnectedSocket(
        reverseKey.duplicate().order(ByteOrder.nativeOrder()).getLong(0),
        ip(value, 0),
        port(value, 16),
        ip(reverseKey, 8),
        port(reverseKey, 24));
  }

  private static ByteBuffer address(ByteBuffer bytes, int offset, Ip address, int port) {
    bytes
        .order(ByteOrder.BIG_ENDIAN)
        .putLong(offset, address.high())
        .putLong(offset + 8, address.low())
        .putShort(offset + 16, (short) port);
    return bytes.order(ByteOrder.nativeOrder());
  }

  private static Ip ip(ByteBuffer bytes, int offset) {
    ByteBuffer ordered = bytes.duplicate().order(ByteOrder.BIG_ENDIAN);
    return new Ip(ordered.getLong(offset), ordered.getLong(offset + 8));
  }

  private static int port(ByteBuffer bytes, int offset) {
    return Short.toUnsignedInt(bytes.duplicate().order(ByteOrder.BIG_ENDIAN).getShort(offset));
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
  }
}
