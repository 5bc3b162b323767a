package dev.portolan.core.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Gen;
import dev.portolan.testbase.Property;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PersistentMapTest {
  /** Even values write, odd ones remove; the key is what is left. */
  private static PersistentMap<Integer, String> play(
      PersistentMap<Integer, String> map, Map<Integer, String> model, List<Integer> operations) {
    PersistentMap<Integer, String> result = map;
    for (int operation : operations) {
      int key = operation / 8;
      if (operation % 2 == 0) {
        model.put(key, "v" + operation % 8);
        result = result.with(key, "v" + operation % 8);
      } else {
        model.remove(key);
        result = result.without(key);
      }
    }
    return result;
  }

  private static Map<Integer, String> contents(PersistentMap<Integer, String> map) {
    Map<Integer, String> contents = new LinkedHashMap<>();
    map.forEach(contents::put);
    return contents;
  }

  Gen<List<Integer>> operations() {
    return Gen.integers(0, 400).lists(0, 200);
  }

  Gen<List<Integer>> keys() {
    return Gen.integers(0, 400).lists(0, 100);
  }

  @Property
  void behavesLikeASortedMap(@ForAll("operations") List<Integer> operations) {
    Map<Integer, String> model = new TreeMap<>();
    PersistentMap<Integer, String> map = play(PersistentMap.empty(), model, operations);
    assertThat(contents(map)).containsExactlyEntriesOf(model);
    assertThat(map.size()).isEqualTo(model.size());
    assertThat(map.isEmpty()).isEqualTo(model.isEmpty());
    for (int key = 0; key <= 50; key++) {
      assertThat(map.get(key)).isEqualTo(model.get(key));
      assertThat(map.containsKey(key)).isEqualTo(model.containsKey(key));
    }
  }

  @Property
  void differencesLeadFromOneVersionToAnother(
      @ForAll("keys") List<Integer> first, @ForAll("keys") List<Integer> second) {
    Map<Integer, String> model = new TreeMap<>();
    PersistentMap<Integer, String> older = play(PersistentMap.empty(), model, first);
    Map<Integer, String> patched = contents(older);
    PersistentMap<Integer, String> newer = play(older, model, second);
    List<Integer> visited = new ArrayList<>();
    older.diff(
        newer,
        (key, before, after) -> {
          visited.add(key);
          assertThat(before).isEqualTo(older.get(key));
          assertThat(after).isEqualTo(newer.get(key)).isNotEqualTo(before);
          if (after == null) {
            patched.remove(key);
          } else {
            patched.put(key, after);
          }
        });
    assertThat(patched).isEqualTo(contents(newer));
    assertThat(visited).isSorted().doesNotHaveDuplicates();
  }

  @Property
  void orderOfInsertionLeavesNoTrace(@ForAll("keys") List<Integer> keys, @ForAll long seed) {
    PersistentMap<Integer, String> map = PersistentMap.empty();
    for (int key : keys) {
      map = map.with(key, "x");
    }
    List<Integer> shuffled = new ArrayList<>(keys);
    Collections.shuffle(shuffled, new Random(seed));
    PersistentMap<Integer, String> other = PersistentMap.empty();
    for (int key : shuffled) {
      other = other.with(key, "x");
    }
    assertThat(other).isEqualTo(map).hasSameHashCodeAs(map).hasToString(map.toString());
  }

  @Property
  void manyChangesAtOnceDoWhatTheyDoOneAfterTheOther(
      @ForAll("keys") List<Integer> first, @ForAll("keys") List<Integer> second) {
    Map<Integer, String> model = new TreeMap<>();
    PersistentMap<Integer, String> map = play(PersistentMap.empty(), model, first);
    Map<Integer, Optional<String>> changes = new LinkedHashMap<>();
    for (int operation : second) {
      changes.put(
          operation / 8, operation % 2 == 0 ? Optional.of("v" + operation % 8) : Optional.empty());
    }
    PersistentMap<Integer, String> expected = play(map, model, second);
    PersistentMap<Integer, String> edited = map.edited(changes);
    assertThat(edited).isEqualTo(expected).hasToString(expected.toString());
    assertThat(edited.isIdenticalTo(map)).isEqualTo(expected.equals(map));
    assertThat(edited.edited(changes).isIdenticalTo(edited)).isTrue();
  }

  @Test
  void writingAnEqualValueOrRemovingNothingIsTheSameVersion() {
    PersistentMap<String, String> map =
        PersistentMap.<String, String>empty().with("a", "1").with("b", "2");
    assertThat(map.with("a", new String("1")).isIdenticalTo(map)).isTrue();
    assertThat(map.without("c").isIdenticalTo(map)).isTrue();
    assertThat(map.with("a", "2").isIdenticalTo(map)).isFalse();
    assertThat(map).hasToString("{a=1, b=2}");
  }

  @Test
  void comparingVersionsOfALargeMapLooksOnlyAtWhatDiffers() {
    PersistentMap<Counted, String> map = PersistentMap.empty();
    for (int i = 0; i < 20_000; i++) {
      map = map.with(new Counted(i), "v");
    }
    PersistentMap<Counted, String> changed =
        map.with(new Counted(777), "w").without(new Counted(4242)).with(new Counted(50_000), "v");
    Counted.comparisons = 0;
    List<Integer> found = new ArrayList<>();
    map.diff(changed, (key, before, after) -> found.add(key.number));
    assertThat(found).containsExactly(777, 4242, 50_000);
    assertThat(Counted.comparisons).isLessThan(1000);
  }

  private static final class Counted implements Comparable<Counted> {
    static int comparisons;
    final int number;

    Counted(int number) {
      this.number = number;
    }

    @Override
    public int compareTo(Counted other) {
      comparisons++;
      return Integer.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Counted counted && counted.number == number;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }
}
