package dev.portolan.backend.ebpf;

import dev.portolan.bpf.BpfException;
import dev.portolan.bpf.BpfMap;
import dev.portolan.bpf.BpfProgram;
import dev.portolan.bpf.CgroupLink;
import dev.portolan.bpf.MapShape;
import dev.portolan.bpf.Mounts;
import dev.portolan.bpf.SocketHook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Our maps, programs and links in the kernel, all of them pinned: they live on when this process
 * ends, and the next one finds them.
 */
final class SocketKernel implements AutoCloseable {
  private final Path cgroup;
  private final Pins pins;
  private final Map<SocketMap, BpfMap> maps = new EnumMap<>(SocketMap.class);
  private final Map<SocketHook, Integer> programs = new EnumMap<>(SocketHook.class);
  private boolean closed;

  private SocketKernel(Path cgroup, Pins pins) {
    this.cgroup = cgroup;
    this.pins = pins;
  }

  /**
   * Opens the maps that a process before us left, and makes those that are missing or that look
   * different. Programs that run still use the old ones until {@link #attach}.
   */
  static SocketKernel open(EbpfOptions options) {
    SocketKernel kernel = in(options);
    try {
      kernel.pins.claim();
      for (SocketMap map : SocketMap.values()) {
        kernel.maps.put(map, kernel.found(map).orElseGet(() -> BpfMap.create(map.shape())));
      }
      return kernel;
    } catch (RuntimeException e) {
      kernel.close();
      throw e;
    }
  }

  /** Loads all programs once and attaches none; fails where the kernel does not take one. */
  static void probe(EbpfOptions options) {
    try (SocketKernel kernel = in(options)) {
      for (SocketMap map : SocketMap.values()) {
        kernel.maps.put(map, BpfMap.create(map.shape()));
      }
      kernel.load().values().forEach(BpfProgram::close);
    }
  }

  private static SocketKernel in(EbpfOptions options) {
    Mounts mounts = Mounts.read();
    Path folder = options.folder();
    if (!mounts.isBpf(folder)) {
      throw new IllegalStateException(
          folder + " is not in a bpffs; mount one: mount -t bpf bpf /sys/fs/bpf");
    }
    Path cgroup =
        options
            .cgroup()
            .or(mounts::cgroupRoot)
            .orElseThrow(() ->
                new IllegalStateException(
                    "no cgroup2 is mounted; mount one, or into the container:"
                        + " /sys/fs/cgroup"));
    if (options.cgroup().isEmpty() && !mounts.showsCgroupsAbove() && isOwnAlone(cgroup)) {
      throw new IllegalStateException(
          cgroup
              + " is the cgroup of this container alone; mount /sys/fs/cgroup of the host into the"
              + " container, at another place");
    }
    return new SocketKernel(cgroup, Pins.of(options));
  }

