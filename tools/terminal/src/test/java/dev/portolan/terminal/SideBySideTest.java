package dev.portolan.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two texts beside each other: what is equal stands in one line. */
final class SideBySideTest {
  /** In sixty columns, of which each text has 28. */
  private static List<String> lines(List<String> before, List<String> after) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return SideBySide.of(before, after).lines(Terminal.screen(nowhere, nowhere, 60)).stream()
        .map(line -> line.replaceAll("\u001b\\[[0-9;]*m", "").stripTrailing())
        .toList();
  }

  private static String row(String before, String mark, String after) {
    return "%-28s %s %s".formatted(before, mark, after).stripTrailing();
  }

  @Test
  void eachDifferenceHasItsSign() {
    assertThat(
            lines(
                List.of("same", "gone", "kept", "old", "end"),
                List.of("same", "kept", "new", "more", "end")))
        .containsExactly(
            row("same", " ", "same"),
            row("gone", "<", ""),
            row("kept", " ", "kept"),
            row("old", "|", "new"),
            row("", ">", "more"),
            row("end", " ", "end"));
  }

  @Test
  void aLineThatIsTooLongGoesOnBelow() {
    assertThat(lines(List.of("x".repeat(28) + "yz"), List.of("abc")))
        .containsExactly(row("x".repeat(28), "|", "abc"), row("yz", "|", ""));
  }

  @Test
  void anEmptyTextIsAllNew() {
    assertThat(lines(List.of(), List.of("a", "")))
        .containsExactly(row("", ">", "a"), row("", ">", ""));
  }

  @Test
  void ofVeryLongTextsTheEqualEndsAreFound() {
    List<String> before = IntStream.range(0, 3000).mapToObj(i -> "b" + i).toList();
    List<String> after = IntStream.range(0, 3000).mapToObj(i -> "a" + i).toList();
    List<String> first = new ArrayList<>(List.of("top"));
    first.addAll(before);
    first.add("end");
    List<String> second = new ArrayList<>(List.of("top"));
    second.addAll(after);
    second.add("end");
    List<String> lines = lines(first, second);
    assertThat(lines)
        .hasSize(3002)
        .startsWith(row("top", " ", "top"), row("b0", "|", "a0"))
        .endsWith(row("end", " ", "end"));
  }
}
