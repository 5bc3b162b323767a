package dev.portolan.brain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Claim.Claimant;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServiceAddress.Kind;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ClaimsTest {
  private static final Claim CLAIM = new Claim(Ip.of("192.0.2.1"), Protocol.TCP, 80);

  private final Claims claims = new Claims();

  private static Claimant claimant(int age) {
    return new Claimant(
        Kind.EXTERNAL_IP, Instant.ofEpochSecond(-age), new NamespacedName("shop", "s" + age));
  }

  @Test
  void theFirstInOrderHoldsThePlaceWhateverHappenedBefore() {
    Random random = new Random(1);
    TreeSet<Claimant> all = new TreeSet<>();
    for (int i = 0; i < 10_000; i++) {
      Claimant one = claimant(random.nextInt(20));
      Claimant before = claims.holder(CLAIM);
      Set<Claim> moved = new HashSet<>();
      if (all.contains(one)) {
        all.remove(one);
        claims.remove(CLAIM, one, moved);
      } else {
        all.add(one);
        claims.add(CLAIM, one, moved);
      }
      Claimant holder = claims.holder(CLAIM);
      assertThat(holder).isEqualTo(all.isEmpty() ? null : all.first());
      assertThat(moved.contains(CLAIM))
          .isEqualTo(before != null && holder != null && !holder.equals(before));
      Set<NamespacedName> services = new HashSet<>();
      claims.collect(CLAIM, services);
      assertThat(services)
          .containsExactlyInAnyOrderElementsOf(all.stream().map(Claimant::service).toList());
    }
  }

  /** Each of them takes the place over, and no other service is read again for it. */
  @Test
  void aPlaceThatMovesManyTimesIsReportedOnce() {
    Set<Claim> moved = new HashSet<>();
    for (int age = 0; age < 100_000; age++) {
      claims.add(CLAIM, claimant(age), moved);
    }
    assertThat(moved).isEqualTo(Set.copyOf(List.of(CLAIM)));
    assertThat(claims.holder(CLAIM)).isEqualTo(claimant(99_999));
  }
}
