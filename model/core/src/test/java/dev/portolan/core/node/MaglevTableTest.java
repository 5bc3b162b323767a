package dev.portolan.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.portolan.core.net.Ip;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MaglevTableTest {
  private static final Balancing MAGLEV = Balancing.of(Balancing.Kind.MAGLEV);

  private static List<Endpoint> endpoints(int count, long seed) {
    Random random = new Random(seed);
    TreeSet<Endpoint> endpoints = new TreeSet<>();
    while (endpoints.size() < count) {
      endpoints.add(new Endpoint(Ip.v4(0x0af40000 + random.nextInt(1 << 16)), 8080, ""));
    }
    return List.copyOf(endpoints);
  }

  private static List<Endpoint> without(List<Endpoint> endpoints, int index) {
    List<Endpoint> rest = new ArrayList<>(endpoints);
    rest.remove(index);
    return rest;
  }

  @Test
  void everyNodeHasThisTable() {
    // Worked out apart from this program; a change here moves the clients of all clusters.
    List<Endpoint> table = MaglevTable.of(numbered(3), MAGLEV);

    assertThat(table).hasSize(251);
    assertThat(IntStream.range(0, 24).mapToObj(i -> table.get(i).address().toString().substring(9)))
        .containsExactly(FIRST_SLOTS);
  }

  private static final String[] FIRST_SLOTS = {
    "2", "2", "1", "3", "2", "3", "1", "3", "2", "3", "1", "3", "1", "3", "2", "2", "3", "2", "2",
    "1", "3", "2", "2", "2"
  };

  private static List<Endpoint> numbered(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> new Endpoint(Ip.of("10.244.1." + i), 8080, ""))
        .toList();
  }

  @Test
  void theNodeOfAnEndpointDoesNotMatter() {
    List<Endpoint> elsewhere =
        numbered(5).stream().map(e -> new Endpoint(e.address(), e.port(), "n1")).toList();

    assertThat(MaglevTable.of(elsewhere, MAGLEV).stream().map(Endpoint::toString).toList())
        .isEqualTo(MaglevTable.of(numbered(5), MAGLEV).stream().map(Endpoint::toString).toList());
  }

  @Test
  void theSizeFollowsFromTheEndpoints() {
    assertThat(MaglevTable.of(List.of(), MAGLEV)).isEmpty();
    assertThat(MaglevTable.of(numbered(1), MAGLEV)).hasSize(251);
    assertThat(MaglevTable.of(numbered(10), MAGLEV)).hasSize(251);
    assertThat(MaglevTable.of(numbered(11), MAGLEV)).hasSize(1_021);
    assertThat(MaglevTable.of(numbered(41), MAGLEV)).hasSize(4_093);
    assertThat(MaglevTable.of(endpoints(2_000, 1), MAGLEV)).hasSize(16_381);
  }

  @Property(tries = 60)
  void theSlotsFollowTheWeights(
      @ForAll(min = 2, max = 40) int count,
      @ForAll(min = 1, max = 6) int heaviest,
      @ForAll long seed) {
    Random random = new Random(seed);
    List<Endpoint> endpoints = endpoints(count, seed);
    Map<Endpoint, Integer> weights = new HashMap<>();
    endpoints.forEach(endpoint -> weights.put(endpoint, 1 + random.nextInt(heaviest)));
    Balancing balancing = Balancing.of(Balancing.Kind.MAGLEV, weights);
    List<Endpoint> table = MaglevTable.of(endpoints, balancing);
    int turns = balancing.turns(endpoints).size();

    for (Endpoint endpoint : endpoints) {
      double ideal =
          (double) table.size()
              * Collections.frequency(balancing.turns(endpoints), endpoint)
              / turns;
      assertThat((double) Collections.frequency(table, endpoint)).isCloseTo(ideal, within(2.0));
    }
  }

  @Property(tries = 60)
  void fewSlotsMoveThatAGoneEndpointDidNotHave(
      @ForAll(min = 3, max = 40) int count, @ForAll long seed) {
    List<Endpoint> endpoints = endpoints(count, seed);
    List<Endpoint> before = MaglevTable.of(endpoints, MAGLEV);
    assumeTrue(MaglevTable.of(without(endpoints, 0), MAGLEV).size() == before.size());
    double moved = 0;
    for (int gone = 0; gone < count; gone++) {
      List<Endpoint> after = MaglevTable.of(without(endpoints, gone), MAGLEV);
      assertThat(after).doesNotContain(endpoints.get(gone));
      for (int i = 0; i < before.size(); i++) {
        moved += before.get(i).equals(after.get(i)) ? 0 : 1;
      }
    }

    double ideal = 1.0 / count;
    assertThat(moved / count / before.size()).isBetween(ideal - 1e-9, ideal + 0.09);
  }

  @Test
  void turnsAreWeightsWithoutWhatTheyHaveInCommon() {
    List<Endpoint> three = numbered(3);
    Balancing balancing =
        Balancing.of(
            Balancing.Kind.RANDOM, Map.of(three.get(0), 60, three.get(1), 20, three.get(2), 40));

    assertThat(balancing.turns(three))
        .containsExactly(
            three.get(0), three.get(0), three.get(0), three.get(1), three.get(2), three.get(2));
    assertThat(balancing.turns(three.subList(0, 1))).hasSize(1);
    assertThat(Balancing.RANDOM.turns(three)).isSameAs(three);
  }

  @Test
  void manyTurnsAreScaledDownAndNobodyIsLeftOut() {
    List<Endpoint> twenty = numbered(20);
    Map<Endpoint, Integer> weights = new HashMap<>();
    twenty.subList(1, 20).forEach(endpoint -> weights.put(endpoint, 100));
    Balancing balancing = Balancing.of(Balancing.Kind.MAGLEV, weights);

    assertThat(balancing.turns(twenty)).hasSizeBetween(90, 110).contains(twenty.getFirst());
    assertThat(MaglevTable.of(twenty, balancing)).contains(twenty.getFirst());
  }

  @Test
  void aWeightOfOneIsNoWeight() {
    Endpoint endpoint = numbered(1).getFirst();

    assertThat(Balancing.of(Balancing.Kind.RANDOM, Map.of(endpoint, 1))).isSameAs(Balancing.RANDOM);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Balancing.of(Balancing.Kind.RANDOM, Map.of(endpoint, 101)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Balancing.of(Balancing.Kind.RANDOM, Map.of(endpoint, 0)));
  }
}
