package dev.portolan.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePortName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AddressBackendTest {
  private final World world = new World();
  private final List<String> calls = new ArrayList<>();
  private NodeImage applied = NodeImage.unsynced(World.NODE);
  private final AddressBackend backend = new AddressBackend(new Recording());

  private static Service.Builder web() {
    return Service.named("shop", "web")
        .type(ServiceType.LOAD_BALANCER)
        .clusterIps(List.of("10.96.0.5", "fd00:96::5"))
        .ipFamilies(List.of(IpFamily.IPV4, IpFamily.IPV6))
        .externalIps(List.of("192.0.2.7"))
        .ingress(List.of(new Service.Ingress("203.0.113.9", true)))
        .sourceRanges(List.of("198.51.100.0/24"))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 30080)));
  }

  @Test
  void everyAddressIsToldWithItsKind() {
    world.apply(ClusterDelta.builder().set(web().build()).build());
    assertCalls(
        "+ ClusterIP 10.96.0.5:80/TCP Cluster 0 []",
        "+ ClusterIP [fd00:96::5]:80/TCP Cluster 0 []",
        "+ ExternalIP 192.0.2.7:80/TCP Cluster 0 []",
        "+ LoadBalancerIP 203.0.113.9:80/TCP Cluster 0 [198.51.100.0/24]",
        "+ NodePort IPv4 :30080/TCP Cluster 0 []",
        "+ NodePort IPv6 :30080/TCP Cluster 0 []",
        "sync");
  }

  @Test
  void policyAffinityAndRangesAreToldWhereTheyCount() {
    world.apply(
        ClusterDelta.builder()
            .set(web().ipFamilies(List.of(IpFamily.IPV4)).clusterIps(List.of("10.96.0.5")).build())
            .build());
    sync();
    Service.Builder changed =
        web().ipFamilies(List.of(IpFamily.IPV4)).clusterIps(List.of("10.96.0.5"));
    world.apply(
        ClusterDelta.builder()
            .set(changed.externalTrafficPolicy(TrafficPolicy.LOCAL).build())
            .build());
    assertCalls(
        "~ ExternalIP 192.0.2.7:80/TCP Local 0 []",
        "~ LoadBalancerIP 203.0.113.9:80/TCP Local 0 [198.51.100.0/24]",
        "~ NodePort IPv4 :30080/TCP Local 0 []",
        "sync");
    world.apply(ClusterDelta.builder().set(changed.sourceRanges(List.of()).build()).build());
    assertCalls("~ LoadBalancerIP 203.0.113.9:80/TCP Local 0 []", "sync");
    world.apply(ClusterDelta.builder().set(changed.affinitySeconds(60).build()).build());
    assertCalls(
        "~ ClusterIP 10.96.0.5:80/TCP Cluster 60 []",
        "~ ExternalIP 192.0.2.7:80/TCP Local 60 []",
        "~ LoadBalancerIP 203.0.113.9:80/TCP Local 60 []",
        "~ NodePort IPv4 :30080/TCP Local 60 []",
        "sync");
  }

  @Test
  void anAddressThatChangesHandsIsFreeBeforeItIsTaken() {
    world.service("b", "10.96.0.1");
    sync();
    world.remove("b").service("a", "10.96.0.1");
    assertCalls(
        "- shop/b:http ClusterIP 10.96.0.1:80/TCP",
        "+ ClusterIP 10.96.0.1:80/TCP Cluster 0 []",
        "sync");
  }

  @Test
  void endpointsAreNoneOfItsBusiness() {
    world.service("a", "10.96.0.1");
    sync();
    world.endpoints("a", "10.244.0.2");
    assertCalls();
  }

  @Test
  void portsAreFoundByNameAndNumber() {
    world.apply(ClusterDelta.builder().set(web().build()).build());
    NodeService service = world.image().service(new NamespacedName("shop", "web"));
    assertThat(Ports.named(service, "http", IpFamily.IPV6).orElseThrow().clusterIp().address())
        .hasToString("fd00:96::5");
    assertThat(Ports.named(service, "dns", IpFamily.IPV4)).isEmpty();
    assertThat(Ports.numbered(service, 80, Protocol.TCP, IpFamily.IPV4)).isPresent();
    assertThat(Ports.numbered(service, 80, Protocol.UDP, IpFamily.IPV4)).isEmpty();
    assertThat(Ports.numbered(service, 81, Protocol.TCP, IpFamily.IPV4)).isEmpty();
  }

  private void sync() {
    NodeImage image = world.image();
    backend.sync(NodeChange.between(applied, image).inFull());
    applied = image;
  }

  private void assertCalls(String... expected) {
    calls.clear();
    sync();
    assertThat(calls).containsExactly(expected);
  }

  private final class Recording implements AddressListener {
    private String words(ServicePortName port, ServiceAddress address, Treatment treatment) {
      return words(port, address)
          + " "
          + treatment.pool()
          + " "
          + treatment.affinitySeconds()
          + " "
          + treatment.sourceRanges();
    }

    private String words(ServicePortName port, ServiceAddress address) {
      return address + "/" + port.protocol();
    }

    @Override
    public void added(ServicePortName port, ServiceAddress address, Treatment treatment) {
      calls.add("+ " + words(port, address, treatment));
    }

    @Override
    public void changed(
        ServicePortName port, ServiceAddress address, Treatment before, Treatment after) {
      calls.add("~ " + words(port, address, after));
    }

    @Override
    public void removed(ServicePortName port, ServiceAddress address) {
      calls.add("- " + port + " " + words(port, address));
    }

    @Override
    public void sync() {
      calls.add("sync");
    }
  }
}
