package dev.portolan.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts and the dashboard, as Prometheus itself reads them. */
@NeedsBuilt("promtool")
final class AlertsTest {
  private static final Path ALERTS = Path.of("deploy/alerts/portolan.yaml");
  private static final Path DASHBOARD = Path.of("deploy/dashboards/portolan.json");

  @TempDir private Path folder;

  private static List<String> found(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(AlertsTest::group).toList();
  }

  private static String group(MatchResult match) {
    return match.group(1);
  }

  @Test
  void prometheusTakesTheAlerts() {
    assertThat(Peers.run("promtool", "", List.of("check", "rules", ALERTS.toString())))
        .contains("SUCCESS");
  }

  @Test
  void eachAlertComesWhenItIsDue() throws IOException {
    Path tests = Path.of("deploy/alerts/portolan-test.yaml");
    assertThat(Peers.run("promtool", "", List.of("test", "rules", tests.toString())))
        .contains("SUCCESS");
    List<String> tested = found("alertname: (\\w+)\n    exp_alerts:", Files.readString(tests));
    assertThat(found("- alert: (\\w+)", Files.readString(ALERTS)))
        .doesNotHaveDuplicates()
        .isSubsetOf(tested);
  }

  @Test
  void prometheusTakesTheQueriesOfTheDashboard() throws IOException {
    List<String> queries = found("\"expr\": \"(.*)\"", Files.readString(DASHBOARD));
    assertThat(queries).hasSizeGreaterThan(15);
    StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
    for (int i = 0; i < queries.size(); i++) {
      String query =
          queries
              .get(i)
              .replace("\\\"", "\"")
              .replace("$__rate_interval", "5m")
              .replace("$instance", ".*");
      rules.append("  - record: query_").append(i).append("\n    expr: >-\n      ");
      rules.append(query).append('\n');
    }
    Path file = Files.writeString(folder.resolve("queries.yaml"), rules);
    assertThat(Peers.run("promtool", "", List.of("check", "rules", file.toString())))
        .contains("SUCCESS: " + queries.size() + " rules found");
  }

  @Test
  @NeedsBuilt({"promtool", "helm"})
  void theChartHasBothIfAskedTo() throws IOException {
    List<String> address = List.of("apiServer=https://api-server.example:6443");
    assertThat(Chart.template(address)).doesNotContain("PrometheusRule", "portolan.json");
    String text =
        Chart.template(
            List.of(
                address.getFirst(),
                "metrics.rules.enabled=true",
                "metrics.rules.labels.release=prometheus",
                "metrics.dashboard.enabled=true"));
    int start = text.indexOf("spec:\n", text.indexOf("kind: PrometheusRule"));
    String rest = text.substring(start + "spec:\n".length());
    int end = rest.indexOf("\n---");
    Path rules =
        Files.writeString(
            folder.resolve("rules.yaml"),
            (end < 0 ? rest : rest.substring(0, end)).stripIndent() + "\n");
    assertThat(Peers.run("promtool", "", List.of("check", "rules", rules.toString())))
        .contains("SUCCESS");
    assertThat(found("- alert: (\\w+)", Files.readString(rules)))
        .isEqualTo(found("- alert: (\\w+)", Files.readString(ALERTS)));
    assertThat(text).contains("grafana_dashboard: \"1\"", "portolan.json:", "release: prometheus");
  }
}
