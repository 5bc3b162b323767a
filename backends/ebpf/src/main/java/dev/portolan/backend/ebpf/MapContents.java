package dev.portolan.backend.ebpf;

import dev.portolan.backend.ebpf.SocketTarget.Forwarded;
import dev.portolan.backend.ebpf.SocketTarget.Members;
import dev.portolan.backend.ebpf.SocketTarget.PoolName;
import dev.portolan.backend.ebpf.SocketTarget.Refused;
import dev.portolan.core.node.Endpoint;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * What our maps hold for a table, given the numbers of its pools: bytes, as the kernel has them.
 */
record MapContents(Map<SocketMap, Map<ByteBuffer, ByteBuffer>> maps) {
  private static final Bytes.Entry REFUSED = new Bytes.Entry(0, 0, 0, 0);

  /**
   * The numbers of a pool.
   *
   * @param generation of its slots: another one whenever the chosen endpoints are others
   * @param pool stays the same as long as the pool exists
   */
  record Numbers(long generation, int pool) {}

  /** The contents for {@code table}. */
  static MapContents of(SocketTable table, Function<PoolName, Numbers> numbers) {
    MapContents contents = new MapContents(new EnumMap<>(SocketMap.class));
    for (SocketMap map : List.of(SocketMap.SERVICES, SocketMap.SLOTS, SocketMap.MEMBERS)) {
      contents.maps.put(map, new LinkedHashMap<>());
    }
    table.pools().forEach((name, members) -> contents.add(numbers.apply(name), members));
    table
        .frontends()
        .forEach((frontend, target) -> {
          Bytes.Entry entry =
              switch (target) {
                case Refused() -> REFUSED;
                case Forwarded(PoolName pool, int affinity) -> {
                  Numbers its = numbers.apply(pool);
                  int count = Objects.requireNonNull(table.pools().get(pool)).chosen().size();
                  yield new Bytes.Entry(its.generation(), count, affinity, its.pool());
                }
              };
          contents
              .of(SocketMap.SERVICES)
              .put(Bytes.serviceKey(frontend), Bytes.service(frontend, entry));
        });
    return contents;
  }

  /** What one of our maps holds. */
  Map<ByteBuffer, ByteBuffer> of(SocketMap map) {
    return Objects.requireNonNull(maps.get(map));
  }

  private void add(Numbers numbers, Members members) {
    of(SocketMap.SLOTS).putAll(slots(numbers.generation(), members.chosen()));
    if (members.remembered()) {
      Map<ByteBuffer, ByteBuffer> all = of(SocketMap.MEMBERS);
      for (Endpoint endpoint : members.chosen()) {
        all.put(Bytes.memberKey(numbers.pool(), endpoint), Bytes.member(Bytes.CHOSEN));
      }
      for (Endpoint endpoint : members.serving()) {
        all.putIfAbsent(Bytes.memberKey(numbers.pool(), endpoint), Bytes.member(Bytes.SERVING));
      }
    }
  }

  /** The slots of one generation. */
  static Map<ByteBuffer, ByteBuffer> slots(long generation, List<Endpoint> endpoints) {
    Map<ByteBuffer, ByteBuffer> slots = new LinkedHashMap<>();
    for (int i = 0; i < endpoints.size(); i++) {
      slots.put(Bytes.slotKey(generation, i), Bytes.slot(endpoints.get(i)));
    }
    return slots;
  }
}
