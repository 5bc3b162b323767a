package dev.portolan.core.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Gen;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DiffStoreTest {
  private final DiffStore<String, String> store = new DiffStore<>();

  private void wave(Map<String, String> values) {
    store.reset();
    values.forEach(store::put);
    store.done();
  }

  @Test
  void everythingIsCreatedInTheFirstWave() {
    wave(Map.of("b", "2", "a", "1"));
    assertThat(store.created()).containsExactly(Map.entry("a", "1"), Map.entry("b", "2"));
    assertThat(store.updated()).isEmpty();
    assertThat(store.deleted()).isEmpty();
    assertThat(store.hasChanges()).isTrue();
  }

  @Test
  void laterWavesShowWhatIsDifferent() {
    wave(Map.of("a", "1", "b", "2", "c", "3"));
    wave(Map.of("a", "1", "b", "two", "d", "4"));
    assertThat(store.created()).containsExactly(Map.entry("d", "4"));
    assertThat(store.updated()).containsExactly(Map.entry("b", "two"));
    assertThat(store.changed()).containsExactly(Map.entry("b", "two"), Map.entry("d", "4"));
    assertThat(store.deleted()).containsExactly(Map.entry("c", "3"));
  }

  @Test
  void aDeletionAloneIsAChange() {
    wave(Map.of("a", "1", "b", "2"));
    wave(Map.of("a", "1"));
    assertThat(store.hasChanges()).isTrue();
    wave(Map.of("a", "1"));
    assertThat(store.hasChanges()).isFalse();
  }

  @Test
  void anUnfinishedWaveIsForgotten() {
    wave(Map.of("a", "1"));
    store.reset();
    store.put("b", "2");
    store.reset();
    store.put("a", "1");
    store.done();
    assertThat(store.hasChanges()).isFalse();
  }

  @Test
  void differencesNeedAFinishedWaveAndWritingAnOpenOne() {
    store.put("a", "1");
    assertThatThrownBy(store::changed).hasMessageContaining("done() has not been called");
    store.done();
    assertThatThrownBy(() -> store.put("b", "2")).hasMessageContaining("reset() starts the next");
  }

  @Test
  void askingForAValueCreatesIt() {
    DiffStore<String, Set<Integer>> sets = new DiffStore<>(TreeSet::new);
    sets.get("a").add(1);
    sets.get("a").add(2);
    sets.get("b").add(3);
    sets.done();
    assertThat(sets.created())
        .containsExactly(Map.entry("a", Set.of(1, 2)), Map.entry("b", Set.of(3)));
    sets.reset();
    assertThat(sets.has("a")).isFalse();
    sets.get("a").addAll(Set.of(2, 1));
    assertThat(sets.has("a")).isTrue();
    sets.get("c");
    sets.done();
    assertThat(sets.updated()).isEmpty();
    assertThat(sets.created()).as("an empty value is a value").containsOnlyKeys("c");
    assertThat(sets.deleted()).containsExactly(Map.entry("b", Set.of(3)));
    assertThatThrownBy(() -> sets.get("d")).hasMessageContaining("reset() starts the next");
    assertThatThrownBy(() -> store.get("d")).hasMessageContaining("no value under 'd'");
  }

  Gen<List<Map<Integer, Integer>>> waves() {
    Gen<List<Integer>> keys = Gen.integers(0, 9).lists(0, 12);
    Gen<Integer> values = Gen.integers(0, 2);
    Gen<Map<Integer, Integer>> wave =
        random -> {
          Map<Integer, Integer> map = new TreeMap<>();
          keys.next(random).forEach(key -> map.put(key, values.next(random)));
          return map;
        };
    return wave.lists(0, 6);
  }

  @Property
  void differencesLeadFromWaveToWave(@ForAll("waves") List<Map<Integer, Integer>> waves) {
    DiffStore<Integer, Integer> diffs = new DiffStore<>();
    Map<Integer, Integer> mirror = new TreeMap<>();
    for (Map<Integer, Integer> values : waves) {
      diffs.reset();
      values.forEach(diffs::put);
      diffs.done();
      diffs.deleted().keySet().forEach(mirror::remove);
      mirror.putAll(diffs.changed());
      assertThat(mirror).isEqualTo(values);
      assertThat(diffs.values()).isEqualTo(values);
    }
  }
}
