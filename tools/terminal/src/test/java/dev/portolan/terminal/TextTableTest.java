package dev.portolan.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class TextTableTest {
  private static final PrintWriter NOWHERE = new PrintWriter(Writer.nullWriter());
  private final Terminal plain = Terminal.plain(NOWHERE, NOWHERE);
  private final Terminal coloured = Terminal.coloured(NOWHERE, NOWHERE);

  @Test
  void alignsColumnsAndLeavesNoBlanksAtTheEnd() {
    TextTable table = new TextTable(column("A", Fit.NEVER_CUT), column("B", Fit.NEVER_CUT));
    table.row("long name", "x");
    table.row("y", "");
    assertThat(table.withTitles(OptionalInt.empty(), plain))
        .containsExactly("A          B", "long name  x", "y");
  }

  @Test
  void cutsTheFirstColumnFirst() {
    TextTable table = new TextTable(column("A", Fit.CUT_MIDDLE), column("B", Fit.CUT_END));
    table.row("abcdefghij", "0123456789");
    assertThat(table.withoutTitles(OptionalInt.of(19), plain))
        .containsExactly("abc…hij  0123456789");
    assertThat(table.withoutTitles(OptionalInt.of(14), plain)).containsExactly("ab…j  0123456…");
  }

  @Test
  void wrapsAndAlignsRight() {
    TextTable table = new TextTable(column("", Fit.ALIGN_RIGHT), column("", Fit.WRAP));
    table.row("5 %", "one two three");
    table.row("100 %", "four");
    assertThat(table.withoutTitles(OptionalInt.of(14), plain))
        .containsExactly("  5 %  one two", "       three", "100 %  four");
  }

  @Test
  void coloursDoNotMoveColumns() {
    TextTable table = new TextTable(column("A", Fit.NEVER_CUT), column("B", Fit.NEVER_CUT));
    table.row(new Cell("red", Paint.RED), Cell.of("x"));
    assertThat(table.withoutTitles(OptionalInt.of(80), coloured))
        .containsExactly("\u001b[31mred\u001b[0m  x");
    assertThat(table.withoutTitles(OptionalInt.of(80), plain)).containsExactly("red  x");
  }

  @Test
  void nothingInACellReachesTheTerminal() {
    TextTable table = new TextTable(column("A", Fit.NEVER_CUT));
    table.row("a\u001b[2Jb\nc");
    assertThat(table.withoutTitles(OptionalInt.of(80), plain))
        .containsExactly("a\ufffd[2Jb\ufffdc");
  }

  private static Column column(String title, Fit fit) {
    return new Column(title, fit, 4);
  }
}
