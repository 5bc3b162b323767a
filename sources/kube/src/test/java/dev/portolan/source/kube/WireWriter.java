package dev.portolan.source.kube;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a protobuf message. */
final class WireWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  WireWriter number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  WireWriter truth(int field, boolean value) {
    return number(field, value ? 1 : 0);
  }

  WireWriter text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  WireWriter texts(int field, Iterable<String> values) {
    values.forEach(value -> text(field, value));
    return this;
  }

  WireWriter message(int field, WireWriter value) {
    return bytes(field, value.bytes());
  }

  WireWriter bytes(int field, byte[] value) {
    varint(((long) field << 3) | 2);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  private void varint(long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      out.write((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }
}
