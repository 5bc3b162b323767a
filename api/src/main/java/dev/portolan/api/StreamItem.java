package dev.portolan.api;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.EmptyOp;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.Value;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** One item of a stream, encoded once for all clients. */
public final class StreamItem {
  /** Everything received before is void. */
  public static final StreamItem RESET =
      new StreamItem(
          OpItem.newBuilder().setReset(EmptyOp.getDefaultInstance()).build().toByteArray());

  /** The changes are complete. */
  public static final StreamItem SYNC =
      new StreamItem(
          OpItem.newBuilder().setSync(EmptyOp.getDefaultInstance()).build().toByteArray());

  /** Sends items as they are. */
  public static final MethodDescriptor.Marshaller<StreamItem> MARSHALLER = new AsItIs();

  private final byte[] bytes;

  private StreamItem(byte[] bytes) {
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

  /** Whether it says that changes are complete; that can be seen without decoding it. */
  public boolean isSync() {
    return bytes.length > 0 && bytes[0] == SYNC.bytes[0];
  }

  /** How many bytes it has. */
  public int size() {
    return bytes.length;
  }

  /** The message that it is. */
  public OpItem message() {
    try {
      return OpItem.parseFrom(bytes);
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
      return new Bytes(item.bytes);
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
  private static final class Bytes extends ByteArrayInputStream implements KnownLength, Drainable {
    Bytes(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      return (int) transferTo(target);
    }
  }
}
