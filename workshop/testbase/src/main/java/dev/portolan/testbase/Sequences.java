package dev.portolan.testbase;

import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Values with a length, of which a part can be left out.
 *
 * @param any generates them
 * @param min how short they may become
 */
record Sequences<T>(Gen<T> any, int min, ToIntFunction<T> length, Removal<T> without)
    implements Gen<T> {
  /** Leaves out what is between two places. */
  interface Removal<T> {
    T apply(T value, int from, int to);
  }

  @Override
  public T next(RandomGenerator random) {
    return any.next(random);
  }

  /** Without all of it, each half, each quarter, and so on. */
  @Override
  public Stream<T> smaller(T value) {
    int all = length.applyAsInt(value);
    return IntStream.iterate(all, part -> part > 0, part -> part / 2)
        .filter(part -> all - part >= min)
        .boxed()
        .flatMap(part ->
            IntStream.iterate(0, from -> from + part <= all, from -> from + part)
                .mapToObj(from -> without.apply(value, from, from + part)));
  }
}
