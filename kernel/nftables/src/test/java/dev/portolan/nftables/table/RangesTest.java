package dev.portolan.nftables.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class RangesTest {
  @Test
  void aRangeInsideAnotherIsLeftOut() {
    Random random = new Random(1);
    for (int round = 0; round < 500; round++) {
      List<Cidr> ranges = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        Ip address = Ip.v4(0x0a000000 + random.nextInt(64));
        ranges.add(Cidr.of(address + "/" + (26 + random.nextInt(7))));
      }
      List<Cidr> expected =
          ranges.stream()
              .distinct()
              .sorted()
              .filter(range ->
                  ranges.stream().noneMatch(other -> !other.equals(range) && other.contains(range)))
              .toList();
      assertThat(Ranges.disjoint(ranges)).isEqualTo(expected);
    }
  }

  /** Comparing each of these with each other would not end within the timeout. */
  @Test
  @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
  void manyRangesAreNoProblem() {
    int count = 500_000;
    List<Cidr> ranges =
        IntStream.range(0, count).mapToObj(i -> Cidr.only(Ip.v4(0x0a000000 + i))).toList();
    assertThat(Ranges.disjoint(ranges)).hasSize(count);
  }
}
