package dev.portolan.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.WireFormat;
import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.EmptyOp;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.SourceLost;
import dev.portolan.api.localv1.Value;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** One item of a stream, or a batch of them, encoded once for all clients. */
public final class StreamItem {
  private static final byte[] NOTHING = {};

  /** Everything received before is void. */
  public static final StreamItem RESET =
      new StreamItem(
          OpItem.newBuilder().setReset(EmptyOp.getDefaultInstance()).build().toByteArray());

  /** The changes are complete. */
  public static final StreamItem SYNC =
      new StreamItem(
          OpItem.newBuilder().setSync(EmptyOp.getDefaultInstance()).build().toByteArray());

  /** Says only that the server lives. */
  public static final StreamItem HEARTBEAT =
      new StreamItem(OpItem.getDefaultInstance().toByteArray());

  /** Says that the server lives, but that its own source has been lost since a moment. */
  public static StreamItem heartbeat(Instant lostAt, String why) {
    SourceLost lost = SourceLost.newBuilder().setUnixNanos(Times.nanos(lostAt)).setWhy(why).build();
    return new StreamItem(OpItem.newBuilder().setSourceLost(lost).build().toByteArray());
  }

  /** A sign of life with what else it says. */
  public static StreamItem heartbeat(OpItem signs) {
    return new StreamItem(signs.toByteArray());
  }

  /** Sends items as they are. */
  public static final MethodDescriptor.Marshaller<StreamItem> MARSHALLER = new AsItIs();

  /** What stands before each item of a batch. */
  private static final int BATCHED =
      OpItem.ITEMS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  /** Items of a batch that others have too, before those of {@link #bytes}. */
  private final byte[] head;

  private final byte[] bytes;

  private StreamItem(byte[] bytes) {
    this(NOTHING, bytes);
  }

  private StreamItem(byte[] head, byte[] bytes) {
    this.head = head;
    this.bytes = bytes;
  }

  /** Adds or replaces the value at {@code path}. */
  public static StreamItem set(Set set, String path, MessageLite value) {
    Value content =
        Value.newBuilder().setRef(ref(set, path)).setBytes(value.toByteString()).build();
    return new StreamItem(OpItem.newBuilder().setSet(content).build().toByteArray());
  }

  /** Removes the value at {@code path}. */
  public static StreamItem delete(Set set, String path) {
    return new StreamItem(OpItem.newBuilder().setDelete(ref(set, path)).build().toByteArray());
  }

  /** The changes are complete, and lead to {@code change}. */
  public static StreamItem sync(Change change) {
    return new StreamItem(
        OpItem.newBuilder()
            .setSync(EmptyOp.getDefaultInstance())
            .setChange(change)
            .build()
            .toByteArray());
  }

  /** All of {@code items}, in one message, for a client that takes that. */
  public static StreamItem batch(List<StreamItem> items) {
    return items.size() == 1 ? items.getFirst() : wholeBatch(items);
  }

  /** The same, also of a single item or none. */
  public static StreamItem wholeBatch(List<StreamItem> items) {
    return new StreamItem(inBatch(items));
  }

  /** What is in the batch {@code items}, which is not copied, and one item more. */
  public static StreamItem batch(StreamItem items, StreamItem last) {
    return new StreamItem(items.bytes, inBatch(List.of(last)));
  }

  /** A batch, packed, for a client that takes that. */
  public static StreamItem packed(StreamItem batch) {
    ByteString.Output packed = ByteString.newOutput();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(batch.bytes);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return new StreamItem(
        OpItem.newBuilder().setPacked(packed.toByteString()).build().toByteArray());
  }

  /** The items of a batch that was {@code packed}, of at most {@code most} bytes. */
  public static List<OpItem> unpack(ByteString packed, int most) throws WireException {
    try (InputStream in = new GZIPInputStream(packed.newInput())) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new WireException(
            "OpItem.Packed", "has more than the %d bytes that were asked for".formatted(most));
      }
      return OpItem.parseFrom(bytes).getItemsList();
    } catch (IOException e) {
      throw new WireException("OpItem.Packed", "cannot be unpacked: " + e.getMessage());
    }
  }

  private static byte[] inBatch(List<StreamItem> items) {
    int size = 0;
    for (StreamItem item : items) {
      size += item.sizeInBatch();
    }
    byte[] bytes = new byte[size];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      for (StreamItem item : items) {
        out.writeByteArray(OpItem.ITEMS_FIELD_NUMBER, item.bytes);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes;
  }

  /** How many bytes it adds to a batch. */
  public int sizeInBatch() {
    return CodedOutputStream.computeByteArraySize(OpItem.ITEMS_FIELD_NUMBER, bytes);
  }

  /** Whether it completes changes, itself or as a batch; that can be seen without decoding it. */
  public boolean isSync() {
    int last = 0;
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      while (!in.isAtEnd() && in.readTag() == BATCHED) {
        int size = in.readRawVarint32();
        last = in.getTotalBytesRead();
        in.skipRawBytes(size);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return last < bytes.length && bytes[last] == SYNC.bytes[0];
  }

  /** How many bytes it has. */
  public int size() {
    return head.length + bytes.length;
  }

  /** The message that it is. */
  public OpItem message() {
    try {
      return OpItem.parseFrom(head).toBuilder().mergeFrom(bytes).build();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Ref ref(Set set, String path) {
    return Ref.newBuilder().setSet(set).setPath(path).build();
  }

  private static final class AsItIs implements MethodDescriptor.Marshaller<StreamItem> {
    @Override
    public InputStream stream(StreamItem item) {
      return new Bytes(item.head, item.bytes);
    }

    @Override
    public StreamItem parse(InputStream stream) {
      try {
        return new StreamItem(stream.readAllBytes());
      } catch (IOException e) {
        throw Status.INTERNAL.withCause(e).asRuntimeException();
      }
    }
  }

  /** Bytes that gRPC copies in one go. */
  private static final class Bytes extends InputStream implements KnownLength, Drainable {
    private final ByteArrayInputStream head;
    private final ByteArrayInputStream rest;

    Bytes(byte[] head, byte[] rest) {
      this.head = new ByteArrayInputStream(head);
      this.rest = new ByteArrayInputStream(rest);
    }

    @Override
    public int available() {
      return head.available() + rest.available();
    }

    @Override
    public int read() {
      return (head.available() > 0 ? head : rest).read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return (head.available() > 0 ? head : rest).read(into, offset, length);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      return (int) (head.transferTo(target) + rest.transferTo(target));
    }
  }
}
