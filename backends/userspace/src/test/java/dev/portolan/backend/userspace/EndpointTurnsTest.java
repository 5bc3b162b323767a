package dev.portolan.backend.userspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Pool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who gets the next connection. */
final class EndpointTurnsTest {
  private static final Ip CLIENT = Ip.of("10.0.0.1");
  private static final Ip OTHER = Ip.of("10.0.0.2");
  private static final Endpoint A = new Endpoint(Ip.of("10.244.0.1"), 80, "");
  private static final Endpoint B = new Endpoint(Ip.of("10.244.0.2"), 80, "");
  private static final Endpoint C = new Endpoint(Ip.of("10.244.0.3"), 80, "");

  private final AtomicLong now = new AtomicLong();

  private EndpointTurns turns(Shop.Web web) {
    return new EndpointTurns(web.port(), now::get);
  }

  private static Endpoint next(EndpointTurns turns, Ip client, Endpoint... failed) {
    return turns.next(Pool.CLUSTER, client, 4_000, List.of(failed)).orElseThrow();
  }

  @Test
  void endpointsTakeTurnsAndStartAgainWhenTheyChange() {
    EndpointTurns turns = turns(Shop.web(A, B, C));
    assertThat(List.of(next(turns, CLIENT), next(turns, OTHER), next(turns, CLIENT)))
        .containsExactly(A, B, C);
    assertThat(next(turns, CLIENT)).isEqualTo(A);
    turns.update(Shop.web(A, B, C).port());
    assertThat(next(turns, CLIENT)).as("the same endpoints as before").isEqualTo(B);
    turns.update(Shop.web(A, C).port());
    assertThat(next(turns, CLIENT)).isEqualTo(A);
    assertThat(next(turns, CLIENT)).isEqualTo(C);
  }

  @Test
  void weightsAreTurns() {
    EndpointTurns turns =
        turns(Shop.web(A, B).with(new Balancing(Balancing.Kind.RANDOM, Map.of(A, 2))));
    assertThat(List.of(next(turns, CLIENT), next(turns, CLIENT), next(turns, CLIENT)))
        .containsExactlyInAnyOrder(A, A, B);
  }

  @Test
  void aHashedClientGoesWhereItWent() {
    EndpointTurns turns =
        turns(Shop.web(A, B, C).with(Balancing.of(Balancing.Kind.MAGLEV_ADDRESS)));
    Endpoint first = next(turns, CLIENT);
    for (int i = 0; i < 10; i++) {
      next(turns, OTHER);
      assertThat(next(turns, CLIENT)).isEqualTo(first);
    }
    assertThat(next(turns, CLIENT, first)).isNotEqualTo(first);
  }

  @Test
  void aClientStaysUntilItWasAwayForTheTime() {
    EndpointTurns turns = turns(Shop.web(A, B, C).staying(60));
    assertThat(next(turns, CLIENT)).isEqualTo(A);
    assertThat(next(turns, OTHER)).isEqualTo(B);
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(next(turns, CLIENT)).isEqualTo(A);
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(next(turns, CLIENT)).as("each connection counts").isEqualTo(A);
    assertThat(next(turns, OTHER)).as("away for longer").isEqualTo(C);
  }

  @Test
  void aClientMovesWhenItsEndpointGoesOrFails() {
    EndpointTurns turns = turns(Shop.web(A, B, C).staying(60));
    assertThat(next(turns, CLIENT)).isEqualTo(A);
    assertThat(next(turns, CLIENT, A)).isEqualTo(B);
    assertThat(next(turns, CLIENT)).as("it stays with what answered").isEqualTo(B);
    turns.update(Shop.web(A, C).staying(60).port());
    assertThat(next(turns, CLIENT)).isEqualTo(A);
  }

  @Test
  void withoutEndpointsNobodyHasATurn() {
    assertThat(turns(Shop.web()).next(Pool.CLUSTER, CLIENT, 1, List.of())).isEmpty();
    assertThat(next(turns(Shop.web(A)), CLIENT, A)).as("all have failed").isEqualTo(A);
  }
}
