package dev.portolan.testbase;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Generates values: any, and now and then those at the edges of what is possible. */
@FunctionalInterface
public interface Gen<T> {
  /** The next value; the same for a random generator in the same state. */
  T next(RandomGenerator random);

  /** What is left of a value without some part of it, for each part: the largest parts first. */
  default Stream<T> smaller(T value) {
    return Stream.empty();
  }

  /** What {@code function} makes of these values. */
  default <R> Gen<R> map(Function<? super T, ? extends R> function) {
    return random -> function.apply(next(random));
  }

  /** Lists of these values, of {@code min} to {@code max} elements. */
  default Gen<List<T>> lists(int min, int max) {
    return new Sequences<>(
        random -> Stream.generate(() -> next(random)).limit(length(random, min, max)).toList(),
        min,
        List::size,
        (list, from, to) ->
            Stream.concat(list.stream().limit(from), list.stream().skip(to)).toList());
  }

  /** One of {@code values}. */
  @SafeVarargs
  static <T> Gen<T> of(T... values) {
    return random -> values[random.nextInt(values.length)];
  }

  /** A value of one of {@code gens}. */
  @SafeVarargs
  static <T> Gen<T> oneOf(Gen<? extends T>... gens) {
    return random -> gens[random.nextInt(gens.length)].next(random);
  }

  /** Up to {@code max} of {@code all}, each at most once, in any order. */
  static <T> Gen<List<T>> someOf(List<T> all, int max) {
    return random -> {
      List<T> shuffled = new ArrayList<>(all);
      Collections.shuffle(shuffled, random);
      return List.copyOf(shuffled.subList(0, random.nextInt(max + 1)));
    };
  }

  /** Numbers from {@code min} to {@code max}, with small ones among them where these are many. */
  static Gen<Long> longs(long min, long max) {
    long[] edges =
        LongStream.of(min, max, -1, 0, 1).filter(edge -> min <= edge && edge <= max).toArray();
    // Exclusive; the greatest of all is an edge.
    long end = Math.max(max, max + 1);
    return random -> {
      if (isEdge(random)) {
        return edges[random.nextInt(edges.length)];
      }
      long ofAnySize = random.nextLong() >> random.nextInt(Long.SIZE);
      boolean fits = min <= ofAnySize && ofAnySize <= max;
      return fits && random.nextBoolean() ? ofAnySize : random.nextLong(min, end);
    };
  }

  /** Like {@link #longs}. */
  static Gen<Integer> integers(int min, int max) {
    return longs(min, max).map(Long::intValue);
  }

  /** Finite numbers of any size. */
  static Gen<Double> doubles() {
    Gen<Double> edges =
        of(0.0, -0.0, 1.0, -1.0, 0.01, Double.MIN_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE);
    // Without this bit the exponent is not that of infinity.
    long exponent = 1L << 52;
    return random ->
        isEdge(random)
            ? edges.next(random)
            : (Double) Double.longBitsToDouble(random.nextLong() & ~exponent);
  }

  /** Arrays of that length, of any bytes; some are zero for the most part. */
  static Gen<byte[]> bytes(int min, int max) {
    return new Sequences<>(
        random -> {
          byte[] bytes = new byte[length(random, min, max)];
          int zerosOfFour = random.nextInt(4);
          for (int i = 0; i < bytes.length; i++) {
            bytes[i] = random.nextInt(4) < zerosOfFour ? 0 : (byte) random.nextInt();
          }
          return bytes;
        },
        min,
        bytes -> bytes.length,
        (bytes, from, to) -> {
          byte[] rest = new byte[bytes.length - (to - from)];
          System.arraycopy(bytes, 0, rest, 0, from);
          System.arraycopy(bytes, to, rest, from, bytes.length - to);
          return rest;
        });
  }

  /** Texts of that length: ASCII, controls, letters of others, half of a surrogate pair. */
  static Gen<String> texts(int min, int max) {
    return texts(
        random -> (char) random.nextInt(random.nextInt(3) > 0 ? 0x80 : Character.MAX_VALUE + 1),
        min,
        max);
  }

  /** Texts of {@code letters}, of that length. */
  static Gen<String> texts(Gen<Character> letters, int min, int max) {
    return new Sequences<>(
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = length(random, min, max); i > 0; i--) {
            text.append((char) letters.next(random));
          }
          return text.toString();
        },
        min,
        String::length,
        (text, from, to) -> text.substring(0, from) + text.substring(to));
  }

  private static boolean isEdge(RandomGenerator random) {
    return random.nextInt(16) == 0;
  }

  /** The short ones more often, as the long ones take longer and seldom say more. */
  private static int length(RandomGenerator random, int min, int max) {
    if (isEdge(random)) {
      return random.nextBoolean() ? min : max;
    }
    return min + random.nextInt(1 + random.nextInt(1 + max - min));
  }
}
