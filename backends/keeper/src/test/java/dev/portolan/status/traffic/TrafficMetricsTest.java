package dev.portolan.status.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Totals of counters that come, go and start again, and the series that show them. */
class TrafficMetricsTest {
  private static final String CONNECTIONS = "portolan_service_connections_total";

  private final MetricRegistry registry = new MetricRegistry();
  private List<TrafficCount> counts = List.of();
  private boolean failing;
  private Instant now = Instant.EPOCH;

  private void start(int series) {
    TrafficMetrics _ =
        new TrafficMetrics(registry, new TrafficTotals(series, () -> now), this::read);
  }

  private List<TrafficCount> read() {
    if (failing) {
      throw new BackendException("nftables: cannot read the counts");
    }
    return counts;
  }

  private static TrafficCount connections(String service, String place, long count) {
    return count(service, Protocol.TCP, place, Kind.CONNECTIONS, count);
  }

  private static TrafficCount count(
      String service, Protocol protocol, String place, Kind kind, long count) {
    return new TrafficCount(
        new ServicePortName(new NamespacedName("shop", service), "http", protocol),
        place,
        kind,
        count);
  }

  /** The series of a metric, by what tells them apart. */
  private Map<String, Long> scrape(String metric) {
    Map<String, Long> series = new LinkedHashMap<>();
    registry
        .text()
        .lines()
        .filter(line -> line.startsWith(metric + "{"))
        .forEach(line -> {
          int end = line.indexOf('}');
          String labels = line.substring(metric.length() + 1, end);
          assertThat(series.put(labels, Long.parseLong(line.substring(end + 2)))).isNull();
        });
    return series;
  }

  private static String shop(String service) {
    return "namespace=\"shop\",service=\"" + service + "\",port=\"http\"";
  }

  @Test
  void totalsBeginWithTheProcessAndGrowOverCountersThatStartAgain() {
    counts = List.of(connections("web", "a", 100), connections("web", "b", 7));
    start(10);
    assertThat(scrape(CONNECTIONS)).isEmpty();

    counts = List.of(connections("web", "a", 103), connections("web", "b", 7));
    assertThat(scrape(CONNECTIONS)).containsOnly(Map.entry(shop("web"), 3L));
    counts = List.of(connections("web", "a", 2), connections("web", "b", 8));
    assertThat(scrape(CONNECTIONS)).containsOnly(Map.entry(shop("web"), 6L));
  }

  @Test
  void aCounterThatIsMissingOnceIsNotCountedTwice() {
    start(10);
    counts = List.of(connections("web", "a", 5), connections("web", "b", 5));
    assertThat(scrape(CONNECTIONS)).containsOnly(Map.entry(shop("web"), 10L));
    counts = List.of(connections("web", "a", 6));
    assertThat(scrape(CONNECTIONS)).containsOnly(Map.entry(shop("web"), 11L));
    counts = List.of(connections("web", "b", 6), connections("web", "b", 6));
    assertThat(scrape(CONNECTIONS)).containsOnly(Map.entry(shop("web"), 12L));
  }

  @Test
  void theSeriesOfADeletedServiceEndsAfterAWhile() {
    start(1);
    counts = List.of(connections("web", "a", 5), connections("cart", "c", 1));
    String others = "namespace=\"\",service=\"(others)\",port=\"\"";
    assertThat(scrape(CONNECTIONS)).hasSize(2).containsKey(others);
    counts = List.of();
    now = now.plus(TrafficTotals.MEMORY);
    assertThat(scrape(CONNECTIONS)).hasSize(2);
    now = now.plus(Duration.ofSeconds(1));
    assertThat(scrape(CONNECTIONS)).containsOnlyKeys(others);
    counts = List.of(connections("new", "n", 4));
    assertThat(scrape(CONNECTIONS))
        .as("the free series goes to the next service")
        .containsEntry(shop("new"), 4L);
  }

  @Test
  void kindsAndDirectionsAreSeriesAndProtocolsOfOneNameAreNot() {
    start(10);
    counts =
        List.of(
            count("web", Protocol.TCP, "a", Kind.REFUSED, 1),
            count("web", Protocol.UDP, "a", Kind.REFUSED, 2),
            count("web", Protocol.TCP, "a", Kind.DROPPED, 3),
            count("web", Protocol.TCP, "a", Kind.BYTES_IN, 4),
            count("web", Protocol.TCP, "a", Kind.BYTES_OUT, 5));
    assertThat(scrape("portolan_service_refused_total")).containsOnly(Map.entry(shop("web"), 3L));
    assertThat(scrape("portolan_service_dropped_total")).containsOnly(Map.entry(shop("web"), 3L));
    assertThat(scrape("portolan_service_bytes_total"))
        .containsOnly(
            Map.entry(shop("web") + ",direction=\"in\"", 4L),
            Map.entry(shop("web") + ",direction=\"out\"", 5L));
    assertThat(registry.text()).doesNotContain("portolan_service_packets_total");
  }

  @Test
  void aKernelThatCannotBeReadIsCountedAndTotalsStay() {
    start(10);
    counts = List.of(connections("web", "a", 5));
    assertThat(scrape(CONNECTIONS)).containsEntry(shop("web"), 5L);
    failing = true;
    assertThat(scrape(CONNECTIONS)).containsEntry(shop("web"), 5L);
    assertThat(registry.text()).contains("portolan_traffic_read_failures_total 2\n");
  }

  /** Whatever counters do, no series goes down, and the sum of all is what was counted. */
  @Test
  void sumsStayRightWithMoreServicesThanSeries() {
    start(20);
    Random random = new Random(3);
    Map<Integer, Long> kernel = new LinkedHashMap<>();
    Map<String, Long> before = Map.of();
    long counted = 0;
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 20; i++) {
        int service = random.nextInt(100);
        int more = random.nextInt(10);
        if (random.nextInt(10) == 0) {
          // The element is written again after the last scrape, and starts from zero.
          kernel.remove(service);
        }
        kernel.merge(service, (long) more, Long::sum);
      }
      List<TrafficCount> read = new ArrayList<>();
      kernel.forEach((service, count) -> read.add(connections("s" + service, "a", count)));
      for (TrafficCount each : read) {
        long last =
            counts.stream()
                .filter(old -> old.port().equals(each.port()))
                .mapToLong(TrafficCount::count)
                .findFirst()
                .orElse(0);
        counted += each.count() < last ? each.count() : each.count() - last;
      }
      counts = read;
      Map<String, Long> now = scrape(CONNECTIONS);
      before.forEach((labels, count) -> assertThat(now.get(labels)).isGreaterThanOrEqualTo(count));
      assertThat(now).hasSizeLessThanOrEqualTo(21);
      assertThat(now.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(counted);
      before = now;
    }
  }
}
