package dev.portolan.status.pages;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.telemetry.http.Wire;
import dev.portolan.telemetry.metrics.Counter;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.testbase.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ManagementServerTest {
  private static final String JSON = "application/json;v=v1beta1;g=config.k8s.io;as=";

  private final MetricRegistry registry = new MetricRegistry();
  private final Counter counter = registry.counters("some_total", "Some.").with();
  private final List<String> verbosities = new ArrayList<>();
  @AutoClose private ManagementServer server;

  @Test
  void thePagesOfKubeProxyAreThere() throws IOException {
    open(false, false);
    counter.add(4);
    Wire.Answer metrics = get("/metrics");
    assertThat(metrics.header("content-type"))
        .isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    assertThat(metrics.body())
        .isEqualTo("# HELP some_total Some.\n# TYPE some_total counter\nsome_total 4\n");
    Wire.Answer mode = get("/proxyMode");
    assertThat(mode.body()).isEqualTo("nftables");
    assertThat(mode.header("content-type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(mode.header("x-content-type-options")).isEqualTo("nosniff");
    Wire.Answer configz = get("/configz");
    assertThat(configz.body())
        .isEqualTo("{\"kubeproxy.config.k8s.io\":{\"kind\":\"KubeProxyConfiguration\"}}");
    assertThat(configz.header("content-type")).isEqualTo("application/json");
    assertThat(get("/healthz").body()).isEqualTo("ok");
    assertThat(get("/metrics/slis").body())
        .contains("kubernetes_healthcheck{name=\"ping\",type=\"healthz\"} 1\n")
        .contains(
            "kubernetes_healthchecks_total{name=\"ping\",status=\"success\",type=\"healthz\"} 1\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/statusz", "/flagz", "/debug/pprof/", "/debug/flags/v", "/metrics/", "/x"})
  void whatIsNotThereIsNotFound(String path) throws IOException {
    open(false, false);
    assertThat(get(path).status()).isEqualTo(404);
  }

  @Test
  void nothingCanBeChanged() throws IOException {
    open(false, false);
    assertThat(Wire.ask(server.port(), "POST", "/metrics", "x").status()).isEqualTo(405);
    assertThat(Wire.ask(server.port(), "PUT", "/debug/flags/v", "9").status()).isEqualTo(405);
    assertThat(Wire.ask(server.port(), "HEAD", "/metrics", "").status()).isEqualTo(200);
    assertThat(verbosities).isEmpty();
  }

  @Test
  void statuszAndFlagzSpeakToPeople() throws IOException {
    open(true, false);
    assertThat(get("/statusz").body())
        .startsWith("\nkube-proxy statusz\n")
        .contains("\nStarted: 2026-01-01T00:00:00Z\nUp: ")
        .contains("\nGo version: java25\nBinary version: 0.1\nEmulation version: 1.37\n")
        .endsWith("\nPaths: /configz /flagz /healthz /metrics /proxyMode /statusz\n");
    assertThat(get("/flagz").body())
        .startsWith("\nkube-proxy flagz\n")
        .endsWith("\n\nproxy-mode=nftables\nv=2\n");
  }

  @Test
  void statuszAndFlagzSpeakToPrograms() throws IOException {
    open(true, false);
    Wire.Answer statusz = get("/statusz", "Accept: " + JSON + "Statusz");
    assertThat(statusz.header("content-type")).isEqualTo("application/json");
    assertThat(statusz.body())
        .startsWith(
            "{\"kind\":\"Statusz\",\"apiVersion\":\"config.k8s.io/v1beta1\","
                + "\"metadata\":{\"name\":\"kube-proxy\"},"
                + "\"startTime\":\"2026-01-01T00:00:00Z\",\"uptimeSeconds\":")
        .endsWith(
            ",\"goVersion\":\"java25\",\"binaryVersion\":\"0.1\",\"emulationVersion\":\"1.37\","
                + "\"paths\":[\"/configz\",\"/flagz\",\"/healthz\",\"/metrics\",\"/proxyMode\",\"/statusz\"]}");
    assertThat(get("/flagz", "Accept: " + JSON.replace("v1beta1", "v1alpha1") + "Flagz").body())
        .isEqualTo(
            "{\"kind\":\"Flagz\",\"apiVersion\":\"config.k8s.io/v1alpha1\","
                + "\"metadata\":{\"name\":\"kube-proxy\"},"
                + "\"flags\":{\"proxy-mode\":\"nftables\",\"v\":\"2\"}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/* | 200",
        "text/plain | 200",
        "text/html, */*;q=0.8 | 200",
        "application/json | 406",
        "application/json;v=v1;g=config.k8s.io;as=Flagz | 406",
        "application/json;v=v1beta1;g=config.k8s.io;as=Statusz | 406",
        "application/yaml | 406",
      })
  void otherFormatsAreNotOffered(String accept, int status) throws IOException {
    open(true, false);
    assertThat(get("/flagz", "Accept: " + accept).status()).isEqualTo(status);
  }

  @Test
  void profilesAreThereWhereTheyAreAskedFor() throws IOException {
    open(false, true);
    assertThat(get("/debug/pprof/").body()).contains("goroutine").contains("profile");
    assertThat(get("/debug/pprof/goroutine").body()).contains("Full thread dump");
    assertThat(get("/debug/pprof/heap").body()).contains("java.lang.String");
    assertThat(get("/debug/pprof/cmdline").body()).contains("java");
    assertThat(get("/debug/pprof/profile?seconds=0").status()).isEqualTo(400);
    assertThat(get("/debug/pprof/profile?seconds=x").status()).isEqualTo(400);
    assertThat(get("/debug/pprof/symbol").status()).isEqualTo(404);
    assertThat(get("/debug/pprof/profile?seconds=1").body()).startsWith("FLR");
  }

  @Test
  void aRecordingHoldsNothingOfTheEnvironment(@TempDir Path folder) throws IOException {
    open(false, true);
    Path file = folder.resolve("profile.jfr");
    Files.write(file, get("/debug/pprof/profile?seconds=1").body().getBytes(ISO_8859_1));
    assertThat(RecordingFile.readAllEvents(file))
        .extracting(event -> event.getEventType().getName())
        .contains("jdk.OSInformation")
        .doesNotContain(
            "jdk.InitialEnvironmentVariable",
            "jdk.InitialSystemProperty",
            "jdk.InitialSecurityProperty",
            "jdk.JVMInformation",
            "jdk.SystemProcess",
            "jdk.ProcessStart");
  }

  @Test
  void oneRecordingIsMadeAtATime() throws Exception {
    open(false, true);
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<Integer> first = threads.submit(() -> get("/debug/pprof/profile?seconds=2").status());
      int second = 200;
      while (second != 503 && !first.isDone()) {
        second = get("/debug/pprof/profile?seconds=1").status();
      }
      // Whichever came second was refused.
      assertThat(List.of(first.get(), second)).contains(503);
    }
  }

  @Test
  void theVerbosityIsSetByPut() throws IOException {
    open(false, true);
    Wire.Answer good = Wire.ask(server.port(), "PUT", "/debug/flags/v", "4\n");
    assertThat(good.status()).isEqualTo(200);
    assertThat(good.body()).isEqualTo("the verbosity is 4\n");
    Wire.Answer bad = Wire.ask(server.port(), "PUT", "/debug/flags/v", "loud");
    assertThat(bad.status()).isEqualTo(400);
    assertThat(bad.body()).isEqualTo("'loud' is not a valid number\n");
    assertThat(get("/debug/flags/v").status()).isEqualTo(406);
    assertThat(verbosities).containsExactly("4");
  }

  @Test
  void manyScrapeAtOnce() throws Exception {
    open(false, false);
    ConcurrentLinkedQueue<String> bodies = new ConcurrentLinkedQueue<>();
    List<Future<?>> scrapes = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 40; i++) {
        scrapes.add(
            threads.submit(() -> {
              counter.increment();
              bodies.add(get("/metrics").body());
              return null;
            }));
      }
      for (Future<?> scrape : scrapes) {
        scrape.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    }
    assertThat(bodies).hasSize(40).allMatch(body -> body.contains("\nsome_total "));
    assertThat(get("/metrics").body()).endsWith("some_total 40\n");
  }

  private Wire.Answer get(String path, String... headers) throws IOException {
    return Wire.get(server.port(), path, headers);
  }

  private void open(boolean status, boolean profiling) {
    server =
        new ManagementServer(
            "127.0.0.1:0",
            new ManagementServer.Pages(
                registry,
                "nftables",
                () -> "{\"kind\":\"KubeProxyConfiguration\"}",
                status
                    ? Optional.of(
                        new ManagementServer.Status(
                            Instant.parse("2026-01-01T00:00:00Z"), "java25", "0.1", "1.37"))
                    : Optional.empty(),
                status
                    ? Optional.of(() -> new TreeMap<>(Map.of("v", "2", "proxy-mode", "nftables")))
                    : Optional.empty(),
                profiling ? Optional.of(this::verbosity) : Optional.empty()));
    server.open(true, problem -> {});
  }

  private String verbosity(String text) {
    if (!text.matches("\\d+")) {
      throw new IllegalArgumentException("'" + text + "' is not a valid number");
    }
    verbosities.add(text);
    return "the verbosity is " + text;
  }
}
