package dev.portolan.timemachine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AlignedBlocksTest {
  private static final List<String> BEFORE =
      List.of("table ip t {", "\tcomment", "", "\tset a {", "\t}", "", "\tset b {", "\t}", "}");

  @Test
  void blocks_that_moved_are_put_back_and_new_ones_stay_behind_their_neighbour() {
    assertThat(
            AlignedBlocks.of(
                BEFORE,
                List.of(
                    "table ip t {",
                    "\tcomment",
                    "",
                    "\tset b {",
                    "\t\tx",
                    "\t}",
                    "",
                    "\tset new {",
                    "\t}",
                    "",
                    "\tset a {",
                    "\t}",
                    "}")))
        .containsExactly(
            "table ip t {",
            "\tcomment",
            "",
            "\tset a {",
            "\t}",
            "",
            "\tset b {",
            "\t\tx",
            "\t}",
            "",
            "\tset new {",
            "\t}",
            "}");
  }

  @Test
  void other_texts_are_left_alone() {
    List<String> rules = List.of("*nat", "-A x", "", "COMMIT");
    assertThat(AlignedBlocks.of(BEFORE, rules)).isEqualTo(rules);
    assertThat(AlignedBlocks.of(BEFORE, BEFORE)).isEqualTo(BEFORE);
  }
}
