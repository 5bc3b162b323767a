package dev.portolan.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.EndpointScopes;
import dev.portolan.api.localv1.IPFilter;
import dev.portolan.api.localv1.IPSet;
import dev.portolan.api.localv1.Service;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Selection;
import dev.portolan.core.node.ServicePort;
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
        .extracting(port -> port.frontend().family())
        .containsExactly(IpFamily.IPV4, IpFamily.IPV6);
    assertThat(service.ports().getFirst().selection())
        .isEqualTo(
            new Selection(
                List.of(HERE),
                List.of(),
                List.of(HERE),
                Verdict.FORWARD,
                Verdict.NONE,
                Verdict.NONE));
    assertThat(service.ports().getLast().selection().internal()).isEqualTo(Verdict.REJECT);
  }

  @Test
  void aLocalExternalPolicyTakesTheExternalScope() throws WireException {
    Service message = published().setExternalTrafficToLocal(true).build();
    Selection both = first(message, Samples.kpngEndpoint(), remote(true, false)).selection();
    assertThat(both.cluster()).containsExactly(HERE, ELSEWHERE);
    assertThat(both.local()).containsExactly(HERE);
    Selection away = first(message, remote(true, false)).selection();
    assertThat(away.internal()).isEqualTo(Verdict.FORWARD);
    assertThat(away.external()).isEqualTo(Verdict.DROP);
    assertThat(away.shortCircuit()).isEqualTo(Verdict.FORWARD);
  }

  @Test
  void aLocalInternalPolicyTakesTheInternalScope() throws WireException {
    Service message = published().setInternalTrafficToLocal(true).build();
    Selection both = first(message, Samples.kpngEndpoint(), remote(false, true)).selection();
    assertThat(both.local()).containsExactly(HERE);
    assertThat(both.cluster()).containsExactly(HERE, ELSEWHERE);
    Selection away = first(message, remote(false, true)).selection();
    assertThat(away.internal()).isEqualTo(Verdict.DROP);
    assertThat(away.external()).isEqualTo(Verdict.FORWARD);
  }

  @Test
  void aTargetPortCountsOnlyForEndpointsWithoutPorts() throws WireException {
    Service.Builder message = Samples.kpngService().toBuilder();
    message.getPortsBuilder(0).setTargetPort(9000);
    Endpoint without = Samples.kpngEndpoint().toBuilder().clearPortOverrides().build();
    assertThat(first(message.build(), without).selection().cluster())
        .containsExactly(Samples.endpoint("10.1.2.3", 9000, "n1"));
    Endpoint.Builder other = Samples.kpngEndpoint().toBuilder();
    other.getPortOverridesBuilder(0).setName("admin");
    assertThat(first(message.build(), other.build()).selection().cluster()).isEmpty();
  }

  @Test
  void aPortWithoutNameGoesByTheTargetsName() throws WireException {
    Service.Builder message = Samples.kpngService().toBuilder();
    message.getPortsBuilder(0).clearName().setTargetPortName("http");
    assertThat(first(message.build(), Samples.kpngEndpoint()).selection().cluster())
        .containsExactly(HERE);
  }

  @Test
  void rangesThatNobodyCanReadCloseTheLoadBalancer() throws WireException {
    Service.Builder message = Samples.kpngService().toBuilder();
    message.getIPsBuilder().setLoadBalancerIPs(IPSet.newBuilder().addV4("192.0.2.1"));
    assertThat(first(message.build()).frontend().loadBalancerIps()).hasSize(1);
    message.addIPFilters(IPFilter.newBuilder().addSourceRanges("ten"));
    assertThat(first(message.build()).frontend().loadBalancerIps()).isEmpty();
    message.addIPFilters(IPFilter.newBuilder().addSourceRanges(" 10.0.0.0/8"));
    assertThat(first(message.build()).frontend().loadBalancerIps()).hasSize(1);
    assertThat(first(message.build()).frontend().sourceRanges()).hasToString("[10.0.0.0/8]");
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
