package dev.portolan.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which format a client gets, and what OpenMetrics looks like. */
class ExpositionFormatTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                                                       | TEXT
          */*                                                                      | TEXT
          text/plain                                                               | TEXT
          application/openmetrics-text                                             | OPEN_METRICS
          application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5 | OPEN_METRICS
          application/openmetrics-text; version=0.0.1                              | OPEN_METRICS
          application/openmetrics-text;version=2.0.0,*/*;q=0.1                     | TEXT
          application/openmetrics-text;version=1.0.0;q=0.3,text/plain;q=0.7        | TEXT
          application/openmetrics-text;q=0                                         | TEXT
          application/openmetrics-text;q=much                                      | TEXT
          Application/OpenMetrics-Text;Version=1.0.0;Q=0.8, text/plain;q=0.5       | OPEN_METRICS
          """)
  void theFormatIsTheOneThatIsAskedFor(String header, ExpositionFormat format) {
    assertThat(ExpositionFormat.accepted(header)).isEqualTo(format);
  }

  @Test
  void openMetricsNamesCountersWithoutTheirSuffixAndEnds() {
    MetricRegistry registry = new MetricRegistry();
    registry.counters("syncs_total", "Syncs, \"all\" of them.", "kind").with("full").increment();
    registry.gauges("nodes", "Nodes.").with().set(2.5);
    registry.histograms("seconds", "Time.", Buckets.of(0.5, 1)).with().observe(0.7);
    registry.read(
        MetricType.COUNTER, "odd", "Without a suffix.", List.of(), samples -> samples.add(3));
    assertThat(registry.text(ExpositionFormat.OPEN_METRICS))
        .isEqualTo(
            """
            # HELP nodes Nodes.
            # TYPE nodes gauge
            nodes 2.5
            # HELP odd Without a suffix.
            # TYPE odd counter
            odd_total 3
            # HELP seconds Time.
            # TYPE seconds histogram
            seconds_bucket{le="0.5"} 0
            seconds_bucket{le="1.0"} 1
            seconds_bucket{le="+Inf"} 1
            seconds_sum 0.7
            seconds_count 1
            # HELP syncs Syncs, \\"all\\" of them.
            # TYPE syncs counter
            syncs_total{kind="full"} 1
            # EOF
            """);
  }
}
