package dev.portolan.server.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IdentityCacheTest {
  private record Thing(int number) {}

  private final AtomicInteger made = new AtomicInteger();
  private final IdentityCache<Thing, String> cache =
      new IdentityCache<>(thing -> thing.number + " " + made.incrementAndGet());

  @Test
  void eachObjectIsMadeOnceAndEqualOnesAreNotTheSame() {
    Thing one = new Thing(1);
    Thing equal = new Thing(1);
    assertThat(cache.get(one)).isEqualTo("1 1").isSameAs(cache.get(one));
    assertThat(cache.get(equal)).isEqualTo("1 2");
    assertThat(cache.size()).isEqualTo(2);
  }

  @Test
  void whatIsGoneIsForgotten() throws Exception {
    List<Thing> alive = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      Thing thing = new Thing(i);
      cache.get(thing);
      if (i % 100 == 0) {
        alive.add(thing);
      }
    }
    Await.until(
        "all but ten are gone",
        () -> {
          System.gc();
          return cache.size() == alive.size();
        });
    assertThat(cache.get(alive.getFirst())).isEqualTo("0 1");
  }
}
