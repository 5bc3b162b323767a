package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers too long to read, and a width that all answers keep; the rest are sessions. */
final class ExplainTest {
  /** The only answer. */
  private static Map<String, Object> answer(Map<String, Object> tree) {
    List<Map<String, Object>> answers = Shell.list(tree.get("answers"));
    assertThat(answers).hasSize(1);
    return answers.getFirst();
  }

  @Test
  void manyEndpointsAreCounted(@TempDir Path folder) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            apiVersion: v1
            kind: Service
            metadata: {name: large}
            spec: {clusterIP: 10.96.0.21, ports: [{port: 80}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: large-1, labels: {kubernetes.io/service-name: large}}
            addressType: IPv4
            ports: [{port: 8080}]
            endpoints:
            """);
    for (int i = 1; i <= 200; i++) {
      text.append("- {addresses: [10.1.0.").append(i).append("], conditions: {ready: ");
      text.append(i <= 60).append("}}\n");
    }
    Files.writeString(folder.resolve("m.yaml"), text);
    Result result = Shell.over(folder, "explain", "--node=n1", "large");
    assertThat(result.lines())
        .contains("  and 10 more; -o json has all of them")
        .contains("  and 90 more; -o json has all of them");
    assertThat(
            Shell.list(
                answer(Shell.over(folder, "explain", "--node=n1", "large", "-o", "json").tree())
                    .get("leftOut")))
        .hasSize(140);
  }

  @Test
  void staysWithinEightyColumns() {
    for (String target : List.of("shop/web", "shop/cart", "203.0.113.10:443", "10.96.99.99:80")) {
      assertThat(Shell.shop("worker-1", "explain", target).lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }
  }
}
