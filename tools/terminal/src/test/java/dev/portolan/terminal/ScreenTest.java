package dev.portolan.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScreenTest {
  private static final PrintWriter NOWHERE = new PrintWriter(Writer.nullWriter());

  @ParameterizedTest
  @CsvSource({"'',100,100", "120,100,120", "x,100,100", "0,100,100", "'',0,80", "20,100,60"})
  void aTerminalIsAsWideAsItSays(String columns, int asked, int width) {
    OptionalInt answer = asked == 0 ? OptionalInt.empty() : OptionalInt.of(asked);
    Screen screen = Screen.of(true, Map.of("COLUMNS", columns), "UTF-8", () -> answer);
    assertThat(screen.width()).isEqualTo(width);
  }

  @Test
  void aPipeHasNoWidthForTablesAndIsNotAsked() {
    Screen pipe =
        Screen.of(
            false,
            Map.of("COLUMNS", "60"),
            "UTF-8",
            () -> {
              throw new AssertionError("asked");
            });
    assertThat(pipe.width()).isEqualTo(80);
    assertThat(Terminal.plain(NOWHERE, NOWHERE).tableWidth()).isEmpty();
    assertThat(Terminal.screen(NOWHERE, NOWHERE, 120).tableWidth()).hasValue(120);
  }

  @ParameterizedTest
  @CsvSource({
    "true,xterm,'',true",
    "true,dumb,'',false",
    "true,xterm,1,false",
    "false,xterm,'',false"
  })
  void coloursAreForTerminalsThatUnderstandThem(
      boolean terminal, String term, String noColor, boolean colours) {
    Map<String, String> environment = Map.of("TERM", term, "NO_COLOR", noColor);
    assertThat(Screen.of(terminal, environment, "UTF-8", OptionalInt::empty).colours())
        .isEqualTo(colours);
  }

  @Test
  void aPersonHasTheLastWordOnColours() {
    Terminal terminal = Terminal.plain(NOWHERE, NOWHERE);
    terminal.colour(ColourMode.ALWAYS);
    assertThat(terminal.paint(Paint.RED, "x")).isEqualTo("\u001b[31mx\u001b[0m");
    terminal.colour(ColourMode.AUTO);
    assertThat(terminal.paint(Paint.RED, "x")).isEqualTo("x");
    Terminal coloured = Terminal.coloured(NOWHERE, NOWHERE);
    coloured.colour(ColourMode.NEVER);
    assertThat(coloured.paint(Paint.RED, "x")).isEqualTo("x");
  }

  @ParameterizedTest
  @CsvSource({"UTF-8,false", "ANSI_X3.4-1968,true", "ISO-8859-1,true"})
  void aLocaleWithoutUnicodeGetsAscii(String encoding, boolean ascii) {
    assertThat(Screen.of(true, Map.of(), encoding, OptionalInt::empty).ascii()).isEqualTo(ascii);
  }

  @Test
  void ourOwnSignsBecomeAsciiAndNothingElse() throws IOException {
    StringWriter out = new StringWriter();
    try (AsciiWriter writer = new AsciiWriter(out)) {
      writer.write("a → b … ✓ é");
      writer.write('✗');
      writer.write("xx├─yy".toCharArray(), 2, 2);
    }
    assertThat(out).hasToString("a -> b ... ok éFAILED+-");
  }
}
