package dev.portolan.walk.nft;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The machine's registers: sixteen words of four bytes. */
final class Registers {
  private static final int WORDS = 20;

  private final byte[] bytes;

  Registers() {
    this(new byte[WORDS * 4]);
  }

  private Registers(byte[] bytes) {
    this.bytes = bytes;
  }

  Registers copy() {
    return new Registers(bytes.clone());
  }

  /** Stores bytes from a word on; what is left of the last word becomes zero. */
  void store(int word, byte[] value) {
    int start = word * 4;
    System.arraycopy(value, 0, bytes, start, value.length);
    int end = start + value.length;
    Arrays.fill(bytes, end, (end + 3) & ~3, (byte) 0);
  }

  /** Stores a number as the machine orders it. */
  void storeNumber(int word, int value) {
    ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(word * 4, value);
  }

  byte[] load(int word, int length) {
    return Arrays.copyOfRange(bytes, word * 4, word * 4 + length);
  }

  /** A number as the machine orders it. */
  int loadNumber(int word) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(word * 4);
  }

  /** A port as the network orders it. */
  int loadPort(int word) {
    return Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(word * 4));
  }

  /** Less than, equal to or greater than 0, as the bytes from a word on compare with a value. */
  int compare(int word, byte[] value) {
    return Arrays.compareUnsigned(bytes, word * 4, word * 4 + value.length, value, 0, value.length);
  }
}
