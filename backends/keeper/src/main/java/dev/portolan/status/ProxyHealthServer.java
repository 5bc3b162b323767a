package dev.portolan.status;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.text.Json;
import dev.portolan.telemetry.http.BindAddress;
import dev.portolan.telemetry.http.Request;
import dev.portolan.telemetry.http.Response;
import dev.portolan.telemetry.http.StandingPort;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Answers {@code /healthz} and {@code /livez}: whether this node should get traffic, and whether
 * the proxy works at all. The answers are kube-proxy's; fields of our own follow its own.
 */
public final class ProxyHealthServer implements AutoCloseable {
  /** The first moment of the year 1: what Go writes where nothing was applied yet. */
  private static final Instant NEVER = Instant.ofEpochSecond(-62_135_596_800L);

  private final ProxyHealth health;
  private final Set<IpFamily> families;
  private final ProxyMetrics metrics;
  private final Consumer<Map<String, Object>> additions;
  private final StandingPort port;

  /**
   * A server that is not open yet.
   *
   * @param address the setting healthzBindAddress
   * @param families those that the backend serves
   * @param additions adds fields of our own to each answer: texts, numbers, truths
   */
  public ProxyHealthServer(
      String address,
      ProxyHealth health,
      Set<IpFamily> families,
      ProxyMetrics metrics,
      Consumer<Map<String, Object>> additions) {
    this("healthzBindAddress", address, health, families, metrics, additions, StandingPort.PAUSE);
  }

  ProxyHealthServer(
      String setting,
      String address,
      ProxyHealth health,
      Set<IpFamily> families,
      ProxyMetrics metrics,
      Consumer<Map<String, Object>> additions,
      Duration pause) {
    this.health = health;
    this.families = new TreeSet<>(families);
    this.metrics = metrics;
    this.additions = additions;
    this.port =
        new StandingPort("health", setting, BindAddress.parse(address), pause, this::answer);
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
    if (!request.reads()) {
      return Response.onlyForReading();
    }
    ProxyHealth.State state = health.state();
    boolean alive = state.healthy();
    boolean wanted = state.serves() && state.eligible();
    return switch (request.path()) {
      case "/healthz" -> {
        metrics.healthz(status(wanted));
        yield answer(state, wanted, true);
      }
      case "/livez" -> {
        metrics.livez(status(alive));
        yield answer(state, alive, false);
      }
      default -> Response.notFound();
    };
  }

  private static int status(boolean good) {
    return good ? 200 : 503;
  }

  /** A good answer counts as an update: kube-proxy's clients expect a recent time there. */
  private Response answer(ProxyHealth.State state, boolean good, boolean withNode) {
    Instant updated = state.updated().orElse(NEVER);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("lastUpdated", (good ? state.now() : updated).toString());
    answer.put("currentTime", state.now().toString());
    if (withNode) {
      answer.put("nodeEligible", state.eligible());
    }
    boolean healthy = withNode ? state.serves() : state.healthy();
    answer.put("healthy", healthy);
    if (state.updated().isPresent()) {
      Map<String, Object> status = new LinkedHashMap<>();
      for (IpFamily family : families) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("lastUpdated", updated.toString());
        one.put("healthy", healthy);
        status.put(family.toString(), one);
      }
      answer.put("status", status);
    }
    answer.put("rulesMissing", state.rulesMissing());
    additions.accept(answer);
    return Response.json(status(good), Json.line(answer));
  }

  /** Closes the port. */
  @Override
  public void close() {
    port.close();
  }
}
