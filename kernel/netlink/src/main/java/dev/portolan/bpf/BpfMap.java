package dev.portolan.bpf;

import dev.portolan.bpf.BpfCalls.Attributes;
import dev.portolan.bpf.BpfCalls.Room;
import dev.portolan.netlink.CLibrary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A map in the kernel. Keys and values are bytes, wrapped so that they compare by content. It lives
 * as long as this process, a program or a pin holds it.
 */
public final class BpfMap implements AutoCloseable {
  private static final int BATCH = 4096;
  private static final int INFO_SIZE = 40;

  private final int fd;
  private final MapShape shape;

  private BpfMap(int fd, MapShape shape) {
    this.fd = fd;
    this.shape = shape;
  }

  /** Makes an empty map. */
  public static BpfMap create(MapShape shape) {
    try (Attributes attributes = new Attributes()) {
      int fd =
          attributes
              .number(0, shape.kind().type())
              .number(4, shape.keyBytes())
              .number(8, shape.valueBytes())
              .number(12, shape.capacity())
              .number(16, shape.kind().flags())
              .name(28, shape.name())
              .call(BpfCalls.MAP_CREATE, "make map " + shape.name());
      return new BpfMap(fd, shape);
    }
  }

  /** The map that is pinned at {@code path}; empty if there is none. */
  public static Optional<BpfMap> pinned(Path path) {
    int fd = BpfCalls.openPin(path.toString());
    if (fd == -BpfException.ENOENT) {
      return Optional.empty();
    }
    if (fd < 0) {
      throw new BpfException("cannot open " + path, -fd);
    }
    return Optional.of(new BpfMap(fd, shapeOf(fd)));
  }

  private static MapShape shapeOf(int fd) {
    byte[] bytes = BpfCalls.info(fd, INFO_SIZE, "a map");
    ByteBuffer info = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    MapShape.Kind kind =
        info.getInt(0) == MapShape.Kind.LRU.type() ? MapShape.Kind.LRU : MapShape.Kind.HASH;
    return new MapShape(text(bytes, 24), kind, info.getInt(8), info.getInt(12), info.getInt(16));
  }

  /** A name of at most 16 bytes that ends with a zero. */
  static String text(byte[] bytes, int offset) {
    int end = offset;
    while (end < bytes.length && end < offset + 16 && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, offset, end - offset, StandardCharsets.US_ASCII);
  }

  /** What it looks like. */
  public MapShape shape() {
    return shape;
  }

  /** The number that a program means it by. */
  public int fd() {
    return fd;
  }

  /** The kernel's number for it, which programs show that use it. */
  public int id() {
    return ByteBuffer.wrap(BpfCalls.info(fd, INFO_SIZE, shape.name()))
        .order(ByteOrder.nativeOrder())
        .getInt(4);
  }

  /** Keeps it under {@code path} in a bpffs when this process ends. */
  public void pin(Path path) {
    BpfCalls.pin(fd, path.toString());
  }

  /** The value of {@code key}. */
  public Optional<ByteBuffer> lookup(ByteBuffer key) {
    try (Attributes attributes = new Attributes()) {
      Room value = attributes.number(0, fd).bytes(8, bytes(key)).room(16, shape.valueBytes());
      int result = attributes.call(BpfCalls.MAP_LOOKUP);
      if (result == -BpfException.ENOENT) {
        return Optional.empty();
      }
      check(result, "look into");
      return Optional.of(value.part(0, shape.valueBytes()));
    }
  }

  /** Puts entries in or replaces them, each atomically for readers. */
  public void put(Map<ByteBuffer, ByteBuffer> entries) {
    List<Map.Entry<ByteBuffer, ByteBuffer>> all = List.copyOf(entries.entrySet());
    for (int from = 0; from < all.size(); from += BATCH) {
      var part = all.subList(from, Math.min(all.size(), from + BATCH));
      try (Attributes attributes = new Attributes()) {
        Room keys = attributes.room(16, (long) part.size() * shape.keyBytes());
        Room values = attributes.room(24, (long) part.size() * shape.valueBytes());
        for (int i = 0; i < part.size(); i++) {
          keys.fill(i, shape.keyBytes(), part.get(i).getKey());
          values.fill(i, shape.valueBytes(), part.get(i).getValue());
        }
        check(
            attributes.number(32, part.size()).number(36, fd).call(BpfCalls.UPDATE_BATCH),
            "write " + part.size() + " entries to");
      }
    }
  }

  /** Removes entries; those that are not there are passed over. */
  public void remove(Collection<ByteBuffer> gone) {
    List<ByteBuffer> all = List.copyOf(gone);
    int from = 0;
    while (from < all.size()) {
      List<ByteBuffer> part = all.subList(from, Math.min(all.size(), from + BATCH));
      try (Attributes attributes = new Attributes()) {
        Room keys = attributes.room(16, (long) part.size() * shape.keyBytes());
        for (int i = 0; i < part.size(); i++) {
          keys.fill(i, shape.keyBytes(), part.get(i));
        }
        int result = attributes.number(32, part.size()).number(36, fd).call(BpfCalls.DELETE_BATCH);
        if (result == -BpfException.ENOENT) {
          from += attributes.number(32) + 1; // it stops at the entry that is not there
        } else {
          check(result, "delete " + part.size() + " entries from");
          from += part.size();
        }
      }
    }
  }

  /** Everything in it; what changes meanwhile may be missing. */
  public Map<ByteBuffer, ByteBuffer> entries() {
    Map<ByteBuffer, ByteBuffer> found = new LinkedHashMap<>();
    // The place in a hash map is a number of a bucket.
    Room place = Room.lasting(Math.max(8, shape.keyBytes()));
    int room = BATCH;
    for (boolean first = true, last = false; !last; ) {
      try (Attributes attributes = new Attributes()) {
        Room keys = attributes.room(16, (long) room * shape.keyBytes());
        Room values = attributes.room(24, (long) room * shape.valueBytes());
        attributes.point(8, place);
        if (!first) {
          attributes.point(0, place);
        }
        int result = attributes.number(32, room).number(36, fd).call(BpfCalls.LOOKUP_BATCH);
        if (result == -BpfException.ENOSPC) {
          room *= 2; // a bucket with more entries than that
          continue;
        }
        last = result == -BpfException.ENOENT;
        check(last ? 0 : result, "read");
        int count = attributes.number(32);
        for (int i = 0; i < count; i++) {
          found.put(keys.part(i, shape.keyBytes()), values.part(i, shape.valueBytes()));
        }
        first = false;
      }
    }
    return found;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private void check(int result, String what) {
    if (result < 0) {
      throw new BpfException("cannot " + what + " map " + shape.name(), -result);
    }
  }

  @Override
  public void close() {
    CLibrary.close(fd);
  }
}
