package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Gen;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EndpointOrderTest {
  private static List<Endpoint> endpoints(List<Integer> numbers) {
    return numbers.stream().map(n -> new Endpoint(Ip.v4(n), 80, "")).toList();
  }

  private static List<Endpoint> endpoints(Integer... numbers) {
    return endpoints(List.of(numbers));
  }

  @Test
  void theLastTakesThePlaceOfOneThatGoes() {
    assertThat(EndpointOrder.arrange(endpoints(1, 2, 3, 4), endpoints(1, 3, 4)))
        .isEqualTo(endpoints(1, 4, 3));
  }

  @Test
  void aNewOneTakesTheNextNumber() {
    assertThat(EndpointOrder.arrange(endpoints(5, 6), endpoints(1, 5, 6)))
        .isEqualTo(endpoints(5, 6, 1));
  }

  @Test
  void aReplacementTakesTheFreeNumber() {
    assertThat(EndpointOrder.arrange(endpoints(5, 6, 7), endpoints(1, 5, 7)))
        .isEqualTo(endpoints(5, 1, 7));
  }

  private static NodeService service(Integer... numbers) {
    NamespacedName name = new NamespacedName("shop", "web");
    ServicePort port =
        new ServicePort(
            new ServicePortName(name, "http", Protocol.TCP),
            ServiceAddress.list(Ip.of("10.96.0.1"), 80, List.of(), List.of(), 0),
            List.of(),
            0,
            Routes.of(Pool.CLUSTER, Verdict.FORWARD, Pool.CLUSTER, Verdict.NONE, Verdict.NONE),
            endpoints(numbers),
            List.of(),
            endpoints(numbers));
    return new NodeService(name, ServiceType.CLUSTER_IP, 0, 0, List.of(port));
  }

  private static List<Endpoint> order(EndpointOrder order, NodeService service) {
    return order.of(service.ports().getFirst(), Pool.CLUSTER);
  }

  @Test
  void askingChangesNothing() {
    EndpointOrder order = new EndpointOrder();
    NodeService before = service(1, 2, 3);
    NodeService after = service(2, 3, 4);
    order.keep(null, before);
    assertThat(order(order, after)).isEqualTo(endpoints(4, 2, 3));
    assertThat(order(order, before)).isEqualTo(endpoints(1, 2, 3));
    assertThat(order(order, after)).isEqualTo(endpoints(4, 2, 3));
    order.keep(before, after);
    assertThat(order(order, after)).isEqualTo(endpoints(4, 2, 3));
    assertThat(order(order, service(1, 3, 4))).isEqualTo(endpoints(4, 1, 3));
  }

  @Test
  void whatIsGoneIsForgotten() {
    EndpointOrder order = new EndpointOrder();
    NodeService service = service(1, 2);
    order.adopt(service.ports().getFirst(), Pool.CLUSTER, endpoints(2, 1));
    assertThat(order(order, service)).isEqualTo(endpoints(2, 1));
    order.keep(service, null);
    assertThat(order(order, service)).isEqualTo(endpoints(1, 2));
  }

  Gen<List<Integer>> numbers() {
    return Gen.someOf(IntStream.rangeClosed(1, 20).boxed().toList(), 12);
  }

  @Property
  void allAndOnlyTheWantedHaveANumberAndAsFewAsPossibleMove(
      @ForAll("numbers") List<Integer> before, @ForAll("numbers") List<Integer> wanted) {
    List<Endpoint> old = endpoints(before);
    List<Endpoint> now = endpoints(wanted);
    List<Endpoint> arranged = EndpointOrder.arrange(old, now);
    assertThat(arranged).containsExactlyInAnyOrderElementsOf(now);
    if (!old.isEmpty()) {
      int limit = Math.min(old.size(), now.size());
      long kept = old.subList(0, limit).stream().filter(now::contains).count();
      long same = 0;
      for (int i = 0; i < limit; i++) {
        same += arranged.get(i).equals(old.get(i)) ? 1 : 0;
      }
      assertThat(same).isEqualTo(kept);
    }
  }
}
