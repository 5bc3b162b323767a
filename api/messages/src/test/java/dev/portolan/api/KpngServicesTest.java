package dev.portolan.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.EndpointScopes;
import dev.portolan.api.localv1.IPFilter;
import dev.portolan.api.localv1.IPSet;
import dev.portolan.api.localv1.Service;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Services of a server that knows nothing of decisions. */
class KpngServicesTest {
  private static final dev.portolan.core.node.Endpoint HERE =
      Samples.endpoint("10.1.2.3", 8080, "n1");
  private static final dev.portolan.core.node.Endpoint ELSEWHERE =
      Samples.endpoint("10.1.2.4", 8080, "");

  private static Endpoint remote(boolean internal, boolean external) {
    return Samples.kpngEndpoint().toBuilder()
        .setIPs(IPSet.newBuilder().addV4("10.1.2.4"))
        .setLocal(false)
        .setScopes(EndpointScopes.newBuilder().setInternal(internal).setExternal(external))
        .build();
  }

  private static ServicePort first(Service message, Endpoint... endpoints) throws WireException {
    return NodeMessages.service(message, List.of(endpoints), "n1").ports().getFirst();
  }

  private static Service.Builder published() {
    Service.Builder message = Samples.kpngService().toBuilder();
    message.getPortsBuilder(0).setNodePort(30080);
    return message;
  }

  @Test
  void portsAreThereInEachFamily() throws WireException {
    NodeService service =
        NodeMessages.service(Samples.kpngService(), List.of(Samples.kpngEndpoint()), "n1");
    assertThat(service.ports())
        .extracting(ServicePort::family)
        .containsExactly(IpFamily.IPV4, IpFamily.IPV6);
    ServicePort first = service.ports().getFirst();
    assertThat(first.cluster()).containsExactly(HERE);
    assertThat(first.local()).isEmpty();
    assertThat(first.serving()).containsExactly(HERE);
    assertThat(first.routes())
        .isEqualTo(
            Routes.of(Pool.CLUSTER, Verdict.FORWARD, Pool.CLUSTER, Verdict.NONE, Verdict.NONE));
    assertThat(service.ports().getLast().verdict(Traffic.INTERNAL)).isEqualTo(Verdict.REJECT);
  }

  @Test
  void aLocalExternalPolicyTakesTheExternalScope() throws WireException {
    Service message = published().setExternalTrafficToLocal(true).build();
    ServicePort both = first(message, Samples.kpngEndpoint(), remote(true, false));
    assertThat(both.cluster()).containsExactly(HERE, ELSEWHERE);
    assertThat(both.local()).containsExactly(HERE);
    ServicePort away = first(message, remote(true, false));
    assertThat(away.verdict(Traffic.INTERNAL)).isEqualTo(Verdict.FORWARD);
    assertThat(away.verdict(Traffic.EXTERNAL)).isEqualTo(Verdict.DROP);
    assertThat(away.verdict(Traffic.SHORT_CIRCUIT)).isEqualTo(Verdict.FORWARD);
  }

  @Test
  void aLocalInternalPolicyTakesTheInternalScope() throws WireException {
    Service message = published().setInternalTrafficToLocal(true).build();
    ServicePort both = first(message, Samples.kpngEndpoint(), remote(false, true));
    assertThat(both.local()).containsExactly(HERE);
    assertThat(both.cluster()).containsExactly(HERE, ELSEWHERE);
    ServicePort away = first(message, remote(false, true));
    assertThat(away.verdict(Traffic.INTERNAL)).isEqualTo(Verdict.DROP);
    assertThat(away.verdict(Traffic.EXTERNAL)).isEqualTo(Verdict.FORWARD);
  }

