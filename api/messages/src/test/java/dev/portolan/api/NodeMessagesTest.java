package dev.portolan.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.localnetv1.EndpointConditions;
import dev.portolan.api.localnetv1.NextFilter;
import dev.portolan.api.localnetv1.NextItem;
import dev.portolan.api.localv1.Change;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Trigger;
import dev.portolan.core.node.Verdict;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes, and the items of the long poll. */
class NodeMessagesTest {
  private static final NodeService WEB =
      Samples.web(
          Samples.port(
              "http",
              "10.96.0.10",
              List.of(Samples.endpoint("10.1.0.1", 8080, "n1")),
              List.of(
                  Samples.endpoint("10.1.0.1", 8080, "n1"),
                  Samples.endpoint("10.1.0.2", 8080, "n2"))));

  private static List<String> addresses(EndpointConditions required) {
    return NextItems.service(WEB, "n2", required).getEndpoints().getEndpointsList().stream()
        .map(endpoint -> endpoint.getIPs().getV4(0))
        .toList();
  }

  @Test
  void aChangeCarriesPositionAndTriggers() throws WireException {
    List<Trigger> triggers =
        List.of(
            new Trigger(Samples.WEB, Instant.parse("2026-01-02T03:04:05.678901234Z")),
            new Trigger(Samples.WEB, Instant.parse("1969-12-31T23:59:59.5Z")));
    Change change = NodeMessages.change(-1, 7, triggers);
    assertThat(change.getPosition().getInstance()).isEqualTo(-1);
    assertThat(change.getPosition().getRevision()).isEqualTo(7);
    assertThat(NodeMessages.triggers(change)).isEqualTo(triggers);
  }

  @Test
  void eachListOfEndpointsComesBack() throws WireException {
    Endpoint first = Samples.endpoint("10.1.0.1", 8080, "n1");
    Endpoint second = Samples.endpoint("10.1.0.1", 8081, "");
    Endpoint third = Samples.endpoint("10.1.0.20", 8080, "n2");
    for (ServicePort port :
        List.of(
            port(List.of(first), List.of(second), List.of(third)),
            port(List.of(third), List.of(first, second), List.of()),
            port(List.of(first, second, third), List.of(), List.of(second)))) {
      NodeService service = Samples.web(port);
      assertThat(NodeMessages.service(NodeMessages.service(service), List.of(), "n1"))
          .isEqualTo(service);
    }
  }

  private static ServicePort port(
      List<Endpoint> cluster, List<Endpoint> local, List<Endpoint> serving) {
    Routes routes =
        Routes.of(Pool.CLUSTER, Verdict.FORWARD, Pool.CLUSTER, Verdict.DROP, Verdict.REJECT);
    return Samples.port("http", "10.96.0.10", routes, cluster, local, serving);
  }

  @Test
  void timesBeyondTheNumberAreTheNearestOnes() throws WireException {
    Change change = NodeMessages.change(1, 1, List.of(new Trigger(Samples.WEB, Instant.MAX)));
    assertThat(NodeMessages.triggers(change).getFirst().time())
        .isEqualTo(Instant.ofEpochSecond(0, Long.MAX_VALUE));
  }

  @Test
  void theFirstItemSaysWhatToAskNext() {
    NextFilter next = NextFilter.newBuilder().setInstanceID(5).setRev(3).build();
    NextItem item = NextItems.first(next, NodeFacts.unknown("n1"));
    assertThat(item.getNext()).isEqualTo(next);
    assertThat(item.getFacts().getName()).isEqualTo("n1");
    assertThat(item.hasEndpoints()).isFalse();
  }

  @Test
  void aServiceHasTheEndpointsThatAreAskedFor() {
    assertThat(addresses(EndpointConditions.getDefaultInstance()))
        .containsExactly("10.1.0.1", "10.1.0.2");
    assertThat(addresses(EndpointConditions.newBuilder().setReady(true).build()))
        .containsExactly("10.1.0.1", "10.1.0.2");
    assertThat(addresses(EndpointConditions.newBuilder().setSelected(true).build()))
        .containsExactly("10.1.0.1");
    assertThat(addresses(EndpointConditions.newBuilder().setLocal(true).build()))
        .containsExactly("10.1.0.2");
  }

  @Test
  void aServiceOfTheLongPollIsWhole() {
    NextItem item = NextItems.service(WEB, "n1", EndpointConditions.getDefaultInstance());
    assertThat(item.hasNext()).isFalse();
    assertThat(item.getEndpoints().getNamespace()).isEqualTo("default");
    assertThat(item.getEndpoints().getName()).isEqualTo("web");
    assertThat(item.getEndpoints().getType()).isEqualTo("ClusterIP");
    assertThat(item.getEndpoints().getIPs().getClusterIPs().getV4List())
        .containsExactly("10.96.0.10");
    assertThat(item.getEndpoints().getPorts(0).getTargetPort()).isEqualTo(8080);
    assertThat(item.getEndpoints().getDecision().getPortsCount()).isEqualTo(1);
    dev.portolan.api.localnetv1.Endpoint endpoint = item.getEndpoints().getEndpoints(0);
    assertThat(endpoint.getPorts(0).getPort()).isEqualTo(8080);
    assertThat(endpoint.getConditions().getSelected()).isTrue();
    assertThat(endpoint.getConditions().getLocal()).isTrue();
  }
}
