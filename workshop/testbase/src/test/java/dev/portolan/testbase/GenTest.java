package dev.portolan.testbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which values are generated. */
final class GenTest {
  private static <T> List<T> values(Gen<T> gen) {
    SplittableRandom random = new SplittableRandom(7);
    return Stream.generate(() -> gen.next(random)).limit(10_000).toList();
  }

  @Test
  void numbersAreInTheirRangeWithItsEdges() {
    assertThat(values(Gen.longs(Long.MIN_VALUE, Long.MAX_VALUE)))
        .contains(Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE)
        .anyMatch(value -> Math.abs(value) > 1L << 60)
        .anyMatch(value -> value > 1 && value < 100);
    assertThat(values(Gen.longs(0, Long.MAX_VALUE)))
        .contains(0L, Long.MAX_VALUE)
        .noneMatch(value -> value < 0);
    assertThat(values(Gen.integers(Integer.MIN_VALUE, Integer.MAX_VALUE)))
        .contains(Integer.MIN_VALUE, 0, Integer.MAX_VALUE);
    assertThat(values(Gen.integers(1, 3))).containsOnly(1, 2, 3);
    assertThat(values(Gen.integers(-7, -7))).containsOnly(-7);
    assertThat(values(Gen.doubles()))
        .contains(0.0, -0.0, Double.MAX_VALUE)
        .allMatch(Double::isFinite)
        .anyMatch(value -> value != Math.rint(value));
  }

  @Test
  void lengthsAreInTheirRangeWithItsEdges() {
    assertThat(values(Gen.bytes(3, 20)).stream().map(bytes -> bytes.length))
        .contains(3, 20)
        .allMatch(length -> 3 <= length && length <= 20);
    assertThat(values(Gen.bytes(16, 16))).allMatch(bytes -> bytes.length == 16);
    assertThat(values(Gen.texts(0, 4)))
        .contains("")
        .anyMatch(text -> text.length() == 4)
        .anyMatch(text -> text.contains("\n"))
        .anyMatch(text -> text.chars().anyMatch(c -> c > 0xff));
    assertThat(values(Gen.texts(Gen.of('a', 'b'), 1, 2)))
        .containsOnly("a", "b", "aa", "ab", "ba", "bb");
    assertThat(values(Gen.integers(0, 1).lists(0, 2)))
        .containsOnly(
            List.of(),
            List.of(0),
            List.of(1),
            List.of(0, 0),
            List.of(0, 1),
            List.of(1, 0),
            List.of(1, 1));
  }

  @Test
  void oneOrSomeAreChosen() {
    assertThat(values(Gen.oneOf(Gen.of(1, 2), Gen.of(3)))).containsOnly(1, 2, 3);
    assertThat(values(Gen.someOf(List.of("a", "b", "c"), 2)))
        .containsOnly(
            List.of(),
            List.of("a"),
            List.of("b"),
            List.of("c"),
            List.of("a", "b"),
            List.of("a", "c"),
            List.of("b", "a"),
            List.of("b", "c"),
            List.of("c", "a"),
            List.of("c", "b"));
    assertThat(values(Gen.of(1, 2).map(value -> -value))).containsOnly(-1, -2);
  }

  @Test
  void aPartIsLeftOutButNotMoreThanMayBe() {
    assertThat(Gen.texts(0, 9).smaller("abcd"))
        .containsExactly("", "cd", "ab", "bcd", "acd", "abd", "abc");
    assertThat(Gen.of(1).lists(2, 9).smaller(List.of(1, 2, 3)))
        .containsExactly(List.of(2, 3), List.of(1, 3), List.of(1, 2));
    assertThat(Gen.bytes(0, 9).smaller(new byte[] {1, 2}).toList())
        .usingRecursiveComparison()
        .isEqualTo(List.of(new byte[0], new byte[] {2}, new byte[] {1}));
    assertThat(Gen.longs(0, 9).smaller(5L)).isEmpty();
  }
}
