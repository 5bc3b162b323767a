package dev.portolan.api;

import static dev.portolan.api.Samples.endpoint;
import static dev.portolan.api.Samples.port;
import static dev.portolan.api.Samples.web;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.IPFilter;
import dev.portolan.api.localv1.IPSet;
import dev.portolan.api.localv1.PortMapping;
import dev.portolan.api.localv1.PortName;
import dev.portolan.api.localv1.Protocol;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EncodedServiceTest {
  private static ServicePort published(
      String clusterIp, String loadBalancerIp, List<Cidr> sources) {
    return new ServicePort(
        new ServicePortName(Samples.WEB, "http", dev.portolan.core.net.Protocol.UDP),
        ServiceAddress.list(Ip.of(clusterIp), 80, List.of(), List.of(Ip.of(loadBalancerIp)), 30080),
        sources,
        600,
        Routes.of(Pool.CLUSTER, Verdict.REJECT, Pool.LOCAL, Verdict.REJECT, Verdict.REJECT),
        List.of(),
        List.of(),
        List.of());
  }

  private static List<Endpoint> endpoints(NodeService service, String node) {
    return EncodedService.of(service).endpoints().stream().map(e -> parse(e.set(node))).toList();
  }

  private static Endpoint parse(StreamItem item) {
    try {
      return StreamValues.parse(item.message().getSet(), Endpoint.parser());
    } catch (WireException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> paths(NodeService service) {
    return EncodedService.of(service).endpoints().stream().map(EncodedEndpoint::path).toList();
  }

  @Test
  void twoFamiliesAreOneService() {
    NodeService service =
        new NodeService(
            Samples.WEB,
            ServiceType.LOAD_BALANCER,
            32000,
            0,
            List.of(
                published("10.96.0.10", "192.0.2.1", List.of(Cidr.of("10.0.0.0/8"))),
                published("fd96::a", "2001:db8::1", List.of())));
    Service message = NodeMessages.service(service);
    assertThat(message.getPortsList())
        .containsExactly(
            PortMapping.newBuilder()
                .setName("http")
                .setProtocol(Protocol.UDP)
                .setPort(80)
                .setNodePort(30080)
                .build());
    assertThat(message.getIPs().getClusterIPs())
        .isEqualTo(IPSet.newBuilder().addV4("10.96.0.10").addV6("fd96::a").build());
    assertThat(message.getIPs().getLoadBalancerIPs())
        .isEqualTo(IPSet.newBuilder().addV4("192.0.2.1").addV6("2001:db8::1").build());
    assertThat(message.getIPFiltersList())
        .containsExactly(
            IPFilter.newBuilder()
                .setTargetIPs(IPSet.newBuilder().addV4("192.0.2.1"))
                .addSourceRanges("10.0.0.0/8")
                .build());
    assertThat(message.getClientIP().getTimeoutSeconds()).isEqualTo(600);
    assertThat(message.getExternalTrafficToLocal()).isTrue();
    assertThat(message.getInternalTrafficToLocal()).isFalse();
    assertThat(message.getHealthCheckNodePort()).isEqualTo(32000);
  }

  @Test
  void whatGoProgramsReadUncheckedIsAlwaysThere() {
    Service message = NodeMessages.service(web());
    assertThat(message.hasIPs()).isTrue();
    assertThat(message.getIPs().hasClusterIPs()).isTrue();
    assertThat(message.getIPs().hasExternalIPs()).isTrue();
    assertThat(message.getIPs().hasLoadBalancerIPs()).isFalse();
    assertThat(message.hasClientIP()).isFalse();
  }

  @Test
  void aTargetPortIsThereWhereEndpointsAgree() {
    NodeService agree =
        web(
            port(
                "http",
                "10.96.0.10",
                List.of(endpoint("10.1.0.1", 8080, "n1"), endpoint("10.1.0.2", 8080, "n2"))));
    assertThat(NodeMessages.service(agree).getPorts(0).getTargetPort()).isEqualTo(8080);
    NodeService differ =
        web(
            port(
                "http",
                "10.96.0.10",
                List.of(endpoint("10.1.0.1", 8080, "n1"), endpoint("10.1.0.2", 8081, "n2"))));
    assertThat(NodeMessages.service(differ).getPorts(0).getTargetPort()).isZero();
  }

  /** KPNG's programs find the number of a port without a name by the name of its target. */
  @Test
  void anUnnamedPortWhoseEndpointsDifferNamesItsTarget() {
    NodeService agree = web(port("", "10.96.0.10", List.of(endpoint("10.1.0.1", 8080, "n1"))));
    assertThat(NodeMessages.service(agree).getPorts(0).getTargetPortName()).isEmpty();
    assertThat(endpoints(agree, "n1").getFirst().getPortOverridesList())
        .containsExactly(PortName.newBuilder().setPort(8080).build());

    NodeService differ =
        web(
            port(
                "",
                "10.96.0.10",
                List.of(endpoint("10.1.0.1", 8080, "n1"), endpoint("10.1.0.2", 8081, "n2"))));
    PortMapping mapping = NodeMessages.service(differ).getPorts(0);
    assertThat(mapping.getTargetPort()).isZero();
    assertThat(mapping.getTargetPortName()).isEqualTo("unnamed");
    assertThat(endpoints(differ, "n1"))
        .extracting(Endpoint::getPortOverridesList)
        .containsExactly(
            List.of(
                PortName.newBuilder().setPort(8080).build(),
                PortName.newBuilder().setName("unnamed").setPort(8080).build()),
            List.of(
                PortName.newBuilder().setPort(8081).build(),
                PortName.newBuilder().setName("unnamed").setPort(8081).build()));

    NodeService none = web(port("", "10.96.0.10", List.of()));
    assertThat(NodeMessages.service(none).getPorts(0).getTargetPortName()).isEmpty();
  }

  @Test
  void portsOfOneAddressAreOneEndpoint() {
    NodeService service =
        web(
            port("http", "10.96.0.10", List.of(endpoint("10.1.0.1", 8080, "n1"))),
            port("admin", "10.96.0.10", List.of(endpoint("10.1.0.1", 9090, "n1"))),
            port("http", "fd96::a", List.of(endpoint("fd10::1", 8080, "n1"))));
    assertThat(paths(service)).containsExactly("default/web/10.1.0.1", "default/web/fd10::1");
    assertThat(endpoints(service, "n2").getFirst().getPortOverridesList())
        .containsExactly(
            PortName.newBuilder().setName("admin").setPort(9090).build(),
            PortName.newBuilder().setName("http").setPort(8080).build());
  }

  @Test
  void twoNumbersOfOnePortAreTwoEndpoints() {
    NodeService service =
        web(
            port(
                "http",
                "10.96.0.10",
                List.of(
                    endpoint("10.1.0.1", 8080, "n1"),
                    endpoint("10.1.0.1", 8081, "n1"),
                    endpoint("10.1.0.10", 8080, "n1"))));
    assertThat(paths(service))
        .containsExactly("default/web/10.1.0.1", "default/web/10.1.0.1-2", "default/web/10.1.0.10");
  }

  @Test
  void endpointsThatAreNotChosenStayOut() {
    NodeService service =
        web(
            port(
                "http",
                "10.96.0.10",
                List.of(endpoint("10.1.0.1", 8080, "n1")),
                List.of(endpoint("10.1.0.1", 8080, "n1"), endpoint("10.1.0.2", 8080, "n1"))));
    assertThat(paths(service)).containsExactly("default/web/10.1.0.1");
  }

  @Test
  void anEndpointIsLocalOnItsOwnNodeOnly() {
    assertThat(endpoints(web("http"), "n1")).allMatch(Endpoint::getLocal);
    assertThat(endpoints(web("http"), "n2")).noneMatch(Endpoint::getLocal);
    NodeService nowhere = web(port("http", "10.96.0.10", List.of(endpoint("10.1.0.1", 8080, ""))));
    assertThat(endpoints(nowhere, "")).noneMatch(Endpoint::getLocal);
  }

  @Test
  void endpointsAreComparedByWhatTheySay() {
    EncodedEndpoint first = EncodedService.of(web("http")).endpoints().getFirst();
    EncodedEndpoint again = EncodedService.of(web("http")).endpoints().getFirst();
    EncodedEndpoint moved =
        EncodedService.of(
                web(port("http", "10.96.0.10", List.of(endpoint("10.1.2.3", 8080, "n2")))))
            .endpoints()
            .getFirst();
    assertThat(first.sameAs(again)).isTrue();
    assertThat(first.sameAs(moved)).isFalse();
    assertThat(first.path()).isEqualTo(moved.path());
  }

  @Test
  void deletionsNameSetAndPath() {
    EncodedService service = EncodedService.of(web("http"));
    assertThat(service.delete().message().getDelete().getSet()).isEqualTo(Set.ServicesSet);
    assertThat(service.delete().message().getDelete().getPath()).isEqualTo("default/web");
    StreamItem endpoint = service.endpoints().getFirst().delete();
    assertThat(endpoint.message().getDelete().getSet()).isEqualTo(Set.EndpointsSet);
    assertThat(endpoint.message().getDelete().getPath()).isEqualTo("default/web/10.1.2.3");
  }

  @Test
  void allWatchersShareOneEncoding() {
    EncodedService service = EncodedService.of(web("http"));
    java.util.Set<StreamItem> items = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 1000)
        .parallel()
        .forEach(i -> {
          items.add(service.set());
          items.add(service.endpoints().getFirst().set("n" + i % 5));
        });
    assertThat(new HashSet<>(items)).hasSize(3);
  }
}
