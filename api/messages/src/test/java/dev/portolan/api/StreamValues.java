package dev.portolan.api;

import static dev.portolan.core.text.Quotes.brief;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.portolan.api.localv1.Value;

/** What an item of a stream carries. */
public final class StreamValues {
  private StreamValues() {}

  /** The message inside {@code value}, which {@code parser} reads. */
  public static <M extends MessageLite> M parse(Value value, Parser<M> parser)
      throws WireException {
    try {
      return parser.parseFrom(value.getBytes());
    } catch (InvalidProtocolBufferException e) {
      throw new WireException(
          value.getRef().getSet() + " " + brief(value.getRef().getPath()),
          "the value does not have the type of its set (" + e.getMessage() + ")");
    }
  }
}
