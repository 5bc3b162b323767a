package dev.portolan.api;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.google.protobuf.ByteString;
import dev.portolan.api.globalv1.EndpointInfo;
import dev.portolan.api.globalv1.NodeInfo;
import dev.portolan.api.globalv1.ServiceCIDR;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.globalv1.Slice;
import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.Choice;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.LocalDetector;
import dev.portolan.api.localv1.NodeFacts;
import dev.portolan.api.localv1.Protocol;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.ServicePort;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.Trigger;
import dev.portolan.api.localv1.Value;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said of messages that cannot be read. */
class WireExceptionTest {
  private static Arguments service(String sentence, Consumer<Service.Builder> fault) {
    Service.Builder message = NodeMessages.service(Samples.web("http")).toBuilder();
    fault.accept(message);
    return argumentSet(sentence, message.build(), sentence);
  }

  private static Arguments port(String sentence, Consumer<ServicePort.Builder> fault) {
    return service(
        "Service default/web: Decision.Ports[0]" + sentence,
        message -> fault.accept(message.getDecisionBuilder().getPortsBuilder(0)));
  }

  private static Arguments endpoint(String sentence, Consumer<Choice.Builder> fault) {
    return port(
        ".Endpoints[0]" + sentence, message -> fault.accept(message.getEndpointsBuilder(0)));
  }

  static List<Arguments> services() {
    return List.of(
        service("Service default/: Name: missing", Service.Builder::clearName),
        service("Service /web: Namespace: missing", Service.Builder::clearNamespace),
        service("Service default/a;b: Name: 'a;b' is not a valid name", m -> m.setName("a;b")),
        service(
            "Service default/web: Type: 'Magic' is not a type of service", m -> m.setType("Magic")),
        service(
            "Service default/web: HealthCheckNodePort: 70000 is not between 1 and 65535",
            m -> m.setHealthCheckNodePort(70000)),
        service(
            "Service default/web: Decision.LocalReadyEndpoints: -1 is below 0",
            m -> m.getDecisionBuilder().setLocalReadyEndpoints(-1)),
        port(".ClusterIP: '10.96.0' is not an IP address", m -> m.setClusterIP("10.96.0")),
        port(".Name: 'a b' is not a valid name", m -> m.setName("a b")),
        port(
            ".Protocol: none of TCP, UDP and SCTP; a newer server may know more",
            m -> m.setProtocolValue(7)),
        port(".Port: 0 is not between 1 and 65535", ServicePort.Builder::clearPort),
        port(".NodePort: -1 is not between 1 and 65535", m -> m.setNodePort(-1)),
        port(".ExternalIPs: fd00::1 is not an IPv4 address", m -> m.addExternalIPs("fd00::1")),
        port(".LoadBalancerIPs: '' is not an IP address", m -> m.addLoadBalancerIPs("")),
        port(
            ".SourceRanges: '10.0.0.0/33' is not a CIDR such as 10.0.0.0/8",
            m -> m.addSourceRanges("10.0.0.0/33")),
        port(".SourceRanges: fd00::/8 is not an IPv4 range", m -> m.addSourceRanges("fd00::/8")),
        port(".AffinitySeconds: -5 is below 0", m -> m.setAffinitySeconds(-5)),
        port(".Internal: a verdict that only a newer server knows", m -> m.setInternalValue(9)),
        port(
            ": says to forward traffic, but no endpoint is chosen for it",
            ServicePort.Builder::clearEndpoints),
        endpoint(".IP: fd10::1 is not an IPv4 address", m -> m.setIP("fd10::1")),
        endpoint(".Port: 65536 is not between 1 and 65535", m -> m.setPort(65536)),
        port(
            ".Endpoints[1]: 10.1.2.3:8080 is out of order after 10.1.2.3:8080",
            m -> m.addEndpoints(m.getEndpoints(0))),
        argumentSet(
            "without a decision",
            Samples.kpngService().toBuilder()
                .setPorts(0, Samples.kpngService().getPorts(0).toBuilder().clearProtocol())
                .build(),
            "Service default/web: Ports[0].Protocol: none of TCP, UDP and SCTP;"
                + " a newer server may know more"));
  }

  @ParameterizedTest
  @MethodSource
  void services(Service message, String sentence) {
    assertSentence(sentence, () -> NodeMessages.service(message, List.of(), "n1"));
  }

