package dev.portolan.source.record;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/**
 * Counts what a message consists of before it is there: an empty one takes two bytes, and forty
 * times as many in memory.
 */
final class ElementCount {
  private ElementCount() {}

  /** How many messages, items of lists and unknown fields there are in a message of a type. */
  static long of(byte[] content, Descriptor type) throws IOException {
    return count(CodedInputStream.newInstance(content), type);
  }

  private static long count(CodedInputStream in, Descriptor type) throws IOException {
    long count = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      boolean known =
          field != null && field.getLiteType().getWireType() == WireFormat.getTagWireType(tag);
      if (known && field.getJavaType() == JavaType.MESSAGE) {
        int limit = in.pushLimit(in.readRawVarint32());
        count += 1 + count(in, field.getMessageType());
        in.popLimit(limit);
      } else {
        count += known && !field.isRepeated() ? 0 : 1;
        if (!in.skipField(tag)) {
          return count;
        }
      }
    }
    return count;
  }
}
