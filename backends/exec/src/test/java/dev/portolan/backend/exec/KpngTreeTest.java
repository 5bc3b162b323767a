package dev.portolan.backend.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.exec.ExecOptions.Format;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.source.file.Manifests;
import org.junit.jupiter.api.Test;

/** Corners of KPNG's words; docs/exec.md shows the plain case. */
final class KpngTreeTest {
  @Test
  void aPortWithoutANameHasItsTargetPort() {
    assertThat(
            line(
                """
                spec: {clusterIP: 10.96.0.1, ports: [{port: 80}]}
                """,
                """
                ports: [{port: 8080}]
                endpoints: [{addresses: [10.1.0.1], nodeName: n1}]
                """))
        .isEqualTo(
            "{\"Service\":{\"Namespace\":\"x\",\"Name\":\"s\",\"Type\":\"ClusterIP\","
                + "\"IPs\":{\"ClusterIPs\":{\"V4\":[\"10.96.0.1\"]},\"ExternalIPs\":{}},"
                + "\"Ports\":[{\"Protocol\":1,\"Port\":80,\"TargetPort\":8080}],"
                + "\"SessionAffinity\":null},"
                + "\"Endpoints\":[{\"IPs\":{\"V4\":[\"10.1.0.1\"]},\"Local\":true,"
                + "\"PortOverrides\":[{\"Port\":8080}],"
                + "\"Scopes\":{\"Internal\":true,\"External\":true}}]}");
  }

  @Test
  void aPortOfTwoFamiliesIsOnePort() {
    assertThat(
            line(
                """
                spec:
                  clusterIP: 10.96.0.1
                  clusterIPs: [10.96.0.1, "fd96::1"]
                  ipFamilies: [IPv4, IPv6]
                  ports: [{port: 80}]
                """,
                """
                ports: [{port: 8080}]
                endpoints: [{addresses: [10.1.0.1]}]
                """))
        .contains("\"Ports\":[{\"Protocol\":1,\"Port\":80,\"TargetPort\":8080}]");
  }

  @Test
  void anAddressWithTwoPortsUnderOneNameIsTwoEndpoints() {
    assertThat(
            line(
                """
                spec: {clusterIP: 10.96.0.1, ports: [{name: a, port: 80}, {name: b, port: 81}]}
                """,
                """
                ports: [{name: a, port: 8080}, {name: b, port: 8081}]
                endpoints: [{addresses: [10.1.0.1]}]
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {namespace: x, name: s-2, labels: {kubernetes.io/service-name: s}}
                addressType: IPv4
                ports: [{name: a, port: 9090}]
                endpoints: [{addresses: [10.1.0.1]}]
                """))
        .endsWith(
            "\"Endpoints\":[{\"IPs\":{\"V4\":[\"10.1.0.1\"]},\"PortOverrides\":[{\"Name\":\"a\","
                + "\"Port\":8080},{\"Name\":\"b\",\"Port\":8081}],"
                + "\"Scopes\":{\"Internal\":true,\"External\":true}},"
                + "{\"IPs\":{\"V4\":[\"10.1.0.1\"]},\"PortOverrides\":[{\"Name\":\"a\","
                + "\"Port\":9090}],\"Scopes\":{\"Internal\":true,\"External\":true}}]}");
  }

  private static String line(String service, String slice) {
    String text =
        """
        apiVersion: v1
        kind: Service
        metadata: {namespace: x, name: s}
        """
            + service
            + """
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {namespace: x, name: s-1, labels: {kubernetes.io/service-name: s}}
            addressType: IPv4
            """
            + slice;
    Brain brain = new Brain(warning -> {});
    brain.apply(Manifests.parse("x", text).image());
    return ChangeLines.services(brain.open("n1", NodeSettings.DEFAULT).image(), Format.KPNG)
        .findFirst()
        .orElseThrow();
  }
}
