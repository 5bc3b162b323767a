package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command analyze prints, and how it ends. */
final class AnalyzeTest {
  private static final String MANIFESTS =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: shop}
      spec:
        selector: {app: web}
        ports:
        - name: http
          port: 80
          targetPort: web
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, namespace: shop}
      spec:
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, ports: [{name: http, containerPort: 8080}]}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: db, namespace: store}
      spec:
        type: NodePort
        ports:
        - {name: sql, port: 5432, nodePort: 5432}
      """;

  @TempDir private Path folder;

  @Test
  void theShopHasNoErrors() {
    Result result = Shell.over(Shell.SHOP, "analyze");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("Warning   P0104  Service shop/payments")
        .contains("Info      P0501  Service shop/storefront")
        .doesNotContain("Error ");
    assertThat(result.err())
        .contains("without Pods, 7 checks were not made; add manifests")
        .contains("3 findings: 2 warnings, 1 info; 'portolan analyze --explain P0104' says more");
  }

  @Test
  void theThresholdDecidesOnTheExitStatus() {
    assertThat(Shell.over(Shell.SHOP, "analyze", "--failure-threshold", "warning").status())
        .isEqualTo(1);
    assertThat(
            Shell.over(
                    Shell.SHOP,
                    "analyze",
                    "--failure-threshold=warning",
                    "--suppress=P0104",
                    "--suppress=P0503=monitoring/agent")
                .status())
        .isZero();
    assertThat(Shell.over(manifests(), "analyze", "--severity=error").status()).isEqualTo(1);
  }

  @Test
  void aTableFitsTheTerminalAndNothingIsCut() {
    Result result = Shell.onScreen(80, "analyze", "--from", "file:" + Shell.SHOP);
    assertThat(result.lines()).allMatch(line -> line.length() <= 80);
    assertThat(result.out().replaceAll("\\s+", " ")).contains("have an endpoint", "time out");
    assertThat(Shell.onScreen(80, "analyze", "--from", "file:" + Shell.SHOP, "-o", "wide").lines())
        .allMatch(line -> line.length() <= 80);
    assertThat(Shell.onScreen(80, "analyze", "--list").lines())
        .allMatch(line -> line.length() <= 80);
    assertThat(Shell.onScreen(80, "analyze", "--explain", "all").lines())
        .allMatch(line -> line.length() <= 80);
  }

  @Test
  void manifestsThatAreToBeAppliedAreJudgedByWhatTheySay() {
    Result result = Shell.over(manifests(), "analyze", "-o", "wide");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out())
        .contains("Error P0401 Service shop/web")
        .contains("place   " + folder.resolve("web.yaml") + ":9")
        .contains("called web; they have http 8080/TCP")
        .contains("Warning P0405 Service store/db")
        .doesNotContain("P0104", "P0105");
    assertThat(result.err()).doesNotContain("checks were not made");
  }

  @Test
  void oneNamespaceCanBeLookedAt() {
    Result result = Shell.over(manifests(), "analyze", "-n", "store");
    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("P0405").doesNotContain("shop/");
  }

  @Test
  void theRangeOfNodePortsIsTheOperators() {
    assertThat(Shell.over(manifests(), "analyze", "--node-port-range=5000-6000").out())
        .doesNotContain("P0405");
    Result wrong = Shell.over(manifests(), "analyze", "--node-port-range=6000-5000");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("--node-port-range: '6000-5000' is not a range of ports; write one such as");
  }

  @Test
  void programsGetATree() {
    Map<String, Object> tree = Shell.over(manifests(), "analyze", "-o", "json").tree();
    assertThat(tree)
        .containsEntry("kind", "Analysis")
        .containsEntry("errors", 1)
        .containsEntry("warnings", 1)
        .containsEntry("infos", 0)
        .containsEntry("skippedCodes", List.of());
    assertThat(Shell.list(tree.get("findings")).getFirst())
        .containsEntry("code", "P0401")
        .containsEntry("severity", "error")
        .containsEntry("kind", "Service")
        .containsEntry("namespace", "shop")
        .containsEntry("name", "web")
        .containsEntry("field", "spec.ports[0].targetPort")
        .containsEntry("file", folder.resolve("web.yaml").toString())
        .containsEntry("line", 9)
        .containsKeys("text", "seen", "remedy");
    assertThat(
            Shell.over(manifests(), "analyze", "-o", "jsonpath={range .findings[*]}{.code}\n{end}")
                .out())
        .isEqualTo("P0401\nP0405\n");
  }

  @Test
  void codeHostsGetSarif() {
    Map<String, Object> log = Shell.over(manifests(), "analyze", "-o", "sarif").tree();
    assertThat(log).containsEntry("version", "2.1.0");
    Map<String, Object> run = Shell.list(log.get("runs")).getFirst();
    assertThat(Shell.list(run.get("results")))
        .extracting(one -> one.get("ruleId"))
        .containsExactly("P0401", "P0405");
  }

  @Test
  void standardInputIsReadOnce() {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(MANIFESTS.getBytes(StandardCharsets.UTF_8)));
    try {
      Result result = Shell.run("analyze", "--from", "file:-", "-o", "wide");
      assertThat(result.out()).contains("P0401", "place   standard input:9");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void codesAreExplainedWithoutASource() {
    Result result = Shell.run("analyze", "--explain", "p0502");
    assertThat(result.status()).isZero();
    assertThat(result.out()).startsWith("P0502: Local without health checks").contains("remedy");
    assertThat(Shell.run("analyze", "--list").lines()).hasSizeGreaterThan(50);
    Result unknown = Shell.run("analyze", "--explain", "P9");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("--explain: 'P9' is not a code; 'portolan analyze --list'");
  }

  @Test
  void mistakesOnTheCommandLineAreSentences() {
    assertThat(Shell.run("analyze").err()).contains("--from is required");
    assertThat(Shell.over(Shell.SHOP, "analyze", "--severity=bad").err())
        .contains("--severity: 'bad' is not allowed; write error, warning or info");
    assertThat(Shell.over(Shell.SHOP, "analyze", "--suppress=x").err())
        .contains("--suppress: 'x' does not start with a code");
    assertThat(Shell.over(Shell.SHOP, "analyze", "-o", "xml").status()).isEqualTo(2);
  }

  @Test
  void aBrokenWorkloadIsAMistakeWithItsLine() throws IOException {
    Files.writeString(
        folder.resolve("bad.yaml"),
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec: {template: {spec: {containers: web}}}
        """);
    Result result = Shell.over(folder, "analyze");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("bad.yaml:4").contains("expected a list");
  }

  private Path manifests() {
    try {
      return Shell.write(folder, "web.yaml", MANIFESTS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