  @Test
  void endpointsOfKpng() {
    Endpoint.Builder endpoint = Samples.kpngEndpoint().toBuilder();
    endpoint.getIPsBuilder().setV4(0, "ten");
    assertSentence(
        "Service default/web: endpoint: 'ten' is not an IP address",
        () -> NodeMessages.service(Samples.kpngService(), List.of(endpoint.build()), "n1"));
  }

  @Test
  void facts() {
    NodeFacts.Builder facts = NodeFacts.newBuilder();
    assertSentence("NodeFacts: Name: missing", () -> NodeMessages.facts(facts.build()));
    facts.setName("n1").setDetectorV4(LocalDetector.newBuilder().setInterface("a\nb"));
    assertSentence(
        "NodeFacts n1: DetectorV4: 'a\ufffdb' is not a valid interface name",
        () -> NodeMessages.facts(facts.build()));
    facts.setDetectorV4(LocalDetector.newBuilder().setSourceRange("10.0.0.0"));
    assertSentence(
        "NodeFacts n1: DetectorV4: '10.0.0.0' is not a CIDR such as 10.0.0.0/8",
        () -> NodeMessages.facts(facts.build()));
  }

  @Test
  void triggers() {
    Change change =
        Change.newBuilder().addTriggers(Trigger.newBuilder().setNamespace("shop")).build();
    assertSentence("Sync: Change.Triggers[0].Name: missing", () -> NodeMessages.triggers(change));
  }

  @Test
  void objects() {
    ServiceInfo.Builder service = ServiceInfo.newBuilder();
    assertSentence(
        "ServiceInfo /: Service.Namespace: missing",
        () -> ClusterMessages.service(service.build()));
    service.getServiceBuilder().setNamespace("shop").setName("cart");
    service.getServiceBuilder().addPortsBuilder().setProtocol(Protocol.UnknownProtocol);
    assertSentence(
        "ServiceInfo shop/cart: Service.Ports[0].Protocol: none of TCP, UDP and SCTP;"
            + " a newer server may know more",
        () -> ClusterMessages.service(service.build()));
    service.getServiceBuilder().clearPorts();
    service.getObjectBuilder().setCreatedUnixSeconds(Long.MAX_VALUE);
    assertThatExceptionOfType(WireException.class)
        .isThrownBy(() -> ClusterMessages.service(service.build()))
        .withMessageStartingWith("ServiceInfo shop/cart: Object.CreatedUnixSeconds: not a time (");
    service.getObjectBuilder().clearCreatedUnixSeconds().addIPFamilies("IPv5");
    assertSentence(
        "ServiceInfo shop/cart: Object.IPFamilies: 'IPv5' is neither IPv4 nor IPv6",
        () -> ClusterMessages.service(service.build()));
    assertSentence(
        "Slice shop/cart-1: AddressType: none of IPv4, IPv6 and FQDN",
        () ->
            ClusterMessages.slice(
                Slice.newBuilder().setNamespace("shop").setName("cart-1").build()));
    assertSentence(
        "EndpointInfo shop/: SourceName: missing",
        () ->
            ClusterMessages.slices(
                List.of(EndpointInfo.newBuilder().setNamespace("shop").build())));
    assertSentence(
        "NodeInfo: Node.Name: missing", () -> ClusterMessages.node(NodeInfo.getDefaultInstance()));
    assertSentence(
        "ServiceCIDR: Name: missing",
        () -> ClusterMessages.serviceCidr(ServiceCIDR.getDefaultInstance()));
  }

  @Test
  void bytesThatAreNoMessage() {
    Value value =
        Value.newBuilder()
            .setRef(Ref.newBuilder().setSet(Set.ServicesSet).setPath("shop/cart"))
            .setBytes(ByteString.copyFromUtf8("?"))
            .build();
    assertThatExceptionOfType(WireException.class)
        .isThrownBy(() -> StreamValues.parse(value, Service.parser()))
        .withMessageStartingWith(
            "ServicesSet shop/cart: the value does not have the type of its set (");
  }

  private static void assertSentence(String sentence, ThrowingCallable decoding) {
    assertThatExceptionOfType(WireException.class).isThrownBy(decoding).withMessage(sentence);
  }
}
