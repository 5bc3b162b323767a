package dev.portolan.telemetry.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What one metric is, out of {@code metrics.table}.
 *
 * @param where the processes that show it, in words
 * @param meaning what docs/metrics.md says of it where that is more than {@code help}; or -
 */
public record MetricRow(
    String name, MetricType type, List<String> labels, String where, String help, String meaning) {
  /** All rows by name. */
  public static final Map<String, MetricRow> ALL = read();

  private static Map<String, MetricRow> read() {
    try (InputStream in =
        Objects.requireNonNull(MetricRow.class.getResourceAsStream("metrics.table"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.split(" \\| ", 6))
          .map(MetricRow::parse)
          .collect(Collectors.toUnmodifiableMap(MetricRow::name, row -> row));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MetricRow parse(String[] cells) {
    return new MetricRow(
        cells[0],
        MetricType.valueOf(cells[1].toUpperCase(Locale.ROOT)),
        cells[2].equals("-") ? List.of() : List.of(cells[2].split(" ", -1)),
        cells[3],
        cells[4],
        cells[5]);
  }

  /** The same, which counts what {@code other} says. */
  public MetricRow helping(String other) {
    return new MetricRow(name, type, labels, where, other, meaning);
  }

  /** The row of this name. */
  public static MetricRow of(String name) {
    MetricRow row = ALL.get(name);
    if (row == null) {
      throw new IllegalArgumentException(name + " is not in metrics.table");
    }
    return row;
  }
}
