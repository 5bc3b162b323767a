package dev.portolan.testbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** What happens to properties that fail. */
final class TriesTest {
  private static final Pattern SEED = Pattern.compile("@Property\\(seed = (-?\\d+)L\\)");

  private static void run(String property, int tries, long seed) {
    Examples test = new Examples();
    new Tries(
            test,
            ReflectionSupport.findMethods(
                    Examples.class,
                    method -> method.getName().equals(property),
                    HierarchyTraversalMode.TOP_DOWN)
                .getFirst())
        .run(tries, seed);
  }

  /** They fail on purpose, so JUnit does not see them. */
  static final class Examples {
    void smallNumbers(@ForAll long number, @ForAll int other) {
      assertThat(number).as("%d", other).isLessThan(1L << 40);
    }

    void noSeven(@ForAll("digits") List<Integer> digits, @ForAll long other) {
      assertThat(digits).as("%d", other).doesNotContain(7);
    }

    Gen<List<Integer>> digits() {
      return Gen.integers(0, 9).lists(2, 100);
    }

    /** It spoils what it gets. */
    void noNegativeBytes(@ForAll byte[] bytes) {
      boolean negative = false;
      for (int i = 0; i < bytes.length; i++) {
        negative |= bytes[i] < 0;
        bytes[i] = 1;
      }
      assertThat(negative).isFalse();
    }

    void noQuotes(@ForAll String text) {
      assertThat(text).doesNotContain("\"");
    }

    void tooShortOrTooLong(@ForAll(min = 2, max = 100) List<Integer> numbers) {
      if (numbers.size() < 10) {
        throw new IllegalStateException("short");
      }
      assertThat(numbers).hasSizeLessThan(20);
    }

    void passesAllOver(@ForAll long number) {
      Assumptions.abort("not with " + number);
    }

    void unknownType(@ForAll Map<String, String> map) {
      assertThat(map).isNull();
    }

    void unknownMethod(@ForAll("nothing") String text) {
      assertThat(text).isNull();
    }

    void unmarked(String text) {
      assertThat(text).isNull();
    }
  }

  @Test
  void aFailureNamesTryArgumentsAndSeedAndBeginsWithThemAgain() {
    Throwable first = catchThrowable(() -> run("smallNumbers", 1000, 42));
    assertThat(first)
        .hasMessageMatching(
            "(?s)smallNumbers fails in try \\d+ of 1000 with number = \\d+, other = -?\\d+\\R"
                + "To begin with this try: @Property\\(seed = \\d+L\\)\\R.*less than.*")
        .hasCauseInstanceOf(AssertionError.class);
    Matcher seed = SEED.matcher(first.getMessage());
    assertThat(seed.find()).isTrue();
    assertThatThrownBy(() -> run("smallNumbers", 1000, Long.parseLong(seed.group(1))))
        .hasMessage(first.getMessage().replaceFirst("try \\d+ of", "try 1 of"));
  }

  @Test
  void listsArraysAndTextsAreReduced() {
    assertThatThrownBy(() -> run("noSeven", 1000, 1))
        .hasMessageMatching(
            "(?s).* with digits = \\[(7, \\d|\\d, 7)], other = -?\\d+"
                + ", reduced from digits = \\[[\\d, ]{10,}], other.*");
    assertThatThrownBy(() -> run("noNegativeBytes", 1000, 1))
        .hasMessageMatching("(?s).* with bytes = \\[-\\d+], reduced from bytes = \\[.*, .*");
    assertThatThrownBy(() -> run("noQuotes", 1000, 1))
        .hasMessageMatching("(?s).* with text = \"\\\\\"\", reduced from text = \".*");
  }

  @Test
  void whatFailsInAnotherWayIsAnotherFailure() {
    assertThat(LongStream.range(0, 100).mapToObj(TriesTest::tooLong))
        .filteredOn(failure -> failure != null && failure.getCause() instanceof AssertionError)
        .isNotEmpty()
        .allSatisfy(failure ->
            assertThat(failure)
                .hasMessageMatching("(?s).* with numbers = \\[(-?\\d+, ){19}-?\\d+].*"));
  }

  private static Throwable tooLong(long seed) {
    return catchThrowable(() -> run("tooShortOrTooLong", 1, seed));
  }

  @Test
  void notEveryTryMayBePassedOver() {
    assertThatThrownBy(() -> run("passesAllOver", 20, 1))
        .hasMessageStartingWith("passesAllOver was passed over in all 20 tries");
  }

  @Test
  void whatCannotBeGeneratedIsRefusedInWords() {
    assertThatThrownBy(() -> run("unknownType", 1, 1))
        .hasMessageContaining("java.util.Map<java.lang.String, java.lang.String>")
        .hasMessageContaining("name a method");
    assertThatThrownBy(() -> run("unknownMethod", 1, 1))
        .hasMessageEndingWith("must have a method nothing() that returns a Gen");
    assertThatThrownBy(() -> run("unmarked", 1, 1))
        .hasMessageEndingWith("must be marked with @ForAll");
  }
}
