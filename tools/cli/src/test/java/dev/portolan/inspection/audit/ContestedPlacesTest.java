package dev.portolan.inspection.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.audit.AuditDifference;
import dev.portolan.brain.Brain;
import dev.portolan.source.file.Manifests;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which differences are no fault of a kube-proxy, as objects contradict each other. */
final class ContestedPlacesTest {
  private static final String CLUSTER =
      """
      apiVersion: v1
      kind: Service
      metadata: {namespace: shop, name: first}
      spec:
        type: NodePort
        clusterIPs: [10.96.30.1]
        externalIPs: [203.0.113.1]
        ports: [{port: 80, nodePort: 30080}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {namespace: shop, name: second}
      spec:
        type: NodePort
        clusterIPs: [10.96.30.2]
        externalIPs: [203.0.113.1]
        ports: [{port: 80, nodePort: 30080}]
      """;

  private final ContestedPlaces places;

  ContestedPlacesTest() {
    Brain brain = new Brain(warning -> {});
    brain.apply(Manifests.parse("cluster.yaml", CLUSTER).image());
    places = new ContestedPlaces(brain.decision());
  }

  @ParameterizedTest
  @CsvSource({
    "203.0.113.1:80/TCP, true",
    "192.168.10.11:30080/TCP, true",
    "'[fd00::1]:30080/TCP', true",
    "203.0.113.1:81/TCP, false",
    "192.168.10.11:30080/UDP, false",
    "10.96.30.1:80/TCP, false",
    "10.96.30.2:80/TCP, false"
  })
  void anAddressOfTwoServicesIsContested(String place, boolean contested) {
    AuditDifference difference =
        new AuditDifference(
            AuditDifference.Kind.DIFFERENT,
            AuditDifference.Basis.PACKETS,
            place,
            "shop/first",
            "it differs");
    assertThat(places.explain(difference)).isEqualTo(contested);
  }
}
