package dev.portolan.testbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;

/** What JUnit makes of properties. */
final class PropertyTest {
  private static final List<Long> SEEN = new ArrayList<>();

  private int calls;

  @Property(tries = 50)
  void isTriedAsOftenAsItSaysEachTimeInAnotherInstance(@ForAll long value) {
    SEEN.add(value);
    assertThat(++calls).isEqualTo(1);
  }

  @AfterAll
  static void assertTries() {
    assertThat(SEEN).hasSize(50);
  }

  @Property(tries = 1, seed = 7)
  void beginsWithItsSeed(@ForAll long value) {
    SplittableRandom random = new SplittableRandom(7);
    assertThat(value).isEqualTo(Gen.longs(Long.MIN_VALUE, Long.MAX_VALUE).next(random));
  }

  @Property
  void everyTypeHasItsValues(
      @ForAll int any,
      @ForAll(min = -2, max = 3) int few,
      @ForAll(min = 1) Long positive,
      @ForAll double number,
      @ForAll(max = 7) String text,
      @ForAll(min = 16, max = 16) byte[] bytes,
      @ForAll(min = 1, max = 5) List<Integer> list,
      @ForAll("words") List<String> words) {
    assertThat(any).isBetween(Integer.MIN_VALUE, Integer.MAX_VALUE);
    assertThat(few).isBetween(-2, 3);
    assertThat(positive).isPositive();
    assertThat(number).isFinite();
    assertThat(text).hasSizeLessThanOrEqualTo(7);
    assertThat(bytes).hasSize(16);
    assertThat(list).hasSizeBetween(1, 5).doesNotContainNull();
    assertThat(words).hasSizeLessThanOrEqualTo(3).isSubsetOf("one", "two");
  }

  Gen<List<String>> words() {
    return Gen.of("one", "two").lists(0, 3);
  }

  @Property
  void triesMayBePassedOver(@ForAll int number) {
    Assumptions.assumeTrue(number % 2 == 0);
    assertThat(number & 1).isZero();
  }
}
