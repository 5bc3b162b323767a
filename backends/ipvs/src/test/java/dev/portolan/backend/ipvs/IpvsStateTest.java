package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeImage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What services become, without a kernel. */
final class IpvsStateTest {
  @Test
  void everyAddressIsAVirtualServerAndTheNodesOwnStayOffTheDevice() {
    NodeImage image =
        OneService.of(Protocol.TCP, "10.1.0.1:8080")
            .affinity(600)
            .at(List.of("192.168.0.11", "203.0.113.5"), List.of("198.51.100.7"), 30080)
            .image(1);
    IpvsOptions usual = IpvsOptions.DEFAULT;
    IpvsOptions maglev =
        new IpvsOptions(
            usual.namespace(), usual.masqueradeBit(), "mh", false, usual.timeouts(), List.of());
    assertThat(IpvsState.of(image, maglev).lines(IpFamily.IPV4))
        .containsExactly(
            "device kube-ipvs0",
            "  10.96.0.10/32",
            "  198.51.100.7/32",
            "  203.0.113.5/32",
            "",
            "# default/web:http",
            "TCP  10.96.0.10:80 mh (mh-port) persistent 600",
            "  -> 10.1.0.1:8080                Masq    1",
            "",
            "# default/web:http",
            "TCP  192.168.0.11:80 mh (mh-port) persistent 600",
            "  -> 10.1.0.1:8080                Masq    1",
            "",
            "# default/web:http",
            "TCP  192.168.0.11:30080 mh (mh-port) persistent 600",
            "  -> 10.1.0.1:8080                Masq    1",
            "",
            "# default/web:http",
            "TCP  198.51.100.7:80 mh (mh-port) persistent 600",
            "  -> 10.1.0.1:8080                Masq    1",
            "",
            "# default/web:http",
            "TCP  203.0.113.5:80 mh (mh-port) persistent 600",
            "  -> 10.1.0.1:8080                Masq    1");
  }

  @Test
  void nodePortsAreOnEveryAddressOfTheNodeButLoopbackAndLinkLocal() {
    NodeImage image =
        OneService.of(Protocol.UDP, "10.1.0.1:53").at(List.of(), List.of(), 30053).image(1);
    NodeAddresses node =
        new NodeAddresses(Set.of(Ip.of("192.168.0.11"), Ip.of("172.17.0.1"), Ip.of("127.0.0.1")));
    assertThat(IpvsState.of(image, IpvsOptions.DEFAULT, node, name -> true).servers().keySet())
        .extracting(ServerKey::toString)
        .containsExactly("udp 10.96.0.10:80", "udp 172.17.0.1:30053", "udp 192.168.0.11:30053");
  }

  @Test
  void trafficFromOutsideGoesToLocalEndpointsAndToAllWhereThereAreNone() {
    OneService service =
        OneService.of(Protocol.TCP, "10.1.0.1:80", "10.1.0.2:80")
            .at(List.of("203.0.113.5"), List.of(), 0);
    ServerKey external = new ServerKey(Ip.of("203.0.113.5"), Protocol.TCP, 80);
    assertThat(pool(service.onThisNode("10.1.0.2:80"), external)).containsExactly("10.1.0.2:80");
    assertThat(pool(service.onThisNode(), external)).containsExactly("10.1.0.1:80", "10.1.0.2:80");
  }

  private static List<String> pool(OneService service, ServerKey key) {
    VirtualServer server = IpvsState.of(service.image(1), IpvsOptions.DEFAULT).servers().get(key);
    return server.pool().stream().map(Object::toString).toList();
  }

  @Test
  void aServiceMayAskForItsOwnScheduler() {
    Balancing weighted =
        new Balancing(Balancing.Kind.RANDOM, Map.of(new Endpoint(Ip.of("10.1.0.2"), 8080, ""), 3));
    assertThat(scheduled(weighted, name -> true))
        .containsExactly(
            "TCP  10.96.0.10:80 wrr",
            "  -> 10.1.0.1:8080                Masq    1",
            "  -> 10.1.0.2:8080                Masq    3");
    Balancing maglev = new Balancing(Balancing.Kind.MAGLEV, weighted.weights());
    assertThat(scheduled(maglev, name -> true))
        .contains("TCP  10.96.0.10:80 mh (mh-port)", "  -> 10.1.0.2:8080                Masq    3");
    Balancing address = Balancing.of(Balancing.Kind.MAGLEV_ADDRESS);
    assertThat(scheduled(address, name -> true)).contains("TCP  10.96.0.10:80 mh");
    assertThat(scheduled(address, name -> false)).contains("TCP  10.96.0.10:80 rr");
  }

  private static List<String> scheduled(Balancing balancing, Predicate<String> schedulers) {
    NodeImage image =
        OneService.of(Protocol.TCP, "10.1.0.1:8080", "10.1.0.2:8080").image(1, balancing);
    NodeAddresses node = new NodeAddresses(image.facts().addresses());
    return IpvsState.of(image, IpvsOptions.DEFAULT, node, schedulers).lines(IpFamily.IPV4).stream()
        .filter(line -> line.startsWith("TCP") || line.startsWith("  ->"))
        .toList();
  }
}
