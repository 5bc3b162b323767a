package dev.portolan.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Xxh64Test {
  @ParameterizedTest
  @CsvSource({
    "'', ef46db3751d8e999",
    "a, d24ec4f1a98c6e5b",
    "abc, 44bc2cf5ad770999",
    "asdf, 415872f599cea71e",
    "Call me Ishmael. Some years ago--never mind how long precisely-, 2a2e85470d6fd96",
  })
  void hashesAsPublished(String text, String hash) {
    assertThat(Long.toHexString(Xxh64.of(text.getBytes(UTF_8)))).isEqualTo(hash);
  }
}
