package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.Chains.Kind;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.ServicePortName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names that are known from clusters of kube-proxy. */
class ChainsTest {
  private static final ServicePortName KUBERNETES =
      new ServicePortName(new NamespacedName("default", "kubernetes"), "https", Protocol.TCP);

  @ParameterizedTest
  @CsvSource({
    "default, kubernetes, https, TCP, NPX46M4PTMTKRN6Y",
    "kube-system, kube-dns, dns, UDP, TCOU7JCQXEZGVUNU",
    "kube-system, kube-dns, dns-tcp, TCP, ERIFXISQEP7F7OF4",
    "kube-system, kube-dns, metrics, TCP, JD5MR3NA4I4DYORP",
    "ns1, svc1, p80, TCP, XPGD46QRK7WJZT7O",
    "ns2, svc2, p80, TCP, GNZBNJ2PO5MGZ6GT"
  })
  void aServicePortHasTheHashThatKubeProxyGivesIt(
      String namespace, String service, String port, Protocol protocol, String hash) {
    ServicePortName name =
        new ServicePortName(new NamespacedName(namespace, service), port, protocol);
    assertThat(Chains.hash(name)).isEqualTo(hash);
  }

  @Test
  void anEndpointHasTheChainThatKubeProxyGivesIt() {
    ServicePortName name =
        new ServicePortName(new NamespacedName("ns1", "svc1"), "p80", Protocol.TCP);
    assertThat(Chains.endpoint(name, new Endpoint(Ip.of("10.180.0.1"), 80, "")))
        .isEqualTo("KUBE-SEP-SXIVWICOYRO3J4NJ");
  }

  @Test
  void ownChainsAreToldFromOthers() {
    String service = Kind.CLUSTER.named(Chains.hash(KUBERNETES));
    assertThat(service).isEqualTo("KUBE-SVC-NPX46M4PTMTKRN6Y");
    assertThat(Chains.isOwned("nat", service)).isTrue();
    assertThat(Chains.isOwned("nat", "KUBE-XLB-NPX46M4PTMTKRN6Y")).isTrue();
    assertThat(Chains.isOwned("filter", service)).isFalse();
    assertThat(Chains.isOwned("nat", "KUBE-SVC-OF-MY-OWN")).isFalse();
    assertThat(Chains.isOwned("filter", Chains.KUBELET_FIREWALL)).isFalse();
    assertThat(Chains.isOwned("mangle", "KUBE-KUBELET-CANARY")).isFalse();
    assertThat(Chains.isOwned("mangle", Chains.CANARY)).isTrue();
    assertThat(Chains.isOwned("raw", Chains.CANARY)).isFalse();
  }
}
