package dev.portolan.audit;

import dev.portolan.bpf.BpfMap;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pinned maps of services and slots, changed by a program that knows their layout, which {@code
 * SocketMap} describes.
 */
record PinnedServices(Path folder) {
  private static final int GENERATION = 24;
  private static final int COUNT = 32;
  private static final int AFFINITY = 36;
  private static final int SLOT_BYTES = 20;

  /**
   * Does one of: {@code forget SERVICE}, {@code copy SERVICE TO}, {@code count SERVICE NUMBER},
   * {@code affinity SERVICE SECONDS}, {@code generation SERVICE NUMBER}, {@code slot SERVICE
   * ENDPOINT OTHER} where the other may be {@code none}, {@code clear MAP}.
   */
  void change(String command) {
    List<String> words = List.of(command.split(" ", -1));
    if (words.getFirst().equals("clear")) {
      try (BpfMap map = open(words.get(1))) {
        map.remove(map.entries().keySet());
      }
      return;
    }
    ByteBuffer key = service(words.get(1));
    try (BpfMap services = open("services")) {
      ByteBuffer value = services.lookup(key).orElseThrow().order(ByteOrder.nativeOrder());
      switch (words.getFirst()) {
        case "forget" -> services.remove(List.of(key));
        case "copy" -> {
          ByteBuffer other = service(words.get(2));
          services.put(Map.of(other, copy(value).put(0, other, 0, GENERATION)));
        }
        case "count" ->
            services.put(Map.of(key, copy(value).putInt(COUNT, Integer.parseInt(words.get(2)))));
        case "affinity" ->
            services.put(Map.of(key, copy(value).putInt(AFFINITY, Integer.parseInt(words.get(2)))));
        case "generation" ->
            services.put(
                Map.of(key, copy(value).putLong(GENERATION, Long.parseLong(words.get(2)))));
        case "slot" -> slot(value.getLong(GENERATION), words.get(2), words.get(3));
        default -> throw new IllegalArgumentException("no such change: " + command);
      }
    }
  }

  private void slot(long generation, String endpoint, String other) {
    ByteBuffer wanted = endpoint(endpoint);
    try (BpfMap slots = open("slots")) {
      ByteBuffer key =
          slots.entries().entrySet().stream()
              .filter(slot -> slot.getValue().equals(wanted))
              .map(Map.Entry::getKey)
              .filter(it -> it.duplicate().order(ByteOrder.nativeOrder()).getLong(0) == generation)
              .findFirst()
              .orElseThrow();
      if (other.equals("none")) {
        slots.remove(List.of(key));
      } else {
        slots.put(Map.of(key, endpoint(other)));
      }
    }
  }

  private BpfMap open(String name) {
    Optional<BpfMap> map = BpfMap.pinned(folder.resolve(name));
    return map.orElseThrow();
  }

  private static ByteBuffer copy(ByteBuffer value) {
    ByteBuffer copy = ByteBuffer.allocate(value.remaining()).order(ByteOrder.nativeOrder());
    return copy.put(0, value, value.position(), value.remaining());
  }

  /** {@code 10.96.0.20:80/TCP} as the key of a map. */
  private static ByteBuffer service(String text) {
    String[] parts = text.split("/", -1);
    Protocol protocol = Protocol.valueOf(parts[1]);
    return ByteBuffer.allocate(GENERATION)
        .put(0, endpoint(parts[0]), 0, SLOT_BYTES)
        .order(ByteOrder.nativeOrder())
        .putInt(SLOT_BYTES, protocol == Protocol.TCP ? 6 : 17);
  }

  /** {@code 10.244.1.11:8080}, or with an address of IPv6 in brackets, as a map has it. */
  private static ByteBuffer endpoint(String text) {
    int colon = text.lastIndexOf(':');
    Ip address = Ip.of(text.substring(0, colon).replaceAll("[\\[\\]]", ""));
    return ByteBuffer.allocate(SLOT_BYTES)
        .putLong(0, address.high())
        .putLong(8, address.low())
        .putShort(16, (short) Integer.parseInt(text.substring(colon + 1)));
  }
}
