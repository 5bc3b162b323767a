package dev.portolan.backend.ebpf;

import dev.portolan.bpf.MapShape;
import java.util.Locale;

/**
 * The maps that the programs read and write. Addresses have 16 bytes, IPv4 ones in their mapped
 * form, so that both families share everything.
 *
 * <pre>
 * services    address, port, protocol       -> the key again, generation, count, affinity, pool
 * slots       generation, index             -> address, port
 * members     pool, port, address           -> whether it is chosen, or only still serves
 * affinity    network namespace, pool       -> time, address, port
 * reverse     socket, endpoint's address    -> service's address, port
 * udp_choice  socket, service's address     -> endpoint's address, port
 * </pre>
 *
 * <p>The kernel may give an element that was replaced to another key while a program still reads
 * it. So a service's value begins with its key, and a program reads that last.
 */
@SuppressWarnings("ImmutableEnumChecker") // a shape is a record of numbers and a name
enum SocketMap {
  SERVICES(MapShape.Kind.HASH, 24, 48, 1 << 14),
  SLOTS(MapShape.Kind.HASH, 16, 20, 1 << 14),
  MEMBERS(MapShape.Kind.HASH, 24, 4, 1 << 14),
  AFFINITY(MapShape.Kind.LRU, 16, 32, 1 << 16),
  REVERSE(MapShape.Kind.LRU, 32, 20, 1 << 16),
  UDP_CHOICE(MapShape.Kind.LRU, 32, 20, 1 << 15);

  private final MapShape shape;

  SocketMap(MapShape.Kind kind, int key, int value, int capacity) {
    this.shape = new MapShape("pl_" + this, kind, key, value, capacity);
  }

  /** What it looks like with the least capacity. */
  MapShape shape() {
    return shape;
  }

  /** Whether we fill it, and not the programs. */
  boolean isOurs() {
    return shape.kind() == MapShape.Kind.HASH;
  }

  /** Its name in programs and under the pins. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
