package dev.portolan.terminal.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import dev.portolan.terminal.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Enough endpoints that comparing each with each other would not end within the timeout; looking at
 * each once takes a small part of it.
 */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class LargeListingTest {
  private static final int ENDPOINTS = 200_000;
  private static final PrintWriter NOWHERE = new PrintWriter(Writer.nullWriter());

  private final Terminal terminal = Terminal.plain(NOWHERE, NOWHERE);

  private static NodeImage image(long revision, int first) {
    NamespacedName name = new NamespacedName("shop", "web");
    List<Endpoint> endpoints =
        IntStream.range(first, first + ENDPOINTS)
            .mapToObj(i -> new Endpoint(Ip.v4(0x0a000000 + i), 80, "n1"))
            .toList();
    ServicePort port =
        new ServicePort(
            new ServicePortName(name, "http", Protocol.TCP),
            ServiceAddress.list(Ip.of("10.96.0.1"), 80, List.of(), List.of(), 0),
            List.of(),
            0,
            Routes.of(Pool.CLUSTER, Verdict.FORWARD, Pool.CLUSTER, Verdict.NONE, Verdict.NONE),
            endpoints,
            endpoints,
            endpoints);
    NodeService service = new NodeService(name, ServiceType.CLUSTER_IP, 0, 0, List.of(port));
    PersistentMap<NamespacedName, NodeService> services = PersistentMap.empty();
    return new NodeImage(
        revision, NodeFacts.unknown("n1"), NodeServices.of(services.with(name, service)));
  }

  @Test
  void endpointsAreListed() {
    ListingStyle style = new ListingStyle(true, true, Optional.empty());
    Excerpt excerpt = Excerpt.of(image(1, 0), ServiceFilter.ALL);
    assertThat(NodeListing.ENDPOINTS.lines(excerpt, style, terminal)).hasSize(ENDPOINTS + 1);
    assertThat((List<?>) NodeListing.ENDPOINTS.result(excerpt, style).tree().get("endpoints"))
        .hasSize(ENDPOINTS);
  }

  @Test
  void aChangeOfAllOfThemIsDescribed() {
    NodeChange change = NodeChange.between(image(1, 0), image(2, ENDPOINTS / 2));
    assertThat(String.join(" ", DeltaText.lines(change, change.services(), terminal)))
        .contains("and " + (ENDPOINTS - 12));
  }
}
