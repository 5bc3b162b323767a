package dev.portolan.api;

import static dev.portolan.api.Samples.endpoint;
import static dev.portolan.api.Samples.port;
import static dev.portolan.api.Samples.web;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.portolan.api.localv1.PortName;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class KpngEndpointsTest {
  @Test
  void anAddressIsAsManyEndpointsAsItsMostNumbersOfOneName() {
    NodeService service =
        web(
            port(
                "a",
                "10.96.0.10",
                List.of(endpoint("10.1.0.1", 1, ""), endpoint("10.1.0.1", 2, ""))),
            port("b", "10.96.0.10", List.of(endpoint("10.1.0.1", 3, ""))));
    assertThat(KpngEndpoints.of(service))
        .extracting(
            KpngEndpoints.Keyed::key,
            keyed ->
                keyed.message().getPortOverridesList().stream().map(PortName::getPort).toList())
        .containsExactly(tuple("10.1.0.1", List.of(1, 3)), tuple("10.1.0.1-2", List.of(2)));
  }

  /**
   * So many that a step which compares each with each other would not end within the timeout; one
   * that looks at each once ends in a small part of it.
   */
  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void allNumbersOfOneAddress() {
    List<Endpoint> all =
        IntStream.rangeClosed(1, 65_535).mapToObj(n -> endpoint("10.1.0.1", n, "n1")).toList();
    ServicePort[] ports =
        IntStream.range(0, 8)
            .mapToObj(i -> port("p" + i, "10.96.0.10", all))
            .toArray(ServicePort[]::new);
    assertThat(KpngEndpoints.of(web(ports))).hasSize(65_535);
  }
}
