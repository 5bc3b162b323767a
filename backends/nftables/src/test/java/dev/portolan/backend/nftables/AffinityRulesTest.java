package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AffinityRulesTest {
  private static ServicePort port(int endpoints) {
    List<Endpoint> all =
        IntStream.range(0, endpoints)
            .mapToObj(i -> new Endpoint(Ip.v4(0x0a010000 + i), 8080, "n1"))
            .toList();
    return new ServicePort(
        new ServicePortName(new NamespacedName("shop", "web"), "http", Protocol.TCP),
        ServiceAddress.list(Ip.of("10.96.0.1"), 80, List.of(), List.of(), 0),
        List.of(),
        10_800,
        Routes.of(Pool.CLUSTER, Verdict.FORWARD, Pool.CLUSTER, Verdict.NONE, Verdict.NONE),
        all,
        List.of(),
        all);
  }

  /** The kernel's table has a third more places than a set has elements, in a power of two. */
  @ParameterizedTest
  @CsvSource({"1, 49151", "16, 49151", "17, 24575", "100, 6143", "5000, 1535", "100000, 1535"})
  void theMoreEndpointsTheFewerClientsEachRemembers(int endpoints, int clients) {
    assertThat(AffinityRules.clients(port(endpoints))).isEqualTo(clients);
    int places = clients * 4 / 3;
    assertThat(Integer.highestOneBit(places) * 2 - places).isBetween(1, 4);
    assertThat(places).isLessThan(1 << 16);
  }
}
