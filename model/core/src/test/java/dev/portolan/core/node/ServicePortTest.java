package dev.portolan.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServicePortTest {
  private static final Endpoint HERE = new Endpoint(Ip.of("10.1.0.1"), 8080, "n1");
  private static final Endpoint ELSEWHERE = new Endpoint(Ip.of("10.1.0.2"), 8080, "n2");
  private static final List<ServiceAddress> INSIDE =
      ServiceAddress.list(Ip.of("10.96.0.1"), 80, List.of(), List.of(), 0);
  private static final List<ServiceAddress> EVERYWHERE =
      ServiceAddress.list(
          Ip.of("10.96.0.1"),
          80,
          List.of(Ip.of("192.0.2.7")),
          List.of(Ip.of("203.0.113.9")),
          30080);

  private static ServicePort port(List<ServiceAddress> addresses, Routes routes) {
    return new ServicePort(
        new ServicePortName(new NamespacedName("shop", "web"), "http", Protocol.TCP),
        addresses,
        List.of(Cidr.of("198.51.100.0/24")),
        0,
        routes,
        List.of(HERE, ELSEWHERE),
        List.of(HERE),
        List.of(HERE, ELSEWHERE));
  }

  private static Routes forwarding(Pool internal, Pool external) {
    return Routes.of(internal, Verdict.FORWARD, external, Verdict.FORWARD, Verdict.FORWARD);
  }

  @Test
  void addressesComeInTheOrderOfTheirKinds() {
    ServicePort port = port(EVERYWHERE, forwarding(Pool.CLUSTER, Pool.CLUSTER));
    assertThat(port.addresses().stream().map(ServiceAddress::toString))
        .containsExactly(
            "ClusterIP 10.96.0.1:80",
            "ExternalIP 192.0.2.7:80",
            "LoadBalancerIP 203.0.113.9:80",
            "NodePort IPv4 :30080");
    assertThat(port.addresses()).isSorted();
    assertThat(port.nodePort()).isEqualTo(30080);
    assertThat(port.addresses().getLast().address()).isEqualTo(Ip.any(IpFamily.IPV4));
    assertThat(port.isExternallyAccessible()).isTrue();
    assertThat(port).hasToString("shop/web:http 10.96.0.1:80/TCP");
  }

  @Test
  void aClusterIpAloneIsNotExternal() {
    ServicePort port = port(INSIDE, forwarding(Pool.CLUSTER, Pool.CLUSTER));
    assertThat(port.isExternallyAccessible()).isFalse();
    assertThat(port.nodePort()).isZero();
    assertThat(port.clusterIp().traffic()).isEqualTo(Traffic.INTERNAL);
  }

  @Test
  void thereIsNoPortWithoutAClusterIp() {
    Routes routes = forwarding(Pool.CLUSTER, Pool.CLUSTER);
    List<ServiceAddress> outside = EVERYWHERE.subList(1, 4);
    assertThatThrownBy(() -> port(outside, routes)).hasMessageContaining("shop/web:http");
  }

  @Test
  void onlyLoadBalancerAddressesAreGuarded() {
    ServicePort port = port(EVERYWHERE, forwarding(Pool.CLUSTER, Pool.CLUSTER));
    assertThat(port.addresses().stream().map(port::sourceRanges).map(List::size))
        .containsExactly(0, 0, 1, 0);
  }

  @Test
  void endpointsAreThoseOfTheRoutesPool() {
    ServicePort port = port(EVERYWHERE, forwarding(Pool.CLUSTER, Pool.LOCAL));
    assertThat(port.endpoints(Traffic.INTERNAL)).containsExactly(HERE, ELSEWHERE);
    assertThat(port.endpoints(Traffic.EXTERNAL)).containsExactly(HERE);
    assertThat(port.endpoints(Traffic.SHORT_CIRCUIT)).containsExactly(HERE, ELSEWHERE);
  }

  @Test
  void whatIsNotForwardedHasNoEndpoints() {
    ServicePort port =
        port(
            EVERYWHERE,
            Routes.of(Pool.LOCAL, Verdict.DROP, Pool.LOCAL, Verdict.DROP, Verdict.FORWARD));
    assertThat(port.endpoints(Traffic.INTERNAL)).isEmpty();
    assertThat(port.endpoints(Traffic.EXTERNAL)).isEmpty();
    assertThat(port.addresses().stream().map(port::forwards))
        .containsExactly(false, true, true, true);
  }

  @Test
  void trafficThatMayLeaveTheNodeIsMasqueraded() {
    Routes routes = forwarding(Pool.LOCAL, Pool.CLUSTER);
    assertThat(routes.internal().masquerade()).isEqualTo(Masquerade.ALL_BUT_PODS);
    assertThat(routes.external().masquerade()).isEqualTo(Masquerade.ALL);
    assertThat(routes.shortCircuit()).isEqualTo(routes.external());
    assertThat(routes.shortCircuits()).isFalse();
  }

  @Test
  void trafficThatStaysOnTheNodeKeepsItsSource() {
    Routes routes = forwarding(Pool.CLUSTER, Pool.LOCAL);
    assertThat(routes.external().masquerade()).isEqualTo(Masquerade.NONE);
    assertThat(routes.shortCircuit().masquerade()).isEqualTo(Masquerade.NODE);
    assertThat(routes.shortCircuits()).isTrue();
  }

  @Test
  void poolsCountOnlyForTrafficThatThereIs() {
    Routes inside =
        Routes.of(Pool.CLUSTER, Verdict.FORWARD, Pool.LOCAL, Verdict.NONE, Verdict.NONE);
    assertThat(inside.use(Pool.CLUSTER)).isTrue();
    assertThat(inside.use(Pool.LOCAL)).isFalse();
    assertThat(inside.shortCircuits()).isFalse();
    assertThat(forwarding(Pool.LOCAL, Pool.CLUSTER).use(Pool.CLUSTER)).isTrue();
  }

  @Test
  void equalRoutesAreOneObject() {
    assertThat(forwarding(Pool.CLUSTER, Pool.LOCAL)).isSameAs(forwarding(Pool.CLUSTER, Pool.LOCAL));
  }
}
