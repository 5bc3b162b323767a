package dev.portolan.backend.ebpf;

import dev.portolan.backend.ebpf.MapContents.Numbers;
import dev.portolan.backend.ebpf.SocketTarget.Forwarded;
import dev.portolan.backend.ebpf.SocketTarget.PoolName;
import dev.portolan.backend.ebpf.SocketTarget.Refused;
import dev.portolan.bpf.CgroupLink;
import dev.portolan.bpf.SocketHook;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeImage;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The maps and programs as text, without a kernel: what a first start would write. */
public final class EbpfText {
  private EbpfText() {}

  /** What the maps hold for {@code image}. Pools are numbered as they come. */
  public static String maps(NodeImage image) {
    return maps(SocketTable.of(image));
  }

  /** The same for one family. */
  public static String maps(NodeImage image, IpFamily family) {
    return maps(SocketTable.of(image).of(family));
  }

  /** What is pinned under {@code options}, as the kernel has it. */
  public static String ofKernel(EbpfOptions options) {
    if (!EbpfBackend.isPresent(options)) {
      return "nothing is pinned under " + options.folder() + "\n";
    }
    StringBuilder text = new StringBuilder("links\n");
    for (SocketHook hook : SocketHook.values()) {
      Optional<CgroupLink> link = CgroupLink.pinned(options.folder().resolve(hook.toString()));
      text.append("  %-14s%s%n".formatted(hook, link.isPresent() ? "pinned" : "missing"));
      link.ifPresent(CgroupLink::close);
    }
    text.append("services\n");
    SocketPreview.there(options.folder())
        .forEach((frontend, target) -> text.append("  %s: %s%n".formatted(frontend, target)));
    return text.toString();
  }

  private static String maps(SocketTable table) {
    Map<PoolName, Integer> numbers = new HashMap<>();
    table.pools().keySet().forEach(pool -> numbers.put(pool, numbers.size() + 1));
    StringBuilder text = new StringBuilder("services\n");
    table
        .frontends()
        .forEach((frontend, target) -> {
          String what =
              switch (target) {
                case Refused() -> "refused";
                case Forwarded(PoolName pool, int affinity) ->
                    "pool " + numbers.get(pool) + (affinity == 0 ? "" : " for " + affinity + " s");
              };
          text.append("  %s: %s%n".formatted(frontend, what));
        });
    text.append("pools\n");
    table
        .pools()
        .forEach((pool, members) -> {
          text.append("  %d: %s%n".formatted(numbers.get(pool), pool));
          members.chosen().forEach(endpoint -> text.append(line("slot", endpoint)));
          if (members.remembered()) {
            members.serving().forEach(endpoint -> text.append(line("only serving", endpoint)));
          }
        });
    MapContents contents =
        MapContents.of(
            table,
            pool -> {
              int number = numbers.getOrDefault(pool, 0);
              return new Numbers(number, number);
            });
    text.append("entries\n");
    for (SocketMap map : SocketMap.values()) {
      Map<ByteBuffer, ByteBuffer> entries = contents.maps().get(map);
      text.append(
          "  %-12s%s%n"
              .formatted(map, entries == null ? "filled by the programs" : entries.size()));
    }
    return text.toString();
  }

  private static String line(String what, Endpoint endpoint) {
    return "     %s %s%n".formatted(what, endpoint);
  }

  /** The instructions of the programs; hooks with the same ones share them. */
  public static String programs() {
    return programs(List.of(IpFamily.values()));
  }

  /** Those that see sockets of one family. */
  public static String programs(IpFamily family) {
    return programs(List.of(family));
  }

  private static String programs(List<IpFamily> families) {
    StringBuilder text = new StringBuilder();
    for (IpFamily family : families) {
      switch (family) {
        case IPV4 -> {
          text.append(program(SocketHook.CONNECT4)).append(program(SocketHook.SENDMSG4));
          text.append(program(SocketHook.RECVMSG4, SocketHook.GETPEERNAME4));
        }
        case IPV6 -> {
          text.append(program(SocketHook.CONNECT6)).append(program(SocketHook.SENDMSG6));
          text.append(program(SocketHook.RECVMSG6, SocketHook.GETPEERNAME6));
        }
      }
    }
    return text.append(program(SocketHook.RELEASE)).toString();
  }

  private static String program(SocketHook... hooks) {
    return "programs "
        + String.join(", ", Stream.of(hooks).map(SocketPrograms::name).toList())
        + "\n"
        + SocketPrograms.of(hooks[0]);
  }
}
