package dev.portolan.house;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.mode.Mode;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.telemetry.metrics.MetricRow;
import dev.portolan.testbase.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The documents, the alerts and the dashboard follow from the table of metrics; {@code -Dupdate}
 * rewrites the table in docs/metrics.md.
 */
final class MetricsTest {
  private static final Path DOCUMENT = Modules.ROOT.resolve("docs/metrics.md");
  private static final Pattern ROWS = Pattern.compile("(?m)(^\\| `portolan_.*\\n)+");
  private static final Pattern USED =
      Pattern.compile("\\b((?:portolan|kubeproxy|rest_client|process)_\\w+)");
  private static final Pattern LITERAL = Pattern.compile("\"([a-z]+_[a-z_]+)\"");

  @Test
  void theDocumentHasOurMetrics() throws IOException {
    String page = Files.readString(DOCUMENT);
    String rows =
        MetricRow.ALL.values().stream()
            .filter(row -> row.name().startsWith("portolan_"))
            .sorted(Comparator.comparing(MetricRow::name))
            .map(MetricsTest::documented)
            .collect(joining());
    String right = ROWS.matcher(page).replaceFirst(_ -> rows);
    if (Golden.UPDATE) {
      Files.writeString(DOCUMENT, right);
    }
    assertThat(Files.readString(DOCUMENT)).contains(rows).isEqualTo(right);
  }

  private static String documented(MetricRow row) {
    String labels = row.labels().stream().map(label -> "`" + label + "`").collect(joining(", "));
    String help = row.help();
    String meaning =
        row.meaning().equals("-")
            ? help.substring(0, 1).toLowerCase(Locale.ROOT) + help.substring(1, help.length() - 1)
            : row.meaning();
    return "| `%s` | %s | %s| %s | %s |\n"
        .formatted(
            row.name(), row.type(), labels.isEmpty() ? "" : labels + " ", where(row), meaning);
  }

  private static String where(MetricRow row) {
    return row.where().replace("{modes}", "daemon in mode " + String.join(", ", modes(row.name())));
  }

  private static List<String> modes(String metric) {
    return KernelModes.ALL.stream()
        .filter(mode ->
            mode.rules(ModeConfiguration.byDefault()).measured().stream()
                .anyMatch(one -> one.row().name().equals(metric)))
        .map(Mode::word)
        .toList();
  }

  @Test
  void aMetricThatModesMeasureSaysSo() {
    assertThat(MetricRow.ALL.values())
        .allSatisfy(row ->
            assertThat(row.where().equals("{modes}"))
                .as(row.name())
                .isEqualTo(!modes(row.name()).isEmpty()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"deploy/alerts/portolan.yaml", "deploy/dashboards/portolan.json"})
  void whatIsDeployedNamesMetricsThatThereAre(String file) throws IOException {
    assertThat(USED.matcher(Files.readString(Modules.ROOT.resolve(file))).results())
        .hasSizeGreaterThan(10)
        .map(MatchResult::group)
        .allSatisfy(name ->
            assertThat(MetricRow.ALL.keySet())
                .containsAnyOf(name, name.replaceAll("_(bucket|sum|count)$", "")));
  }

  /** A name that is only in the table would never be shown; a literal may be its beginning. */
  @Test
  void everyMetricIsCountedSomewhere() throws IOException {
    Set<String> literals = new HashSet<>();
    for (String module : Modules.all()) {
      Path main = Modules.ROOT.resolve(module).resolve("src/main/java");
      if (Files.isDirectory(main)) {
        try (Stream<Path> files = Files.walk(main)) {
          for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
            LITERAL
                .matcher(Files.readString(file))
                .results()
                .forEach(match -> literals.add(match.group(1)));
          }
        }
      }
    }
    assertThat(MetricRow.ALL.keySet())
        .allSatisfy(name ->
            assertThat(literals)
                .anyMatch(literal ->
                    literal.endsWith("_") ? name.startsWith(literal) : name.equals(literal)));
  }
}
