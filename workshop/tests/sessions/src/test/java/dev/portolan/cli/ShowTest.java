package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must hold for all listings, with names too long to read; the rest are sessions. */
final class ShowTest {
  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: only}
      spec: {podCIDRs: [10.244.0.0/24]}
      status: {addresses: [{type: InternalIP, address: 192.168.0.1}]}
      """;

  @Test
  void bothTreesAreTheSame() {
    Map<String, String> kinds =
        Map.of("services", "ServiceList", "endpoints", "EndpointList", "node", "Node");
    for (String listing : kinds.keySet()) {
      assertThat(Shell.shop("worker-1", "show", listing, "-o", "yaml").tree())
          .containsEntry("kind", kinds.get(listing));
      assertThat(Shell.shop("worker-1", "show", listing, "-o", "yaml").tree())
          .isEqualTo(Shell.shop("worker-1", "show", listing, "-o", "json").tree());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"services", "endpoints", "node"})
  void fitsTheTerminalAndIsNeverCutIntoAPipe(String listing, @TempDir Path folder)
      throws IOException {
    String longest = "a".repeat(63);
    StringBuilder text = new StringBuilder(NODE.replace("only", "n".repeat(253)));
    for (String[] address :
        new String[][] {
          {"IPv4", "10.96.255.254", "10.244.255.254"},
          {"IPv6", "fd00:1111:2222:3333:4444:5555:6666:7777", "fd00:1:2222:3333:4444:5555:6666:7"}
        }) {
      String name = longest.substring(4) + address[0].charAt(3) + "xy";
      text.append("---\n")
          .append(service(longest, name, address[1], "p".repeat(15), 65535))
          .append("  type: NodePort\n  externalTrafficPolicy: Local\n")
          .append("---\n")
          .append(
              """
              apiVersion: discovery.k8s.io/v1
              kind: EndpointSlice
              metadata:
                namespace: %s
                name: %s
                labels: {kubernetes.io/service-name: %s}
              addressType: %s
              ports: [{name: %s, port: 65535, protocol: SCTP}]
              endpoints: [{addresses: ["%s"], nodeName: %s}]
              """
                  .formatted(
                      longest,
                      name,
                      name,
                      address[0],
                      "p".repeat(15),
                      address[2],
                      "n".repeat(253)));
    }
    Shell.write(
        folder,
        "long.yaml",
        text.toString().replace("port: 65535}]", "port: 65535, nodePort: 65535}]"));

    for (int columns : new int[] {80, 132}) {
      Result result = Shell.onScreen(columns, "show", "--from", "file:" + folder, listing);

      assertThat(result.err()).isEmpty();
      assertThat(result.status()).isZero();
      assertThat(result.lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
    }
    assertThat(Shell.onScreen(80, "show", "--from", "file:" + folder, listing, "-o", "wide").out())
        .doesNotContain("…");
    assertThat(Shell.over(folder, "show", listing).out())
        .contains("n".repeat(listing.equals("services") ? 0 : 253))
        .doesNotContain("…");
  }

  @Test
  void aPipeGetsHelpWithoutColours() {
    assertThat(Shell.run("show", "--help").out()).doesNotContain("\u001b");
  }

  private static String service(String namespace, String name, String ip, String port, int number) {
    return """
    apiVersion: v1
    kind: Service
    metadata: {namespace: %s, name: %s}
    spec:
      clusterIP: "%s"
      clusterIPs: ["%s"]
      ports: [{name: %s, protocol: SCTP, port: %d}]
    """
        .formatted(namespace, name, ip, ip, port, number);
  }
}
