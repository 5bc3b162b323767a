package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrawTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 8, 9, 100, 1_025, 65_537, 100_000})
  void allEndpointsHaveTheSameShareToWithinAThousandth(int count) {
    double[] shares = shares(count);
    for (double share : shares) {
      assertThat(share).isCloseTo(1.0 / count, Percentage.withPercentage(0.1));
    }
  }

  /** The share of each endpoint, if they have the numbers from 0 on. */
  private static double[] shares(int count) {
    double[] shares = new double[count];
    double left = 1;
    for (int numbers : Draw.PICK.draws(Draw.PICK.numbers(count))) {
      int found = Math.min(numbers, count);
      for (int i = 0; i < found; i++) {
        shares[i] += left / numbers;
      }
      left -= left * found / numbers;
    }
    return shares;
  }
}
