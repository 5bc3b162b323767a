package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is too long to read; the rest are sessions. */
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

  @Test
  void whatIsSaidOfAllCodesFitsTheTerminal() {
    assertThat(Shell.onScreen(80, "analyze", "--list").lines())
        .allMatch(line -> line.length() <= 80);
    assertThat(Shell.onScreen(80, "analyze", "--explain", "all").lines())
        .allMatch(line -> line.length() <= 80);
  }

  @Test
  void codeHostsGetSarif(@TempDir Path folder) throws IOException {
    Shell.write(folder, "web.yaml", MANIFESTS);
    Map<String, Object> log = Shell.over(folder, "analyze", "-o", "sarif").tree();
    assertThat(log).containsEntry("version", "2.1.0");
    Map<String, Object> run = Shell.list(log.get("runs")).getFirst();
    assertThat(Shell.list(run.get("results")))
        .extracting(one -> one.get("ruleId"))
        .containsExactly("P0401", "P0405");
  }
}
