package dev.portolan.backend.ebpf;

import dev.portolan.bpf.BpfMap;
import dev.portolan.bpf.CgroupLink;
import dev.portolan.bpf.SocketHook;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the pinned maps say of sockets that ask for one address.
 *
 * @param endpoints where such sockets go, each as often as its weight asks for; empty where the
 *     call fails with ECONNREFUSED
 * @param missing how many endpoints the maps lack, so that such a socket is left alone
 * @param affinity for how many seconds a client stays with its endpoint; 0 for not
 */
public record SocketTranslation(
    Ip address, int port, Protocol protocol, List<Place> endpoints, int missing, int affinity) {
  /** Where a socket is connected to. */
  public record Place(Ip address, int port) {
    @Override
    public String toString() {
      return address.withPort(port);
    }
  }

  public SocketTranslation {
    endpoints = List.copyOf(endpoints);
  }

  /** Whether the call of such a socket fails. */
  public boolean isRefused() {
    return endpoints.isEmpty() && missing == 0;
  }

  /**
   * All that the maps of this network namespace say, or of the one in {@code options}; nothing
   * where there are none.
   */
  public static List<SocketTranslation> read(EbpfOptions options) {
    return Pins.of(options).areOurs() ? in(options.folder()) : List.of();
  }

  /** The hooks at which programs of this network namespace are attached. */
  public static Set<SocketHook> hooks(EbpfOptions options) {
    Set<SocketHook> hooks = EnumSet.noneOf(SocketHook.class);
    if (Pins.of(options).areOurs()) {
      for (SocketHook hook : SocketHook.values()) {
        CgroupLink.pinned(options.folder().resolve(hook.toString()))
            .ifPresent(link -> {
              link.close();
              hooks.add(hook);
            });
      }
    }
    return hooks;
  }

  /** All that the maps under {@code folder} say. */
  static List<SocketTranslation> in(Path folder) {
    Map<ByteBuffer, ByteBuffer> slots = entries(folder, SocketMap.SLOTS);
    List<SocketTranslation> all = new ArrayList<>();
    entries(folder, SocketMap.SERVICES)
        .forEach((key, value) -> all.add(of(Bytes.frontend(key), Bytes.entry(value), slots)));
    return all;
  }

  private static SocketTranslation of(
      SocketFrontend frontend, Bytes.Entry entry, Map<ByteBuffer, ByteBuffer> slots) {
    List<Place> endpoints = new ArrayList<>();
    for (int i = 0; i < entry.count(); i++) {
      ByteBuffer slot = slots.get(Bytes.slotKey(entry.generation(), i));
      if (slot != null) {
        endpoints.add(Bytes.place(slot));
      }
    }
    return new SocketTranslation(
        frontend.address(),
        frontend.port(),
        frontend.protocol(),
        endpoints,
        entry.count() - endpoints.size(),
        entry.affinity());
  }

  private static Map<ByteBuffer, ByteBuffer> entries(Path folder, SocketMap map) {
    Optional<BpfMap> pinned = BpfMap.pinned(folder.resolve(map.toString()));
    if (pinned.isEmpty()) {
      return Map.of();
    }
    try (BpfMap open = pinned.get()) {
      return open.shape().fits(map.shape()) ? open.entries() : Map.of();
    }
  }
}
