package dev.portolan.status.pages;

import dev.portolan.telemetry.http.BindAddress;
import dev.portolan.telemetry.http.MetricsPage;
import dev.portolan.telemetry.http.Request;
import dev.portolan.telemetry.http.Response;
import dev.portolan.telemetry.http.StandingPort;
import dev.portolan.telemetry.metrics.Counter;
import dev.portolan.telemetry.metrics.Family;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The pages for operators, on metricsBindAddress: metrics, configuration, status, profiles. */
public final class ManagementServer implements AutoCloseable {
  private static final String VERBOSITY = "/debug/flags/v";

  private final Pages pages;
  private final Map<String, Function<Request, Response>> routes = new TreeMap<>();
  private final StandingPort port;

  /**
   * What the program is.
   *
   * @param runtime what runs it: {@code java25}
   * @param version its own
   * @param emulatedVersion the release of Kubernetes whose behaviour it has: {@code 1.37}
   */
  public record Status(Instant started, String runtime, String version, String emulatedVersion) {}

  /**
   * Where the pages come from.
   *
   * @param proxyMode the mode in use
   * @param configz the configuration as a JSON object, without the group around it
   * @param statusz present where the gate ComponentStatusz is on
   * @param flagz the flags by name; present where the gate ComponentFlagz is on
   * @param profiling present where profiling is on: sets the verbosity of the log to a text, and
   *     says that it did so or throws an IllegalArgumentException
   */
  public record Pages(
      MetricRegistry metrics,
      String proxyMode,
      Supplier<String> configz,
      Optional<Status> statusz,
      Optional<Supplier<SortedMap<String, String>>> flagz,
      Optional<UnaryOperator<String>> profiling) {}

  /**
   * A server that is not open yet.
   *
   * @param address the setting metricsBindAddress
   */
  public ManagementServer(String address, Pages pages) {
    this(address, pages, StandingPort.PAUSE);
  }

  ManagementServer(String address, Pages pages, Duration pause) {
    this.pages = pages;
    this.port =
        new StandingPort(
            "metrics", "metricsBindAddress", BindAddress.parse(address), pause, this::answer);
    MetricRegistry slis = new MetricRegistry();
    Counter pings = pings(slis);
    routes.put("/healthz", request -> pinged(pings));
    routes.put("/healthz/ping", request -> pinged(pings));
    routes.put("/metrics", request -> MetricsPage.of(request, pages.metrics()));
    routes.put("/metrics/slis", request -> MetricsPage.of(request, slis));
    routes.put("/proxyMode", request -> Response.text(200, pages.proxyMode()));
    routes.put(
        "/configz",
        request ->
            Response.json(200, "{\"kubeproxy.config.k8s.io\":" + pages.configz().get() + "}"));
    pages
        .flagz()
        .ifPresent(
            flags -> routes.put("/flagz", request -> StatusPages.flagz(request, flags.get())));
    pages
        .statusz()
        .ifPresent(status ->
            routes.put(
                "/statusz",
                request -> StatusPages.statusz(request, status, routes.keySet(), Instant.now())));
  }

  /** Kubernetes programs count the outcomes of their health checks; there is one, that succeeds. */
  private static Counter pings(MetricRegistry slis) {
    slis.gauges("kubernetes_healthcheck").with("ping", "healthz").set(1);
    Family<Counter> outcomes = slis.counters("kubernetes_healthchecks_total");
    return outcomes.with("ping", "success", "healthz");
  }

  private static Response pinged(Counter pings) {
    pings.increment();
    return Response.text(200, "ok");
  }

  /**
   * Opens the port.
   *
   * @param mustOpen the setting bindAddressHardFail: whether a failure is thrown
   * @param problem called once if the port cannot be opened now and is retried
   * @throws PortUnavailableException if it must be opened and cannot
   */
  public void open(boolean mustOpen, Consumer<String> problem) {
    port.open(mustOpen, problem);
  }

  /** The number of the port; 0 while it is not open. */
  public int port() {
    return port.number();
  }

  private Response answer(Request request) {
    if (pages.profiling().isPresent() && request.path().equals(VERBOSITY)) {
      return verbosity(request, pages.profiling().get());
    }
    if (!request.reads()) {
      return Response.onlyForReading();
    }
    if (pages.profiling().isPresent() && request.path().startsWith(Profiling.PATH)) {
      return Profiling.answer(request);
    }
    Function<Request, Response> route = routes.get(request.path());
    return route == null ? Response.notFound() : route.apply(request);
  }

  private static Response verbosity(Request request, UnaryOperator<String> setter) {
    if (!request.method().equals("PUT")) {
      return Response.text(406, "the verbosity is set with PUT\n");
    }
    try {
      return Response.text(200, setter.apply(request.body().strip()) + "\n");
    } catch (IllegalArgumentException e) {
      return Response.text(400, e.getMessage() + "\n");
    }
  }

  /** Closes the port. */
  @Override
  public void close() {
    port.close();
  }
}
