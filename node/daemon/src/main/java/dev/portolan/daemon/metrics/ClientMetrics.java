package dev.portolan.daemon.metrics;

import dev.portolan.apiserver.RequestObserver;
import dev.portolan.telemetry.metrics.Buckets;
import dev.portolan.telemetry.metrics.Counter;
import dev.portolan.telemetry.metrics.Family;
import dev.portolan.telemetry.metrics.Histogram;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The requests to the API server, measured as the components of Kubernetes do it: names, labels and
 * buckets are those that dashboards know.
 */
public final class ClientMetrics implements RequestObserver {
  private static final String FAILED = "<error>";

  private final Family<Counter> requests;
  private final Family<Histogram> seconds;

  /** Registers them. */
  public ClientMetrics(MetricRegistry registry) {
    requests = registry.counters("rest_client_requests_total");
    seconds =
        registry.histograms(
            "rest_client_request_duration_seconds",
            Buckets.of(0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60));
  }

  @Override
  public void ended(String method, URI address, OptionalInt status, Duration took) {
    String host = address.getAuthority();
    String code = status.isPresent() ? Integer.toString(status.getAsInt()) : FAILED;
    requests.with(code, host, method).increment();
    if (!isWatch(address)) {
      seconds.with(host, method).observe(took);
    }
  }

  /** A watch is answered at once, and lasts for minutes: neither is the time of a request. */
  private static boolean isWatch(URI address) {
    String query = address.getQuery();
    return query != null && ("&" + query).contains("&watch=");
  }
}
