package dev.portolan.walk.nft;

import dev.portolan.netlink.MessageWriter;
import dev.portolan.walk.nft.table.NftExpression;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What an expression loads. */
sealed interface Fact {
  /** These bytes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Known(byte[] bytes) implements Fact {}

  /** Nothing: the packet has no such thing, and the rule ends. */
  record Absent() implements Fact {}

  /** Something that is not known here. */
  record Unknown() implements Fact {}

  /** A number of four bytes as the machine orders it. */
  static Fact number(int value) {
    return new Known(MessageWriter.nativeBytes(value));
  }

  /** A number of two bytes as the machine orders it. */
  static Fact shortNumber(int value) {
    byte[] bytes = MessageWriter.nativeBytes(value);
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    return new Known(little ? Arrays.copyOf(bytes, 2) : Arrays.copyOfRange(bytes, 2, 4));
  }

  /** A number of two bytes as the network orders it. */
  static Fact networkShort(int value) {
    return new Known(new byte[] {(byte) (value >>> 8), (byte) value});
  }

  /** A number of one byte. */
  static Fact octet(int value) {
    return new Known(new byte[] {(byte) value});
  }

  /** The name of an interface. */
  static Fact name(String name) {
    return new Known(
        Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), NftExpression.NAME_LENGTH));
  }
}
