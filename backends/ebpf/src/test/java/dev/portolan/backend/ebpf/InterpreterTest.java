package dev.portolan.backend.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.bpf.SocketHook;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The cases without a kernel: the programs' bytes, run in Java. */
class InterpreterTest extends SocketContract {
  @Override
  SocketWorld make() {
    return new InterpretedWorld();
  }

  @Test
  void aConnectedSocketIsShownTheService() {
    world.apply(Sample.image(Sample.tcp("web", "10.96.0.1", 80).to("10.244.1.1")));
    InterpretedWorld interpreted = (InterpretedWorld) world;
    for (boolean ofBoth : new boolean[] {false, true}) {
      InterpretedWorld.Socket socket = interpreted.open(1, ofBoth, Protocol.TCP);
      assertThat(socket.connect("10.96.0.1", 80)).isEqualTo("10.244.1.1");
      assertThat(socket.back(ofBoth ? SocketHook.GETPEERNAME6 : SocketHook.GETPEERNAME4))
          .isEqualTo("10.96.0.1:80");
    }
  }

  @Test
  void mapsAndProgramsReadAsText() {
    NodeImage image =
        Sample.image(
            Sample.tcp("none", "10.96.0.2", 80).to(),
            Sample.udp("dns", "fd00:96::1", 53).to("fd10:244:1::1").serving("fd10:244:1::2"),
            Sample.tcp("web", "10.96.0.1", 80).to("10.244.1.1").sticky(5).external("192.0.2.9", 0));
    assertThat(EbpfText.maps(image))
        .isEqualTo(
            """
            services
              [fd00:96::1]:53/UDP: pool 1
              10.96.0.2:80/TCP: refused
              10.96.0.1:80/TCP: pool 2 for 5 s
              192.0.2.9:80/TCP: pool 2 for 5 s
            pools
              1: shop/dns cluster
                 slot [fd10:244:1::1]:8080
                 only serving [fd10:244:1::2]:8080
              2: shop/web cluster
                 slot 10.244.1.1:8080
            entries
              services    4
              slots       2
              members     3
              affinity    filled by the programs
              reverse     filled by the programs
              udp_choice  filled by the programs
            """);
    assertThat(EbpfText.programs())
        .contains("programs pl_connect4\n", "programs pl_recvmsg6, pl_getpeername6\n")
        .containsOnlyOnce("programs pl_release\n")
        .contains("call get_netns_cookie", "r1 = map slots", "goto refuse");
    assertThat(EbpfText.programs().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void weightsAreRepeatedSlotsAndHashingIsLeftToNftables() {
    Endpoint heavy = Sample.endpoint("10.244.1.1");
    Sample.Draft web = Sample.tcp("web", "10.96.0.1", 80).to("10.244.1.1", "10.244.1.2");
    SocketTable weighted = table(web, Balancing.of(Balancing.Kind.RANDOM, Map.of(heavy, 3)));
    assertThat(weighted.pools().values().iterator().next().chosen())
        .containsExactly(heavy, heavy, heavy, Sample.endpoint("10.244.1.2"));
    assertThat(table(web, Balancing.of(Balancing.Kind.MAGLEV)).frontends()).isEmpty();
    // Affinity comes before hashing, in nftables too.
    assertThat(table(web.sticky(5), Balancing.of(Balancing.Kind.MAGLEV)).frontends()).hasSize(1);
    assertThat(table(web.to(), Balancing.of(Balancing.Kind.MAGLEV)).frontends()).hasSize(1);
  }

  private static SocketTable table(Sample.Draft draft, Balancing balancing) {
    NodeService service = draft.service();
    ServicePort port = service.ports().getFirst();
    ServicePort balanced =
        new ServicePort(
            port.name(),
            port.addresses(),
            port.sourceRanges(),
            port.affinitySeconds(),
            balancing,
            port.routes(),
            port.cluster(),
            port.local(),
            port.serving());
    SocketTable table = new SocketTable();
    table.add(
        new NodeService(service.name(), service.type(), 0, 0, List.of(balanced)),
        Sample.image().facts());
    return table;
  }

  @Test
  void aDatagramToAServiceWithoutEndpointsIsRefused() {
    // Java's own sockets do not tell what the kernel says about a single datagram.
    world.apply(Sample.image(Sample.udp("dns", "10.96.0.1", 53).to()));
    try (SocketWorld.Datagrams client = world.openUdp(1, false)) {
      assertThat(client.send("10.96.0.1", 53)).isEqualTo(SocketWorld.REFUSED);
    }
  }

  @Test
  void aServiceWhoseElementNowBelongsToAnotherIsLeftAlone() {
    world.apply(Sample.image(Sample.tcp("web", "10.96.0.1", 80).to("10.244.1.1")));
    InterpretedWorld interpreted = (InterpretedWorld) world;
    // What a program would read if the kernel gave the element to another key meanwhile.
    interpreted.kernel.map("services").values().forEach(value -> value[15] ^= 1);
    assertThat(connect("10.96.0.1", 80)).isEqualTo(SocketWorld.UNTOUCHED);
  }

  @Test
  void aServiceWhoseSlotsAreGoneIsLeftAlone() {
    world.apply(Sample.image(Sample.tcp("web", "10.96.0.1", 80).to("10.244.1.1")));
    ((InterpretedWorld) world).kernel.map("slots").clear();
    assertThat(connect("10.96.0.1", 80)).isEqualTo(SocketWorld.UNTOUCHED);
  }
}
