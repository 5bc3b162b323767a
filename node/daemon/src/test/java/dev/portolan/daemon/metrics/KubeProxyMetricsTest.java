package dev.portolan.daemon.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.mode.BackendCounters;
import dev.portolan.source.kube.ResourceState;
import dev.portolan.telemetry.metrics.BuildInfo;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.telemetry.metrics.ProcessMetrics;
import dev.portolan.testbase.ParsedText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every mode has the metrics that kube-proxy has in it: names, types, labels, bounds. */
final class KubeProxyMetricsTest {
  private static final String RESOURCE = "/metrics/kube-proxy.table";

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

    Map<String, ParsedText.Parsed> shown = new TreeMap<>(everythingMeasured(mode));
    shown.keySet().removeIf(name -> !name.startsWith("kube"));
    assertThat(shown.keySet()).containsExactlyElementsOf(expected.keySet());
    expected.forEach((name, row) -> {
      ParsedText.Parsed family = shown.get(name);
      assertThat(family.type()).as(name).isEqualTo(row.type);
      assertThat(family.help()).as(name).isNotBlank();
      for (ParsedText.Sample sample : family.samples()) {
        Set<String> labels = new LinkedHashSet<>(sample.labels().keySet());
        labels.remove("le");
        assertThat(labels).as(name).containsExactlyElementsOf(row.labels);
      }
      assertThat(bounds(family)).as(name).containsExactlyElementsOf(row.bounds);
    });
  }

  @Test
  void ourOwnMetricsAreInEveryMode() {
    assertThat(everythingMeasured("nftables").keySet())
        .filteredOn(name -> name.startsWith("portolan_"))
        .containsExactly(
            "portolan_api_server_silent_seconds",
            "portolan_audit_differences",
            "portolan_conntrack_flows_ended_total",
            "portolan_drift_contested",
            "portolan_drift_repairs_total",
            "portolan_ipvs_takeover_connections",
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

  /** The text after everything was measured once, whatever the mode. */
  private static Map<String, ParsedText.Parsed> everythingMeasured(String mode) {
    MetricRegistry registry = new MetricRegistry();
    String name = mode.replace("+localhost", "");
    Measurements.everyMode(registry, name);
    BackendMetrics backend = new BackendMetrics(registry, name, mode.endsWith("+localhost"));
    for (IpFamily family : IpFamily.values()) {
      backend.syncFailed(family);
      backend.nftablesCleanupFailed(family);
      backend.localhostListeners(family, 3);
      backend.localhostListenerFailed(family);
      backend.flowsEnded(family, 7, Duration.ofMillis(3));
    }
    backend.count(new EveryCounter());
    backend.takeover(() -> 4);
    backend.silence(() -> Duration.ofSeconds(5));
    backend.watches(() ->
        List.of(
            new ResourceState(
                "services", true, Optional.of(Duration.ofMillis(1500)), "7", 1, 2, 3, "")));
    ProcessMetrics.build(registry, BuildInfo.of("1", "37", "v0.1"));
    ProcessMetrics.features(registry).with("Some", "BETA").set(1);
    return ParsedText.parse(registry.text());
  }

  /** A backend that counts everything. */
  private record EveryCounter() implements BackendCounters {
    @Override
    public List<BalancerFailures> balancerFailures() {
      return Stream.of("create", "update", "delete")
          .map(change -> new BalancerFailures(change, IpFamily.IPV4, "clusterip", "other", 3))
          .toList();
    }

    @Override
    public List<RestoreStatus> restores() {
      return List.of(new RestoreStatus(IpFamily.IPV4, 2, 1, table -> 40, table -> 2));
    }

    @Override
    public OptionalLong droppedInvalid() {
      return OptionalLong.of(11);
    }

    @Override
    public OptionalLong acceptedOnLocalhost() {
      return OptionalLong.of(12);
    }

    @Override
    public List<RejectedPackets> rejectedOnLocalhost() {
      return List.of(new RejectedPackets(IpFamily.IPV4, Protocol.UDP, 13));
    }
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
