package dev.portolan.core.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BufferedDiffStoreTest {
  private final BufferedDiffStore<String> store = new BufferedDiffStore<>();

  @Test
  void textsAreWrittenPieceByPieceAndCompared() {
    store.get("a").append("one ").append(1);
    store.get("b").append("x");
    store.get("a").append('!');
    store.done();
    assertThat(store.changed()).containsExactly(Map.entry("a", "one 1!"), Map.entry("b", "x"));

    store.reset();
    assertThat(store.has("a")).isFalse();
    store.get("a").append("one 1!");
    store.get("c");
    store.done();
    assertThat(store.created()).containsExactly(Map.entry("c", ""));
    assertThat(store.updated()).isEmpty();
    assertThat(store.deleted()).containsExactly(Map.entry("b", "x"));
    assertThat(store.hasChanges()).isTrue();
    assertThat(store.values()).containsOnlyKeys("a", "c");

    store.reset();
    store.get("a").append("two");
    store.get("c");
    store.done();
    assertThat(store.updated()).containsExactly(Map.entry("a", "two"));
    assertThat(store.deleted()).isEmpty();
  }

  @Test
  void aDoneWaveIsNotWritten() {
    store.get("a");
    assertThatThrownBy(store::changed).hasMessageContaining("done() has not been called");
    store.done();
    assertThatThrownBy(() -> store.get("a")).hasMessageContaining("reset() starts the next");
  }

  @Test
  void anUnfinishedWaveIsForgotten() {
    store.get("a").append("1");
    store.done();
    store.reset();
    store.get("b");
    store.reset();
    store.get("a").append("1");
    store.done();
    assertThat(store.hasChanges()).isFalse();
  }
}
