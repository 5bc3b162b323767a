package dev.portolan.api;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash XXH64 with seed 0, as KPNG uses it to detect that a message differs.
 *
 * <p>A Go client drops what comes with the hash that it holds already, so a hash covers everything
 * else in its message. It is taken of the deterministic form: fields by number, maps by key.
 */
final class Xxh64 {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Xxh64() {}

  /** The hash of the deterministic form of {@code message}. */
  static long of(MessageLite message) {
    byte[] bytes = new byte[message.getSerializedSize()];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.useDeterministicSerialization();
    try {
      message.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return of(bytes);
  }

  /** The hash of {@code bytes}. */
  static long of(byte[] bytes) {
    int at = 0;
    long hash = PRIME_5;
    if (bytes.length >= 32) {
      long second = PRIME_2;
      long first = second + PRIME_1;
      long third = 0;
      long fourth = -PRIME_1;
      for (; bytes.length - at >= 32; at += 32) {
        first = round(first, (long) LONG.get(bytes, at));
        second = round(second, (long) LONG.get(bytes, at + 8));
        third = round(third, (long) LONG.get(bytes, at + 16));
        fourth = round(fourth, (long) LONG.get(bytes, at + 24));
      }
      hash =
          Long.rotateLeft(first, 1)
              + Long.rotateLeft(second, 7)
              + Long.rotateLeft(third, 12)
              + Long.rotateLeft(fourth, 18);
      hash = merge(merge(merge(merge(hash, first), second), third), fourth);
    }
    return avalanche(tail(hash + bytes.length, bytes, at));
  }

  /** Takes in what is left after the blocks of 32 bytes. */
  private static long tail(long start, byte[] bytes, int from) {
    long hash = start;
    int at = from;
    for (; bytes.length - at >= 8; at += 8) {
      hash ^= round(0, (long) LONG.get(bytes, at));
      hash = Long.rotateLeft(hash, 27) * PRIME_1 + PRIME_4;
    }
    if (bytes.length - at >= 4) {
      hash ^= Integer.toUnsignedLong((int) INT.get(bytes, at)) * PRIME_1;
      hash = Long.rotateLeft(hash, 23) * PRIME_2 + PRIME_3;
      at += 4;
    }
    for (; at < bytes.length; at++) {
      hash ^= Byte.toUnsignedLong(bytes[at]) * PRIME_5;
      hash = Long.rotateLeft(hash, 11) * PRIME_1;
    }
    return hash;
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long lane) {
    return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
  }

  private static long avalanche(long start) {
    long hash = (start ^ start >>> 33) * PRIME_2;
    hash = (hash ^ hash >>> 29) * PRIME_3;
    return hash ^ hash >>> 32;
  }
}
