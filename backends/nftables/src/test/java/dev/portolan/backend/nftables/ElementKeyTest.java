package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ElementKeyTest {
  private static ElementKey key(Ip service, int number) {
    Endpoint endpoint = new Endpoint(Ip.of("10.1.0.1"), 8080, "");
    return ElementKey.of(new Entry.OfEndpoint(service, 80, number, endpoint).element());
  }

  @Test
  void theNumbersOfALargeServiceHashToDifferentValues() {
    int count = 100_000;
    for (String service : new String[] {"10.96.0.10", "fd00:10:96::10"}) {
      Set<Integer> hashes = new HashSet<>();
      for (int i = 0; i < count; i++) {
        hashes.add(key(Ip.of(service), i).hashCode());
      }
      assertThat(hashes).hasSizeGreaterThan(count * 99 / 100);
    }
  }

  @Test
  void equalKeysAreEqualAndOthersAreNot() {
    Ip service = Ip.of("10.96.0.10");
    assertThat(key(service, 7)).isEqualTo(key(service, 7)).hasSameHashCodeAs(key(service, 7));
    assertThat(key(service, 7)).isNotEqualTo(key(service, 8));
  }
}
