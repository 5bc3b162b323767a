package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelOrderTest {
  private static Endpoint endpoint(int number, String node) {
    return new Endpoint(Ip.v4(0x0a000000 + number), 80, node);
  }

  @Test
  void endpointsAreRecognisedByAddressAndPort() {
    assertThat(
            KernelOrder.recognised(
                List.of(endpoint(3, ""), endpoint(9, ""), endpoint(1, "")),
                List.of(endpoint(1, "n1"), endpoint(2, "n2"), endpoint(3, "n3"))))
        .containsExactly(endpoint(3, "n3"), endpoint(9, ""), endpoint(1, "n1"));
  }

  @Test
  void ofTwoAtOneAddressEachIsTakenOnce() {
    assertThat(
            KernelOrder.recognised(
                List.of(endpoint(1, ""), endpoint(1, ""), endpoint(1, "")),
                List.of(endpoint(1, "n1"), endpoint(1, "n2"))))
        .containsExactly(endpoint(1, "n1"), endpoint(1, "n2"), endpoint(1, ""));
  }

  @Test
  void whatIsBehindAMissingNumberIsLeftAlone() {
    assertThat(
            KernelOrder.recognised(
                Arrays.asList(endpoint(1, ""), null, endpoint(2, "")),
                List.of(endpoint(1, "n1"), endpoint(2, "n2"))))
        .containsExactly(endpoint(1, "n1"));
  }

  @Test
  void whatIsInOrderIsTheWantedList() {
    List<Endpoint> wanted = List.of(endpoint(1, "n1"), endpoint(2, "n2"));
    assertThat(KernelOrder.recognised(List.of(endpoint(1, ""), endpoint(2, "")), wanted))
        .isSameAs(wanted);
  }

  /** Counts how often it is looked at. */
  private static final class Watched extends AbstractList<Endpoint> {
    private final int size;
    private long looks;

    private Watched(int size) {
      this.size = size;
    }

    @Override
    public Endpoint get(int index) {
      looks++;
      return endpoint(index, "n1");
    }

    @Override
    public int size() {
      return size;
    }
  }

  @Test
  void eachWantedEndpointIsLookedAtTwiceAtMost() {
    int count = 20_000;
    List<Endpoint> numbered = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbered.add(endpoint(count - 1 - i, ""));
    }
    Watched wanted = new Watched(count);
    assertThat(KernelOrder.recognised(numbered, wanted)).hasSize(count);
    assertThat(wanted.looks).isLessThanOrEqualTo(2L * count);
  }
}
