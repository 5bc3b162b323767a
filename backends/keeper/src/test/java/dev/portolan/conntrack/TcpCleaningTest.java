package dev.portolan.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TcpCleaningTest {
  @Test
  void wordsAndTheFormerSpellingAreRead() {
    for (TcpCleaning cleaning : TcpCleaning.values()) {
      assertThat(TcpCleaning.parse(cleaning.toString())).contains(cleaning);
    }
    assertThat(TcpCleaning.parse("true")).contains(TcpCleaning.ALL);
    assertThat(TcpCleaning.parse("false")).contains(TcpCleaning.NEVER);
    assertThat(TcpCleaning.parse("sometimes")).isEmpty();
  }
}
