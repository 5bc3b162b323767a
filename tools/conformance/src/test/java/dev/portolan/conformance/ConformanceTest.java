package dev.portolan.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.conformance.HandMade.Flaw;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit lets right backends pass, and finds what is wrong with others. */
class ConformanceTest {
  private static final Sizes SIZES = Sizes.SMALL;

  /** A busy machine needs some of it for what comes before. */
  private static final Sizes HASTY = SIZES.withPatience(Duration.ofSeconds(4));

  @TestFactory
  Stream<DynamicTest> aRightBackendPassesInProcess() {
    return tests(Conformance.of(Memory::new, Memory::held).with(SIZES).inProcess());
  }

  @TestFactory
  Stream<DynamicTest> aRightBackendPassesOverTheApi() {
    return tests(Conformance.of(Memory::new, Memory::held).with(SIZES).overTheApi());
  }

  @TestFactory
  Stream<DynamicTest> aRightClientWithoutTheLibraryPasses() {
    return tests(Conformance.of(new HandMade(false)).with(SIZES).overTheApi());
  }

  @TestFactory
  Stream<DynamicTest> aClientOfKpngPasses() {
    return tests(Conformance.of(new HandMade(true)).with(SIZES).overTheApi());
  }

  private static Stream<DynamicTest> tests(List<Exercise> exercises) {
    return exercises.stream()
        .map(exercise -> DynamicTest.dynamicTest(exercise.name(), exercise::check));
  }

  @ParameterizedTest
  @MethodSource
  void aBrokenBackendIsFound(Supplier<Memory> backends, String exercise, String why) {
    Conformance conformance = Conformance.of(backends, Memory::held).with(SIZES);
    assertThat(failure(conformance.inProcess(), exercise)).get().asString().contains(why);
  }

  static Stream<Arguments> aBrokenBackendIsFound() {
    return Stream.of(
        Arguments.of(made(Memory.ForgetsDeletes::new), "first-state", "are too many"),
        Arguments.of(
            made(Memory.ForgetsDeletes::new),
            "many-services",
            "this line is too many: crowd/service-250:http"),
        Arguments.of(made(Memory.AppliesHalf::new), "first-state", "lines are missing"),
        Arguments.of(
            made(Memory.KeepsLeftovers::new),
            "server-restart-other-state",
            "10 lines are too many"),
        Arguments.of(made(Memory.AnswersTooEarly::new), "first-state", "after it acknowledged"),
        Arguments.of(made(Memory.IgnoresLocal::new), "first-state", "too many, first: lab/"),
        Arguments.of(made(Memory.Crashes::new), "churn", "it cannot remove"));
  }

  @ParameterizedTest
  @MethodSource
  void aBrokenBackendIsFoundOverTheApi(Supplier<Memory> backends, String exercise, String why) {
    Conformance conformance = Conformance.of(backends, Memory::held).with(SIZES);
    assertThat(failure(conformance.overTheApi(), exercise)).get().asString().contains(why);
  }

  static Stream<Arguments> aBrokenBackendIsFoundOverTheApi() {
    return Stream.of(
        Arguments.of(made(Memory.ForgetsDeletes::new), "cut-in-change", "10 lines are too many"),
        Arguments.of(made(Memory.AppliesHalf::new), "late-server", "lines are missing"),
        Arguments.of(made(Memory.AnswersTooEarly::new), "churn", "after it acknowledged"),
        Arguments.of(made(Memory.IgnoresLocal::new), "late-server", "too many, first: lab/"),
        Arguments.of(made(Memory.Crashes::new), "bursts", "it cannot remove"));
  }

  private static Supplier<Memory> made(Supplier<Memory> backends) {
    return backends;
  }

  @ParameterizedTest
  @MethodSource
  void aBrokenClientIsFound(Flaw flaw, String exercise, String why) {
    Conformance conformance = Conformance.of(new HandMade(false, flaw)).with(SIZES);
    assertThat(failure(conformance.overTheApi(), exercise)).get().asString().contains(why);
  }

  static Stream<Arguments> aBrokenClientIsFound() {
    return Stream.of(
        Arguments.of(Flaw.RESET_EMPTIES, "reset-in-stream", "when a Reset and half of the state"),
        Arguments.of(Flaw.APPLIES_WITHOUT_SYNC, "cut-in-change", "when half of a change"),
        Arguments.of(
            Flaw.ACKNOWLEDGES_WITHOUT_SYNC, "cut-in-change", "acknowledged revision 2 before"),
        Arguments.of(Flaw.GOES_BACK, "churn", "acknowledged revision 1 after revision 3"),
        Arguments.of(Flaw.KEEPS_WHAT_A_RESET_VOIDS, "server-restart-other-state", "are too many"),
        Arguments.of(Flaw.GIVES_UP, "server-restart", "it ended: it gave up"),
        Arguments.of(
            Flaw.ASKS_FOR_ANOTHER_NODE, "empty-cluster", "asked for node 'worker-2' and not"));
  }

  @Test
  void whatNeverComesIsNotWaitedForForEver() {
    Conformance refusing = Conformance.of(Memory.Refuses::new).with(HASTY);
    assertThat(failure(refusing.inProcess(), "many-services"))
        .contains("within 4 s it did not return from its sync; it failed: the table is full");
    assertThat(failure(refusing.overTheApi(), "many-services"))
        .contains(
            "within 4 s it acknowledged revision 1 and not 2; it reported: the table is full");
    Conformance silent = Conformance.of(new HandMade(false, Flaw.NEVER_ACKNOWLEDGES)).with(HASTY);
    assertThat(failure(silent.overTheApi(), "empty-cluster"))
        .contains("within 4 s it acknowledged nothing");
  }

  private static Optional<String> failure(List<Exercise> exercises, String name) {
    return exercises.stream()
        .filter(exercise -> exercise.name().equals(name))
        .findFirst()
        .orElseThrow()
        .run(words -> {})
        .failure();
  }

  @Test
  void namesAreNotUsedTwice() {
    Map<String, String> purposes = new TreeMap<>();
    for (Exercise exercise : Conformance.of(new HandMade(false)).overTheApi()) {
      assertThat(purposes.put(exercise.name(), exercise.purpose())).isNull();
    }
    assertThat(purposes).hasSizeGreaterThan(10);
  }
}
