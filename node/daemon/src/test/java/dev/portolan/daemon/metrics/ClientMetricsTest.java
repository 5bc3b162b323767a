package dev.portolan.daemon.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.telemetry.metrics.MetricRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Requests to the API server are counted under the names that dashboards know. */
final class ClientMetricsTest {
  private static final URI LIST = URI.create("https://10.0.0.1:6443/api/v1/services?limit=500");
  private static final URI WATCH = URI.create("https://10.0.0.1:6443/api/v1/services?watch=true");

  @Test
  void requestsAndTheirTimesAreCounted() {
    MetricRegistry registry = new MetricRegistry();
    ClientMetrics metrics = new ClientMetrics(registry);
    metrics.ended("GET", LIST, OptionalInt.of(200), Duration.ofMillis(30));
    metrics.ended("GET", WATCH, OptionalInt.of(200), Duration.ofMillis(1));
    metrics.ended("GET", LIST, OptionalInt.empty(), Duration.ofSeconds(70));
    String text = registry.text();
    assertThat(text)
        .contains(
            "# TYPE rest_client_requests_total counter",
            "rest_client_requests_total{code=\"200\",host=\"10.0.0.1:6443\",method=\"GET\"} 2",
            "rest_client_requests_total{code=\"<error>\",host=\"10.0.0.1:6443\",method=\"GET\"} 1",
            "# TYPE rest_client_request_duration_seconds histogram",
            "rest_client_request_duration_seconds_count{host=\"10.0.0.1:6443\",verb=\"GET\"} 2");
    for (String bound : "0.005 0.025 0.1 0.25 0.5 1 2 4 8 15 30 60 +Inf".split(" ", -1)) {
      assertThat(text).contains("verb=\"GET\",le=\"" + bound + "\"} ");
    }
  }
}
