package dev.portolan.source.kube.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes' protobuf: four letters, then an envelope that names the kind and holds the object.
 *
 * <p>Each event of a watch is preceded by its length. A list is read item by item out of its
 * envelope, so that never more than one item is in memory as bytes.
 */
public final class ProtobufFormat implements WireFormat {
  /** The media type. */
  public static final String TYPE = "application/vnd.kubernetes.protobuf";

  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final int LENGTH = 2;

  private final WireReader wire = new WireReader(new NamePool());
  private final WireMeta meta = new WireMeta();

  @Override
  public <K extends Comparable<? super K>, V> String list(
      Resource<K, V> resource, InputBuffer in, Consumer<ReceivedObject<K, V>> objects)
      throws IOException {
    in.need(MAGIC.length);
    magic(in.bytes(), in.position(), in.position() + MAGIC.length);
    in.take(MAGIC.length);
    String version = null;
    while (in.has(1)) {
      int field = field(in);
      long length = varint(in);
      switch (field) {
        case 1 -> kind(in, length, resource.listKind());
        case 2 -> version = items(resource, in, length, objects);
        default -> in.skip(length);
      }
    }
    if (version == null) {
      throw DecodeException.truncated();
    }
    return version;
  }

  private void kind(InputBuffer in, long length, String expected) throws IOException {
    String found = "";
    message(in, length);
    while (wire.next()) {
      if (wire.field() == 2) {
        found = wire.name();
      }
    }
    in.take((int) length);
    if (!found.equals(expected)) {
      throw new DecodeException("the answer is a '" + found + "' and not a " + expected);
    }
  }

  private <K extends Comparable<? super K>, V> String items(
      Resource<K, V> resource, InputBuffer in, long length, Consumer<ReceivedObject<K, V>> objects)
      throws IOException {
    String version = "";
    long end = in.taken() + length;
    while (in.taken() < end) {
      int field = field(in);
      long size = varint(in);
      if (size < 0 || size > end - in.taken()) {
        throw new DecodeException("an item is longer than the list that it is in");
      }
      if (field > 2) {
        in.skip(size);
        continue;
      }
      message(in, size);
      if (field == 1) {
        version = listVersion();
      } else {
        objects.accept(received(resource));
      }
      in.take((int) size);
    }
    return version;
  }

  private String listVersion() throws DecodeException {
    String version = "";
    while (wire.next()) {
      if (wire.field() == 2) {
        version = wire.text();
      }
    }
    return version;
  }

  @Override
  public <K extends Comparable<? super K>, V> @Nullable WatchEvent<K, V> event(
      Resource<K, V> resource, InputBuffer in) throws IOException {
    if (!in.has(1)) {
      return null;
    }
    in.need(Integer.BYTES);
    long length = frameLength(in);
    in.need(Integer.BYTES + length);
    in.take(Integer.BYTES);
    message(in, length);
    WatchEvent<K, V> event = event(resource, in.bytes());
    in.take((int) length);
    return event;
  }

  @Override
  public boolean hasEvent(InputBuffer in) throws IOException {
    if (!in.hasNow(Integer.BYTES)) {
      return false;
    }
    long length = frameLength(in);
    return length <= InputBuffer.LONGEST && in.hasNow(Integer.BYTES + (int) length);
  }

  private static long frameLength(InputBuffer in) {
    long length = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      length = length << 8 | (in.at(i) & 0xff);
    }
    return length;
  }

  private <K extends Comparable<? super K>, V> WatchEvent<K, V> event(
      Resource<K, V> resource, byte[] bytes) throws DecodeException {
    String type = "";
    int from = 0;
    int to = 0;
    while (wire.next()) {
      if (wire.field() == 1) {
        type = wire.name();
      } else if (wire.field() == 2) {
        int outer = wire.enter();
        while (wire.next()) {
          if (wire.field() == 1) {
            from = wire.raw();
            to = wire.position();
          }
        }
        wire.leave(outer);
      }
    }
    open(bytes, from, to);
    return switch (type) {
      case "ADDED", "MODIFIED" -> new WatchEvent.Put<>(received(resource));
      case "DELETED" -> new WatchEvent.Gone<>(received(resource));
      case "BOOKMARK" -> bookmark();
      case "ERROR" -> new WatchEvent.Failed<>(status());
      default -> throw new DecodeException("an event is of the type '" + type + "'");
    };
  }

  private <K, V> WatchEvent<K, V> bookmark() throws DecodeException {
    meta.clear();
    while (wire.next()) {
      if (wire.field() == 1) {
        meta.read(wire);
      }
    }
    return new WatchEvent.Bookmark<>(meta.resourceVersion());
  }

  private <K extends Comparable<? super K>, V> ReceivedObject<K, V> received(
      Resource<K, V> resource) throws DecodeException {
    meta.clear();
    V object = resource.wire().decode(wire, meta);
    if (meta.name().isEmpty()) {
      throw new DecodeException("an object has no name");
    }
    K key = resource.key().apply(meta.namespace(), meta.name());
    String problem = wire.problem();
    return new ReceivedObject<>(
        key, problem == null ? object : null, meta.resourceVersion(), problem);
  }

  @Override
  public ApiStatus status(InputBuffer in) throws IOException {
    int length = in.rest();
    open(in.bytes(), in.position(), in.position() + length);
    return status();
  }

  private ApiStatus status() throws DecodeException {
    int code = 0;
    int seconds = 0;
    String message = "";
    String reason = "";
    while (wire.next()) {
      switch (wire.field()) {
        case 3 -> message = wire.text();
        case 4 -> reason = wire.text();
        case 5 -> {
          int outer = wire.enter();
          while (wire.next()) {
            if (wire.field() == 5) {
              seconds = wire.number();
            }
          }
          wire.leave(outer);
        }
        case 6 -> code = wire.number();
        default -> {}
      }
    }
    return new ApiStatus(code, reason, message, Duration.ofSeconds(Math.max(0, seconds)));
  }

  /** Puts {@link #wire} over the object in an envelope. */
  private void open(byte[] bytes, int from, int to) throws DecodeException {
    magic(bytes, from, to);
    wire.over(bytes, from + MAGIC.length, to);
    int start = to;
    int end = to;
    while (wire.next()) {
      if (wire.field() == 2) {
        start = wire.raw();
        end = wire.position();
      }
    }
    wire.over(bytes, start, end);
  }

  private static void magic(byte[] bytes, int from, int to) throws DecodeException {
    for (int i = 0; i < MAGIC.length; i++) {
      if (from + i >= to || bytes[from + i] != MAGIC[i]) {
        throw new DecodeException("the answer is not Kubernetes' protobuf");
      }
    }
  }

  /** Puts {@link #wire} over the next {@code length} bytes, which stay where they are. */
  private void message(InputBuffer in, long length) throws IOException {
    in.need(length);
    wire.over(in.bytes(), in.position(), in.position() + (int) length);
  }

  private static int field(InputBuffer in) throws IOException {
    long tag = varint(in);
    if ((tag & 7) != LENGTH || tag >>> 3 == 0 || tag >>> 3 > Integer.MAX_VALUE) {
      throw new DecodeException("a list has an unknown field");
    }
    return (int) (tag >>> 3);
  }

  private static long varint(InputBuffer in) throws IOException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      in.need(1);
      byte next = in.at(0);
      in.take(1);
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new DecodeException("a number is too long");
  }
}
