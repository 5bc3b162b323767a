package dev.portolan.source.kube.wire;

import dev.portolan.apiserver.ApiResponse;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The format of the server's answers. Not thread-safe. */
public sealed interface WireFormat permits ProtobufFormat, JsonFormat {
  /** Reads a list; hands each object over as soon as it was read. */
  <K extends Comparable<? super K>, V> String list(
      Resource<K, V> resource, InputBuffer in, Consumer<ReceivedObject<K, V>> objects)
      throws IOException;

  /** Waits for the next event; null where the stream ends between two events. */
  <K extends Comparable<? super K>, V> @Nullable WatchEvent<K, V> event(
      Resource<K, V> resource, InputBuffer in) throws IOException;

  /** Whether the whole next event is available without waiting. */
  boolean hasEvent(InputBuffer in) throws IOException;

  /** Reads the status in a response that is an error. */
  ApiStatus status(InputBuffer in) throws IOException;

  /** One instance of each format, for one thread. */
  record Both(ProtobufFormat protobuf, JsonFormat json) {
    /** {@code place} names what is read in messages. */
    public static Both of(String place) {
      return new Both(new ProtobufFormat(), new JsonFormat(place));
    }

    /** The format of {@code response}. */
    public WireFormat of(ApiResponse response) throws DecodeException {
      String type = response.headers().firstValue("Content-Type").orElse("");
      if (type.startsWith(ProtobufFormat.TYPE)) {
        return protobuf;
      }
      if (type.startsWith(JsonFormat.TYPE)) {
        return json;
      }
      throw new DecodeException(
          "the answer is of type '"
              + type
              + "', neither protobuf nor JSON, so it is not from an"
              + " API server");
    }
  }
}
