package dev.portolan.takeover;

import dev.portolan.backend.ebpf.EbpfBackend;
import dev.portolan.backend.ebpf.EbpfOptions;
import java.util.List;

/** The programs and maps with which our mode ebpf translates the sockets of this node. */
record SocketPins(EbpfOptions options) implements Leftover {
  static List<SocketPins> find(TakeoverOptions takeover) {
    EbpfOptions options = EbpfOptions.DEFAULT.in(takeover.namespace()).pinnedTo(takeover.pins());
    return EbpfBackend.isPresent(options) ? List.of(new SocketPins(options)) : List.of();
  }

  @Override
  public String describe() {
    return "ebpf: programs and maps in " + options.folder();
  }

  @Override
  public void remove() {
    EbpfBackend.removeSockets(options);
  }
}
