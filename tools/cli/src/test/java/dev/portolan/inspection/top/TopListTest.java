package dev.portolan.inspection.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.inspection.top.TopList.Order;
import dev.portolan.status.traffic.PortTraffic;
import dev.portolan.terminal.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What two readings of the counts become. */
class TopListTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final List<PortTraffic> BEFORE =
      List.of(
          port("shop", "web", Map.of(Kind.CONNECTIONS, 1_000L)),
          port("shop", "cart", Map.of(Kind.CONNECTIONS, 40_000L, Kind.DROPPED, 4L)),
          port("shop", "payments", Map.of(Kind.REFUSED, 10L)));
  private static final List<PortTraffic> AFTER =
      List.of(
          port(
              "a-namespace-of-a-team-with-a-long-name",
              "a-service-with-a-name-to-match",
              Map.of(Kind.CONNECTIONS, 5L)),
          port("shop", "web", Map.of(Kind.CONNECTIONS, 1_250L)),
          port("shop", "cart", Map.of(Kind.CONNECTIONS, 40_003L, Kind.DROPPED, 5L)),
          port("shop", "idle", Map.of(Kind.CONNECTIONS, 0L)),
          port("shop", "payments", Map.of(Kind.REFUSED, 17L)));

  private static PortTraffic port(String namespace, String name, Map<Kind, Long> totals) {
    return new PortTraffic(
        new ServicePortName(new NamespacedName(namespace, name), "http", Protocol.TCP), totals);
  }

  private static TopList list(Order order) {
    return TopList.between(BEFORE, AFTER, Duration.ofSeconds(2), NOW, order);
  }

  private static Terminal screen() {
    return Terminal.screen(
        new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()), 80);
  }

  @Test
  void numbersAreAlignedInEightyColumns() {
    assertThat(String.join("\n", list(Order.RATE).lines(0, screen())))
        .isEqualTo(
            """
            SERVICE                                CONN/S  REFUSED/S  DROPPED/S  CONNECTIONS
            shop/web:http                           125.0        0.0        0.0        1,250
            a-namespace-of-a-t…name-to-match:http     2.5        0.0        0.0            5
            shop/cart:http                            1.5        0.0        0.5       40,003
            shop/payments:http                        0.0        3.5        0.0            0\
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "RATE, shop/web:http",
    "TOTAL, shop/cart:http",
    "REFUSED, shop/payments:http",
    "DROPPED, shop/cart:http",
    "NAME, a-namespace-of-a-team-with-a-long-name/a-service-with-a-name-to-match:http"
  })
  void theFirstIsTheOneThatWasAskedFor(Order order, String first) {
    assertThat(list(order).rows().getFirst().port()).hasToString(first);
    assertThat(list(order).lines(1, screen())).hasSize(2);
  }

  @Test
  void bytesHaveColumnsWhereTheyAreCounted() {
    List<PortTraffic> before =
        List.of(port("shop", "web", Map.of(Kind.BYTES_IN, 0L, Kind.BYTES_OUT, 0L)));
    List<PortTraffic> after =
        List.of(port("shop", "web", Map.of(Kind.BYTES_IN, 2_000L, Kind.BYTES_OUT, 4_000_000L)));
    TopList list = TopList.between(before, after, Duration.ofSeconds(1), NOW, Order.BYTES);
    assertThat(list.lines(0, screen()).getFirst()).contains("IN B/S", "OUT B/S");
    assertThat(list.lines(0, screen()).getLast()).contains("2,000", "4,000,000");
  }

  @Test
  void programsGetTotalsAndRatesOfWhatIsCounted() {
    Map<String, ?> web = list(Order.RATE).tree(1).items().getFirst().tree();
    assertThat(web.get("name")).isEqualTo("web");
    assertThat(web.get("totals")).isEqualTo(Map.of("connections", 1_250L));
    assertThat(web.get("perSecond")).isEqualTo(Map.of("connections", 125.0));
  }
}