  @Test
  void anAnnotationSaysHowConnectionsAreSpread() throws WireException {
    Service.Builder message =
        Samples.kpngService().toBuilder()
            .putAnnotations("portolan.dev/balancing", "maglev")
            .putAnnotations("portolan.dev/weights", "node:n1=3");
    assertThat(first(message.build(), Samples.kpngEndpoint()).balancing())
        .isEqualTo(Balancing.of(Balancing.Kind.MAGLEV));
    message.getClientIPBuilder().setTimeoutSeconds(60);
    assertThat(first(message.build()).balancing()).isEqualTo(Balancing.RANDOM);
    message.clearClientIP().putAnnotations("portolan.dev/balancing", "fastest");
    assertThat(first(message.build()).balancing()).isEqualTo(Balancing.RANDOM);
  }

  @Test
  void aTargetPortCountsOnlyForEndpointsWithoutPorts() throws WireException {
    Service.Builder message = Samples.kpngService().toBuilder();
    message.getPortsBuilder(0).setTargetPort(9000);
    Endpoint without = Samples.kpngEndpoint().toBuilder().clearPortOverrides().build();
    assertThat(first(message.build(), without).cluster())
        .containsExactly(Samples.endpoint("10.1.2.3", 9000, "n1"));
    Endpoint.Builder other = Samples.kpngEndpoint().toBuilder();
    other.getPortOverridesBuilder(0).setName("admin");
    assertThat(first(message.build(), other.build()).cluster()).isEmpty();
  }

  @Test
  void aPortWithoutNameGoesByTheTargetsName() throws WireException {
    Service.Builder message = Samples.kpngService().toBuilder();
    message.getPortsBuilder(0).clearName().setTargetPortName("http");
    assertThat(first(message.build(), Samples.kpngEndpoint()).cluster()).containsExactly(HERE);
  }

  @Test
  void aPortWithoutNameGoesByTheNumberWithoutName() throws WireException {
    Service.Builder message = Samples.kpngService().toBuilder();
    message.getPortsBuilder(0).clearName().setTargetPortName("http");
    Endpoint.Builder endpoint = Samples.kpngEndpoint().toBuilder();
    endpoint.getPortOverridesBuilder(0).clearName();
    assertThat(first(message.build(), endpoint.build()).cluster()).containsExactly(HERE);
  }

  @Test
  void rangesThatNobodyCanReadCloseTheLoadBalancer() throws WireException {
    Service.Builder message = Samples.kpngService().toBuilder();
    message.getIPsBuilder().setLoadBalancerIPs(IPSet.newBuilder().addV4("192.0.2.1"));
    assertThat(first(message.build()).ips(Kind.LOAD_BALANCER_IP)).hasSize(1);
    message.addIPFilters(IPFilter.newBuilder().addSourceRanges("ten"));
    assertThat(first(message.build()).ips(Kind.LOAD_BALANCER_IP)).isEmpty();
    message.addIPFilters(IPFilter.newBuilder().addSourceRanges(" 10.0.0.0/8"));
    assertThat(first(message.build()).ips(Kind.LOAD_BALANCER_IP)).hasSize(1);
    assertThat(first(message.build()).sourceRanges()).hasToString("[10.0.0.0/8]");
  }

  @Test
  void readyAddressesOfTheNodeAreCountedOnceForBothFamilies() throws WireException {
    Service message = Samples.kpngService().toBuilder().setHealthCheckNodePort(32000).build();
    Endpoint both =
        Samples.kpngEndpoint().toBuilder()
            .setIPs(IPSet.newBuilder().addV4("10.1.2.3").addV6("fd10::3"))
            .build();
    assertThat(NodeMessages.service(message, List.of(both, remote(true, true)), "n1"))
        .extracting(NodeService::localReadyEndpoints)
        .isEqualTo(1);
  }

  @Test
  void servicesWithoutAddressHaveNoPorts() throws WireException {
    Service.Builder headless = Samples.kpngService().toBuilder();
    headless.getIPsBuilder().setHeadless(true);
    assertThat(NodeMessages.service(headless.build(), List.of(), "n1").ports()).isEmpty();
    Service alias = Samples.kpngService().toBuilder().setType("ExternalName").build();
    assertThat(NodeMessages.service(alias, List.of(), "n1").ports()).isEmpty();
  }
}
