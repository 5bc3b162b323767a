package dev.portolan.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class QuotesTest {
  @Test
  void whatIsPrintableStays() {
    assertThat(Quotes.quote("Müller's 😀 shop")).isEqualTo("'Müller's 😀 shop'");
  }

  @Test
  void whatATerminalTakesForMoreThanTextIsReplaced() {
    assertThat(Quotes.printable("a\nb\tc\u001b[31m\u0085\u2028\u202e\ud83d"))
        .isEqualTo("a\ufffdb\ufffdc\ufffd[31m\ufffd\ufffd\ufffd\ufffd");
  }

  @Test
  void aLongTextIsCut() {
    assertThat(Quotes.brief("x".repeat(81))).isEqualTo("x".repeat(80) + "… (81 characters)");
  }
}
