package dev.portolan.compare.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.compare.lines.LineDiff.Edit;
import dev.portolan.compare.lines.LineDiff.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LineDiffTest {
  @Test
  void anEditLeadsFromEveryTextToEveryOther() {
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      List<String> before = text(random);
      List<String> after = text(random);
      List<Edit> edits = LineDiff.between(before, after);
      assertThat(side(edits, Kind.COMES)).as("before, seed %d", seed).isEqualTo(before);
      assertThat(side(edits, Kind.GOES)).as("after, seed %d", seed).isEqualTo(after);
    }
  }

  @Test
  void equalTextsHaveNoDifference() {
    List<String> text = List.of("a", "b", "a");
    assertThat(UnifiedDiff.between(text, text)).isEmpty();
    assertThat(UnifiedDiff.between(List.of(), List.of())).isEmpty();
  }

  @Test
  void hunksAreAsDiffPrintsThem() {
    List<String> before = IntStream.range(1, 21).mapToObj(i -> "line " + i).toList();
    List<String> after = new ArrayList<>(before);
    after.set(4, "line five");
    after.remove(17);
    after.add("line 21");
    assertThat(UnifiedDiff.between(before, after))
        .containsExactly(
            "@@ -2,7 +2,7 @@",
            " line 2",
            " line 3",
            " line 4",
            "-line 5",
            "+line five",
            " line 6",
            " line 7",
            " line 8",
            "@@ -15,6 +15,6 @@",
            " line 15",
            " line 16",
            " line 17",
            "-line 18",
            " line 19",
            " line 20",
            "+line 21");
    assertThat(UnifiedDiff.between(List.of(), List.of("a"))).containsExactly("@@ -0,0 +1 @@", "+a");
    assertThat(UnifiedDiff.between(List.of("a", "b"), List.of()))
        .containsExactly("@@ -1,2 +0,0 @@", "-a", "-b");
  }

  @Test
  void oneLineInAHundredThousandIsOneLine() {
    List<String> before = IntStream.range(0, 100_000).mapToObj(i -> "element " + i).toList();
    List<String> after = new ArrayList<>(before);
    after.remove(50_000);
    after.add(70_000, "new");
    List<Edit> edits = LineDiff.between(before, after);
    assertThat(edits.stream().filter(edit -> edit.kind() != Kind.STAYS))
        .containsExactly(new Edit(Kind.GOES, "element 50000"), new Edit(Kind.COMES, "new"));
  }

  private static List<String> text(Random random) {
    return IntStream.range(0, random.nextInt(12))
        .mapToObj(i -> String.valueOf((char) ('a' + random.nextInt(6))))
        .toList();
  }

  private static List<String> side(List<Edit> edits, Kind without) {
    return edits.stream().filter(edit -> edit.kind() != without).map(Edit::line).toList();
  }
}