  /**
   * Whether all that can be seen of the cgroups is the one of this process, as in a container: it
   * is called the root, but has what the root of all does not have.
   */
  private static boolean isOwnAlone(Path root) {
    try {
      return Files.exists(root.resolve("cgroup.type"))
          && Files.readAllLines(Path.of("/proc/self/cgroup")).contains("0::/");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<BpfMap> found(SocketMap map) {
    Optional<BpfMap> pinned = BpfMap.pinned(pin(map.toString()));
    if (pinned.isPresent() && !pinned.get().shape().fits(map.shape())) {
      pinned.get().close();
      return Optional.empty();
    }
    return pinned;
  }

  /** A map. */
  BpfMap map(SocketMap map) {
    return Objects.requireNonNull(maps.get(map));
  }

  /**
   * Puts a larger, empty map in the place of one of ours. It has to be filled; programs use the old
   * one until {@link #attach}.
   */
  synchronized void enlarge(SocketMap map, int capacity) {
    BpfMap larger = BpfMap.create(map.shape().withCapacity(capacity));
    map(map).close();
    maps.put(map, larger);
  }

  /**
   * Loads the programs with the maps as they are now, and attaches each, or puts it in the place of
   * the one before in one step. The pins follow.
   */
  synchronized void attach() {
    Map<SocketHook, BpfProgram> loaded = load();
    try {
      if (!Files.isDirectory(pins.folder())) {
        pins.claim(); // another program removed it
      }
      loaded.forEach(this::attach);
    } finally {
      loaded.values().forEach(BpfProgram::close);
    }
    maps.forEach((map, open) -> {
      Path pin = pin(map.toString());
      if (pinnedId(pin).orElse(-1) != open.id()) {
        unpin(pin);
        open.pin(pin);
      }
    });
  }

  /** All are loaded before one is attached: none, or all. */
  private Map<SocketHook, BpfProgram> load() {
    Map<String, BpfMap> byName = new HashMap<>();
    maps.forEach((map, open) -> byName.put(map.toString(), open));
    Map<SocketHook, BpfProgram> loaded = new EnumMap<>(SocketHook.class);
    try {
      for (SocketHook hook : SocketHook.values()) {
        loaded.put(
            hook,
            BpfProgram.load(SocketPrograms.name(hook), hook, SocketPrograms.of(hook), byName));
      }
      return loaded;
    } catch (RuntimeException e) {
      loaded.values().forEach(BpfProgram::close);
      throw e;
    }
  }

  private void attach(SocketHook hook, BpfProgram program) {
    Path pin = pin(hook.toString());
    Optional<CgroupLink> before = CgroupLink.pinned(pin);
    if (before.isPresent()) {
      try (CgroupLink link = before.get()) {
        if (link.isAttached(cgroup, hook)) {
          link.update(program);
          programs.put(hook, program.id());
          return;
        }
      }
      unpin(pin);
    }
    try (CgroupLink link = CgroupLink.attach(cgroup, hook, program)) {
      link.pin(pin);
    }
    programs.put(hook, program.id());
  }

  /** How many links and pins of maps are not as {@link #attach} left them. Any thread may ask. */
  synchronized int damage() {
    if (closed) {
      return 0;
    }
    int damaged = 0;
    for (SocketHook hook : SocketHook.values()) {
      Optional<CgroupLink> found = CgroupLink.pinned(pin(hook.toString()));
      if (found.isEmpty()) {
        damaged++;
        continue;
      }
      try (CgroupLink link = found.get()) {
        Integer program = programs.get(hook);
        boolean whole =
            link.isAttached(cgroup, hook) && program != null && link.programId() == program;
        damaged += whole ? 0 : 1;
      }
    }
    for (Map.Entry<SocketMap, BpfMap> map : maps.entrySet()) {
      boolean whole = pinnedId(pin(map.getKey().toString())).orElse(-1) == map.getValue().id();
      damaged += whole ? 0 : 1;
    }
    return damaged;
  }

  private static OptionalInt pinnedId(Path pin) {
    Optional<BpfMap> found = BpfMap.pinned(pin);
    if (found.isEmpty()) {
      return OptionalInt.empty();
    }
    try (BpfMap map = found.get()) {
      return OptionalInt.of(map.id());
    }
  }

  /** The most that a map may have before it has to be enlarged. */
  int capacity(SocketMap map) {
    MapShape shape = map(map).shape();
    return shape.capacity();
  }

  private Path pin(String name) {
    return pins.folder().resolve(name);
  }

  private static void unpin(Path pin) {
    try {
      Files.deleteIfExists(pin);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Detaches what is pinned under {@code folder}, and removes it. */
  static void remove(Path folder) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    for (SocketHook hook : SocketHook.values()) {
      Path pin = folder.resolve(hook.toString());
      try {
        CgroupLink.pinned(pin)
            .ifPresent(link -> {
              try (link) {
                link.detach();
              }
            });
      } catch (BpfException e) {
        // A proxy in another mode may lack CAP_BPF; a link that only a pin holds ends with it.
        if (e.errno() != BpfException.EPERM) {
          throw e;
        }
      }
      unpin(pin);
    }
    for (SocketMap map : SocketMap.values()) {
      unpin(folder.resolve(map.toString()));
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    maps.values().forEach(BpfMap::close);
  }
}
