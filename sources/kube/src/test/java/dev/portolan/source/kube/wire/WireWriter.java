package dev.portolan.source.kube.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a protobuf message. */
public final class WireWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  public WireWriter number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  public WireWriter truth(int field, boolean value) {
    return number(field, value ? 1 : 0);
  }

  public WireWriter text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  public WireWriter texts(int field, Iterable<String> values) {
    values.forEach(value -> text(field, value));
    return this;
  }

  public WireWriter message(int field, WireWriter value) {
    return bytes(field, value.bytes());
  }

  public WireWriter bytes(int field, byte[] value) {
    varint(((long) field << 3) | 2);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  public byte[] bytes() {
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
