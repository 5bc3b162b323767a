package dev.portolan.nftables.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.nftables.Element;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ElementKeyTest {
  private static ElementKey key(Ip service, int number) {
    return ElementKey.of(
        Element.of(new Keys().ip(service).port(80).index(number).toBytes(), "number " + number));
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
