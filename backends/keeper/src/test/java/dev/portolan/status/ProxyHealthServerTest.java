package dev.portolan.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.IpFamily;
import dev.portolan.telemetry.http.Wire;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ProxyHealthServerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String RESOURCE = "/health/proxy.table";

  private final MetricRegistry registry = new MetricRegistry();
  private long seconds;
  private long clockIsOff;
  private final ProxyHealth health =
      new ProxyHealth(
          Duration.ofSeconds(60), this::now, () -> Duration.ofSeconds(seconds).toNanos());

  @AutoClose
  private final ProxyHealthServer server =
      new ProxyHealthServer(
          "127.0.0.1:0",
          health,
          Set.of(IpFamily.IPV6, IpFamily.IPV4),
          new ProxyMetrics(registry, Set.of(IpFamily.IPV4), InstantSource.system()),
          json -> json.put("lastContactSeconds", 7));

  @BeforeEach
  void open() {
    server.open(true, problem -> {});
  }

  private Instant now() {
    return START.plusSeconds(seconds + clockIsOff);
  }

  static Stream<List<String>> table() throws IOException {
    String text;
    try (var in = ProxyHealthServerTest.class.getResourceAsStream(RESOURCE)) {
      text = new String(in.readAllBytes(), UTF_8);
    }
    return text.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> {
          List<String> cells = new ArrayList<>();
          for (String cell : line.split("\\|", -1)) {
            cells.add(cell.strip());
          }
          return cells;
        });
  }

  @ParameterizedTest
  @MethodSource("table")
  void stepsLeadToAnAnswer(List<String> row) throws IOException {
    for (String step : row.get(0).split(";", -1)) {
      take(step.strip());
    }
    Instant updated =
        row.get(4).equals("-")
            ? Instant.parse("0001-01-01T00:00:00Z")
            : START.plusSeconds(Long.parseLong(row.get(4)));
    boolean eligible = health.state().eligible();
    for (String path : List.of("/healthz", "/livez")) {
      int code = Integer.parseInt(row.get(path.equals("/healthz") ? 1 : 2));
      boolean healthy = path.equals("/healthz") ? Boolean.parseBoolean(row.get(3)) : code == 200;
      String status =
          row.get(4).equals("-")
              ? ""
              : ",\"status\":{\"IPv4\":{\"lastUpdated\":\"%s\",\"healthy\":%s},\"IPv6\":{\"lastUpdated\":\"%s\",\"healthy\":%s}}"
                  .formatted(updated, healthy, updated, healthy);
      Wire.Answer answer = Wire.get(server.port(), path);
      assertThat(answer.status()).isEqualTo(code);
      assertThat(answer.header("content-type")).isEqualTo("application/json");
      assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
      assertThat(answer.body())
          .isEqualTo(
              "{\"lastUpdated\":\"%s\",\"currentTime\":\"%s\"%s,\"healthy\":%s%s,\"rulesMissing\":%s,\"lastContactSeconds\":7}"
                  .formatted(
                      code == 200 ? now() : updated,
                      now(),
                      path.equals("/healthz") ? ",\"nodeEligible\":" + eligible : "",
                      healthy,
                      status,
                      health.state().rulesMissing()));
      assertThat(registry.text())
          .contains("kubeproxy_proxy_" + path.substring(1) + "_total{code=\"" + code + "\"} 1\n");
    }
  }

  private void take(String step) {
    String[] words = step.split(" ", -1);
    switch (words[0]) {
      case "" -> {}
      case "start" -> health.updated(0);
      case "queue" -> health.queued(Long.parseLong(words[1]));
      case "sync" -> health.updated(Long.parseLong(words[1]));
      case "wait" -> seconds += Long.parseLong(words[1]);
      case "clock" -> clockIsOff += Long.parseLong(words[1]);
      case "node" -> health.eligible(true);
      case "leaving" -> health.eligible(false);
      case "missing" -> health.rulesMissing(true);
      case "back" -> health.rulesMissing(false);
      default -> throw new IllegalArgumentException(step);
    }
  }

  @Test
  void nothingElseIsAnswered() throws IOException {
    assertThat(Wire.get(server.port(), "/").status()).isEqualTo(404);
    assertThat(Wire.get(server.port(), "/healthz/").status()).isEqualTo(404);
    Wire.Answer post = Wire.ask(server.port(), "POST", "/healthz", "x");
    assertThat(post.status()).isEqualTo(405);
    assertThat(post.header("allow")).isEqualTo("GET, HEAD");
    assertThat(Wire.ask(server.port(), "HEAD", "/livez", "").status()).isEqualTo(200);
  }
}
