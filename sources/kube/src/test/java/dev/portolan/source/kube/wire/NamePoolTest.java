package dev.portolan.source.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NamePoolTest {
  private final NamePool pool = new NamePool();

  private String text(String text) {
    byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
    return pool.text(bytes, 1, bytes.length - 1);
  }

  @Test
  void theSameBytesAreTheSameText() {
    assertThat(text("node-1")).isEqualTo("node-1").isSameAs(text("node-1"));
    assertThat(text("")).isEmpty();
    assertThat(text("größe")).isEqualTo("größe");
  }

  @Test
  void itNeverMixesUpTexts() {
    for (int i = 0; i < 100_000; i++) {
      assertThat(text("node-" + i)).isEqualTo("node-" + i);
    }
  }

  @Test
  void aThousandNamesFit() {
    Set<String> different = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 3000; i++) {
      different.add(text("node-" + i % 1000));
    }
    assertThat(different.size()).isBetween(1000, 1050);
  }
}
