package dev.portolan.daemon.metrics;

import static java.io.OutputStream.nullOutputStream;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeMetric;
import dev.portolan.mode.ModeSettings;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.source.kube.ResourceState;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.log.LogSettings;
import dev.portolan.telemetry.log.Logs;
import dev.portolan.telemetry.log.Streams;
import dev.portolan.telemetry.metrics.BuildInfo;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.telemetry.metrics.MetricRow;
import dev.portolan.telemetry.metrics.ProcessMetrics;
import dev.portolan.testbase.ParsedText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every mode has the metrics that kube-proxy has in it: names, types, labels, bounds. */
final class KubeProxyMetricsTest {
  private static final String RESOURCE = "/metrics/kube-proxy.table";
  private static final LogSettings QUIET =
      new LogSettings(false, 0, List.of(), false, "0", Duration.ofSeconds(5));

  /** A row of the table; the bounds are spelt out. */
  private record Row(String type, Set<String> labels, List<String> bounds, Set<String> modes) {}

  @ParameterizedTest
  @ValueSource(
      strings = {"nftables", "nftables+localhost", "iptables", "ipvs", "kernelspace", "other"})
  void theModeHasItsMetrics(String mode) throws IOException {
    Map<String, Row> expected = new TreeMap<>();
    table()
        .forEach((name, row) -> {
          if (row.modes.contains("all")
              || row.modes.contains(mode)
              || row.modes.contains(mode.replace("+localhost", ""))) {
            expected.put(name, row);
          }
        });

    List<ModeMetric> own = own(mode);
    Map<String, ParsedText.Parsed> shown = everythingMeasured(mode, own);
    Set<String> names = new TreeSet<>(shown.keySet());
    own.forEach(metric -> names.add(metric.row().name()));
    names.removeIf(name -> !name.startsWith("kube"));
    assertThat(names).containsExactlyElementsOf(expected.keySet());
    expected.forEach((name, row) -> {
      MetricRow known = Objects.requireNonNull(MetricRow.ALL.get(name));
      assertThat(known.type().toString()).as(name).isEqualTo(row.type);
      assertThat(known.help()).as(name).isNotBlank();
      assertThat(known.labels()).as(name).containsExactlyElementsOf(row.labels);
      assertThat(Optional.ofNullable(shown.get(name)).map(KubeProxyMetricsTest::bounds))
          .as(name)
          .isEqualTo(Optional.ofNullable(shown.get(name)).map(family -> row.bounds));
    });
  }

  @Test
  void ourOwnMetricsAreInEveryMode() {
    assertThat(everythingMeasured("nftables", own("nftables")).keySet())
        .filteredOn(name -> name.startsWith("portolan_"))
        .containsExactly(
            "portolan_api_server_silent_seconds",
            "portolan_audit_differences",
            "portolan_conntrack_flows_ended_total",
            "portolan_drift_contested",
            "portolan_drift_repairs_total",
            "portolan_network_programming_duration_seconds",
            "portolan_revision",
            "portolan_rules_missing",
            "portolan_sync_failures_total",
            "portolan_watch_errors_total",
            "portolan_watch_lists_total",
            "portolan_watch_opened_total",
            "portolan_watch_silent_seconds",
            "portolan_watch_synced");
  }

  private static List<String> bounds(ParsedText.Parsed family) {
    return family.samples().stream()
        .filter(sample -> sample.name().endsWith("_bucket"))
        .map(sample -> sample.labels().get("le"))
        .distinct()
        .toList();
  }

  /** What the mode alone measures. */
  private static List<ModeMetric> own(String mode) {
    ModeSettings usual = ModeConfiguration.byDefault();
    ModeSettings settings =
        mode.endsWith("+localhost")
            ? usual.rejectingOnLocalhost(Map.of(IpFamily.IPV4, Set.of(Protocol.UDP)))
            : usual;
    return known(mode).map(it -> it.rules(settings).measured()).orElse(List.of());
  }

  private static Optional<Mode> known(String mode) {
    return KernelModes.worded(mode.replace("+localhost", ""));
  }

  /** The text after everything was measured once but what is read from a backend. */
  private static Map<String, ParsedText.Parsed> everythingMeasured(
      String mode, List<ModeMetric> own) {
    MetricRegistry registry = new MetricRegistry();
    List<Observer> observers = new ArrayList<>();
    if (known(mode).filter(it -> !it.isForWindows()).isPresent()) {
      observers.add(new FlowMetrics(registry));
    }
    own.forEach(metric -> observers.add(metric.counting().register(registry, new NoBackend())));
    Measurements.everyMode(registry, observers);
    BackendException failure = new BackendException("refused");
    for (Observer observer : observers) {
      observer.failed(failure, Duration.ZERO, Duration.ZERO);
      observer.notTidied();
      observer.flowsEnded(new Cleaning(List.of(pass(IpFamily.IPV4), pass(IpFamily.IPV6))));
    }
    try (Logs logs = Logs.open(QUIET, new Streams(nullOutputStream(), nullOutputStream()))) {
      LocalhostMetrics localhost = new LocalhostMetrics(registry, logs.of("test"));
      if (mode.endsWith("+localhost")) {
        localhost.listening(IpFamily.IPV4, 3);
        localhost.notOpened(IpFamily.IPV4, 30080, "taken", false);
      }
    }
    ClientMetrics client = new ClientMetrics(registry);
    client.silence(() -> Duration.ofSeconds(5));
    client.watches(() ->
        List.of(
            new ResourceState(
                "services", true, Optional.of(Duration.ofMillis(1500)), "7", 1, 2, 3, "")));
    ProcessMetrics.build(registry, BuildInfo.of("1", "37", "v0.1"));
    ProcessMetrics.features(registry).with("Some", "BETA").set(1);
    return ParsedText.parse(registry.text());
  }

  private static Cleaning.Pass pass(IpFamily family) {
    return new Cleaning.Pass(family, 9, Map.of(), 7, 0, 0, Optional.empty(), Duration.ofMillis(3));
  }

  /** Nothing is read from it. */
  private record NoBackend() implements Backend {
    @Override
    public void sync(NodeChange change) {}

    @Override
    public void cleanup() {}
  }

  private static Map<String, Row> table() throws IOException {
    String text;
    try (var in = KubeProxyMetricsTest.class.getResourceAsStream(RESOURCE)) {
      text = new String(in.readAllBytes(), UTF_8);
    }
    List<String> lines =
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    Map<String, List<String>> bounds =
        lines.stream()
            .filter(line -> line.startsWith("bounds "))
            .map(line -> line.substring("bounds ".length()).split(" *= *", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> words(pair[1])));
    Map<String, Row> rows = new TreeMap<>();
    for (String line : lines) {
      if (!line.startsWith("bounds ")) {
        List<String> cells = new ArrayList<>();
        for (String cell : line.split("\\|", -1)) {
          cells.add(cell.strip());
        }
        rows.put(
            cells.get(0),
            new Row(
                cells.get(1),
                new LinkedHashSet<>(words(cells.get(2))),
                cells.get(3).isEmpty() ? List.of() : bounds.get(cells.get(3)),
                Set.copyOf(words(cells.get(4)))));
      }
    }
    return rows;
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" +", -1));
  }
}
