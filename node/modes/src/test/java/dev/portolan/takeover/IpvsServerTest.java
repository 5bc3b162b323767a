package dev.portolan.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.net.Cidr;
import dev.portolan.mode.Own;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.ipvs.RealServer;
import dev.portolan.netlink.ipvs.ServerEntry;
import dev.portolan.netlink.ipvs.ServiceEntry;
import dev.portolan.netlink.ipvs.ServiceSettings;
import dev.portolan.netlink.ipvs.Statistics;
import dev.portolan.netlink.ipvs.VirtualService;
import dev.portolan.takeover.IpvsServer.Owner;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose a virtual server is, and whether it drains. */
final class IpvsServerTest {
  private static final Statistics NONE = new Statistics(0, 0, 0, 0, 0);
  private static final int TCP = 6;

  @ParameterizedTest
  @CsvSource({
    "10.96.0.1, 80, 0, 10.244.0.2, 0, PROXY",
    "fd00::1, 80, 0, 10.244.0.2, 0, PROXY",
    "10.96.0.1, 80, 0, 10.244.0.2, 1, PROXY",
    "10.9.0.1, 80, 0, 10.244.0.2, 0, EXCLUDED",
    "0.0.0.0, 80, 7, 10.244.0.2, 0, OTHER",
    "10.96.0.1, 80, 0, 10.244.0.2, 2, OTHER",
    "10.96.0.1, 80, 0, 10.244.0.2, 3, OTHER",
    "192.0.2.1, 30080, 0, 192.0.2.9, 0, PROXY",
    "192.0.2.1, 40080, 0, 10.244.0.2, 0, PROXY",
    "192.0.2.1, 443, 0, 192.0.2.9, 0, OTHER"
  })
  void evidenceSaysWhoseItIs(
      String address, int port, int mark, String endpoint, int method, Owner owner)
      throws Exception {
    TakeoverOptions options =
        TakeoverOptions.of("portolan", Set.of(Own.TABLES), List.of(Cidr.of("10.9.0.0/16")));
    IpvsServer.Evidence evidence =
        IpvsServer.Evidence.of(
            Set.of(InetAddress.getByName("10.96.0.1"), InetAddress.getByName("fd00::1")),
            Map.of(
                service(TCP, "10.96.0.1", 80, 0),
                List.of(real("10.244.0.2", 1, RealServer.NAT, 0, 0))));
    ServiceEntry service = service(TCP, address, port, mark);
    List<ServerEntry> real = List.of(real(endpoint, 1, method, 0, 0));
    assertThat(IpvsServer.of(service, real, evidence, options).owner()).isEqualTo(owner);
    assertThat(IpvsServer.of(service, real, IpvsServer.Evidence.NONE, options).owner())
        .as("without the device")
        .isEqualTo(owner == Owner.EXCLUDED ? owner : Owner.OTHER);
  }

  @Test
  void aServerDrainsWhenAllBehindItDo() throws Exception {
    ServerEntry draining = real("10.244.0.2", 0, RealServer.NAT, 1_800_000_000, 3);
    assertThat(isUnderWay(TCP, draining, draining)).isTrue();
    assertThat(isUnderWay(TCP, draining, real("10.244.0.2", 1, RealServer.NAT, 0, 3))).isFalse();
    assertThat(isUnderWay(TCP, real("10.244.0.2", 0, RealServer.NAT, 0, 3)))
        .as("kube-proxy's way")
        .isFalse();
    assertThat(isUnderWay(17, draining)).as("datagrams never drain").isFalse();
    assertThat(isUnderWay(TCP)).as("nothing behind it").isFalse();
    assertThat(IpvsDrain.isUnderWay(List.of())).isFalse();
  }

  private static boolean isUnderWay(int protocol, ServerEntry... real) throws Exception {
    return IpvsDrain.isUnderWay(
        List.of(new IpvsServer(service(protocol, "10.96.0.1", 80, 0), List.of(real), Owner.PROXY)));
  }

  private static ServiceEntry service(int protocol, String address, int port, int mark)
      throws Exception {
    return new ServiceEntry(
        new VirtualService(protocol, InetAddress.getByName(address), port, mark),
        ServiceSettings.of(AddressFamily.IPV4, "rr", 0, 0),
        NONE);
  }

  private static ServerEntry real(String address, int weight, int method, int threshold, int active)
      throws Exception {
    return new ServerEntry(
        new RealServer(InetAddress.getByName(address), 80, weight, method, threshold, 0),
        active,
        0,
        0,
        NONE);
  }
}
