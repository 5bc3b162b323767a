package dev.portolan.daemon.metrics;

import dev.portolan.apiserver.RequestObserver;
import dev.portolan.source.kube.ResourceState;
import dev.portolan.telemetry.metrics.Buckets;
import dev.portolan.telemetry.metrics.Counter;
import dev.portolan.telemetry.metrics.Family;
import dev.portolan.telemetry.metrics.Histogram;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What is measured of the API server. Requests are measured as the components of Kubernetes do it:
 * names, labels and buckets are those that dashboards know.
 */
public final class ClientMetrics implements RequestObserver {
  private static final String FAILED = "<error>";

  private final MetricRegistry registry;
  private final Family<Counter> requests;
  private final Family<Histogram> seconds;

  /** Registers them. */
  public ClientMetrics(MetricRegistry registry) {
    this.registry = registry;
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

  /** Reads how long the API server has given no sign of life. */
  public void silence(Supplier<Duration> silence) {
    registry.read(
        "portolan_api_server_silent_seconds",
        samples -> samples.add(silence.get().toMillis() / 1e3));
  }

  /** Where the watches say how they are doing; called once. */
  public void watches(Supplier<? extends Collection<ResourceState>> watches) {
    Map.<String, Function<ResourceState, Optional<? extends Number>>>of(
            "portolan_watch_synced",
            watch -> Optional.of(watch.synced() ? 1 : 0),
            "portolan_watch_silent_seconds",
            watch -> watch.age().map(silent -> silent.toMillis() / 1e3),
            "portolan_watch_lists_total",
            watch -> Optional.of(watch.lists()),
            "portolan_watch_opened_total",
            watch -> Optional.of(watch.watches()),
            "portolan_watch_errors_total",
            watch -> Optional.of(watch.errors()))
        .forEach((name, count) ->
            registry.read(
                name,
                samples -> {
                  for (ResourceState watch : watches.get()) {
                    count
                        .apply(watch)
                        .ifPresent(value -> samples.add(value.doubleValue(), watch.resource()));
                  }
                }));
  }

  /** A watch is answered at once, and lasts for minutes: neither is the time of a request. */
  private static boolean isWatch(URI address) {
    String query = address.getQuery();
    return query != null && ("&" + query).contains("&watch=");
  }
}
