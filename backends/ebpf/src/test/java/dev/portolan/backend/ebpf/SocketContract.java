package dev.portolan.backend.ebpf;

import static dev.portolan.backend.ebpf.Sample.tcp;
import static dev.portolan.backend.ebpf.Sample.udp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.ebpf.SocketWorld.Client;
import dev.portolan.backend.ebpf.SocketWorld.Datagrams;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cases that hold in the interpreter and in a kernel. */
abstract class SocketContract {
  static final String[] THREE = {"10.244.1.1", "10.244.1.2", "10.244.1.3"};
  static final Set<String> ALL = Set.of(THREE);
  private static final String VIP = "10.96.0.1";
  private static final int TRIES = 60;

  @AutoClose SocketWorld world;

  abstract SocketWorld make();

  @BeforeEach
  void begin() {
    world = make();
  }

  String connect(int pod, boolean ofBoth, Protocol protocol, String address, int port) {
    try (Client client = world.open(pod, ofBoth, protocol)) {
      return client.connect(address, port);
    }
  }

  String connect(String address, int port) {
    return connect(1, false, Protocol.TCP, address, port);
  }

  private Set<String> many(boolean ofBoth, Protocol protocol, String address, int port) {
    Set<String> seen = new TreeSet<>();
    for (int i = 0; i < TRIES; i++) {
      seen.add(connect(1, ofBoth, protocol, address, port));
    }
    return seen;
  }

  @Test
  void connectionsAreSpreadOverTheEndpoints() {
    world.apply(
        Sample.image(
            tcp("web", VIP, 80).to(THREE),
            udp("dns", VIP, 53).to(THREE),
            tcp("web6", "fd00:96::1", 80).to("fd10:244:1::1", "fd10:244:1::2")));
    assertThat(many(false, Protocol.TCP, VIP, 80)).isEqualTo(ALL);
    assertThat(many(true, Protocol.TCP, VIP, 80)).isEqualTo(ALL);
    assertThat(many(false, Protocol.UDP, VIP, 53)).isEqualTo(ALL);
    assertThat(many(true, Protocol.UDP, VIP, 53)).isEqualTo(ALL);
    assertThat(many(true, Protocol.TCP, "fd00:96::1", 80))
        .containsExactly("fd10:244:1::1", "fd10:244:1::2");
  }

  @Test
  void aSocketThatIsClosedLeavesNoNote() {
    world.apply(
        Sample.image(
            tcp("web", VIP, 80).to(THREE),
            udp("dns", VIP, 53).to(THREE),
            tcp("web6", "fd00:96::1", 80).to("fd10:244:1::1")));
    for (boolean ofBoth : new boolean[] {false, true}) {
      for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
        int port = protocol == Protocol.TCP ? 80 : 53;
        try (Client client = world.open(1, ofBoth, protocol);
            Client other = world.open(1, ofBoth, protocol)) {
          assertThat(client.connect(VIP, port)).isIn(ALL);
          assertThat(other.connect(VIP, port)).isIn(ALL);
          assertThat(world.notes()).isEqualTo(2);
        }
        assertThat(world.notes()).isZero();
      }
    }
    assertThat(connect(1, true, Protocol.TCP, "fd00:96::1", 80)).isEqualTo("fd10:244:1::1");
    assertThat(world.notes()).isZero();
  }

  @Test
  void anotherPortOrProtocolIsNotTheServices() {
    world.apply(Sample.image(tcp("web", VIP, 80).to(THREE)));
    assertThat(connect(VIP, 81)).isEqualTo(SocketWorld.UNTOUCHED);
    assertThat(connect(1, false, Protocol.UDP, VIP, 80)).isEqualTo(SocketWorld.UNTOUCHED);
    assertThat(connect("10.96.0.2", 80)).isEqualTo(SocketWorld.UNTOUCHED);
  }

  @Test
  void withoutEndpointsACallIsRefusedAtOnce() {
    world.apply(
        Sample.image(
            tcp("web", VIP, 80).to(),
            udp("dns", VIP, 53).to(),
            tcp("web6", "fd00:96::1", 80).to()));
    assertThat(connect(VIP, 80)).isEqualTo(SocketWorld.REFUSED);
    assertThat(connect(1, true, Protocol.TCP, VIP, 80)).isEqualTo(SocketWorld.REFUSED);
    assertThat(connect(1, true, Protocol.TCP, "fd00:96::1", 80)).isEqualTo(SocketWorld.REFUSED);
    assertThat(connect(1, false, Protocol.UDP, VIP, 53)).isEqualTo(SocketWorld.REFUSED);
  }

  @Test
  void whatASocketCannotDoIsLeftToNftables() {
    world.apply(
        Sample.image(
            tcp("dropped", VIP, 80).ending(Verdict.DROP),
            tcp("guarded", VIP, 81).to(THREE).balancer("192.0.2.1", "203.0.113.0/24"),
            tcp("open", VIP, 82).to("10.244.1.1").balancer("192.0.2.2")));
    assertThat(connect(VIP, 80)).isEqualTo(SocketWorld.UNTOUCHED);
    assertThat(connect("192.0.2.1", 81)).isEqualTo(SocketWorld.UNTOUCHED);
    assertThat(connect("192.0.2.2", 82)).isEqualTo("10.244.1.1");
    world.apply(new Sample(List.of(), true).with(tcp("web", VIP, 80).to(THREE)).image(2));
    assertThat(connect(VIP, 80)).isEqualTo(SocketWorld.UNTOUCHED);
  }

  @Test
  void externalAddressesAndNodePortsAreTranslatedToo() {
    world.apply(Sample.image(tcp("web", VIP, 80).to("10.244.1.2").external("192.0.2.9", 30080)));
    assertThat(connect("192.0.2.9", 80)).isEqualTo("10.244.1.2");
    assertThat(connect(Sample.NODE_IP, 30080)).isEqualTo("10.244.1.2");
  }

  @Test
  void changesAreFollowed() {
    world.apply(Sample.image(tcp("web", VIP, 80).to("10.244.1.1")));
    assertThat(connect(VIP, 80)).isEqualTo("10.244.1.1");
    world.apply(Sample.image(tcp("web", VIP, 80).to("10.244.1.2")));
    assertThat(connect(VIP, 80)).isEqualTo("10.244.1.2");
    world.apply(Sample.image(tcp("web", VIP, 80).to()));
    assertThat(connect(VIP, 80)).isEqualTo(SocketWorld.REFUSED);
    world.apply(Sample.image(tcp("other", VIP, 80).to("10.244.1.3")));
    assertThat(connect(VIP, 80)).isEqualTo("10.244.1.3");
    world.apply(Sample.image());
    assertThat(connect(VIP, 80)).isEqualTo(SocketWorld.UNTOUCHED);
  }

  @Test
  void anUnconnectedSocketStaysWithItsEndpoint() {
    world.apply(
        Sample.image(
            udp("dns", VIP, 53).to(THREE),
            udp("dns6", "fd00:96::1", 53).to("fd10:244:1::1", "fd10:244:1::2")));
    Set<String> all = new TreeSet<>();
    for (boolean ofBoth : new boolean[] {false, true}) {
      for (int i = 0; i < 20; i++) {
        try (Datagrams client = world.openUdp(1, ofBoth)) {
          String first = client.send(VIP, 53);
          assertThat(first).endsWith(" as 10.96.0.1:53");
          assertThat(client.send(VIP, 53)).isEqualTo(first);
          assertThat(client.send(VIP, 53)).isEqualTo(first);
          all.add(first.substring(0, first.indexOf(' ')));
        }
      }
    }
    assertThat(all).isEqualTo(ALL);
    try (Datagrams client = world.openUdp(1, true)) {
      String first = client.send("fd00:96::1", 53);
      assertThat(first).startsWith("fd10:244:1::").endsWith(" as [fd00:96::1]:53");
      assertThat(client.send(VIP, 53)).endsWith(" as 10.96.0.1:53");
      assertThat(client.send("fd00:96::1", 53)).isEqualTo(first);
    }
  }

  @Test
  void anUnconnectedSocketLeavesAnEndpointThatServesNoMore() {
    world.apply(Sample.image(udp("dns", VIP, 53).to("10.244.1.1")));
    try (Datagrams client = world.openUdp(1, false)) {
      assertThat(client.send(VIP, 53)).startsWith("10.244.1.1 ");
      world.apply(Sample.image(udp("dns", VIP, 53).to("10.244.1.2").serving("10.244.1.1")));
      assertThat(client.send(VIP, 53)).startsWith("10.244.1.1 ");
      assertThat(connect(1, false, Protocol.UDP, VIP, 53)).isEqualTo("10.244.1.2");
      world.apply(Sample.image(udp("dns", VIP, 53).to("10.244.1.2")));
      assertThat(client.send(VIP, 53)).startsWith("10.244.1.2 ");
    }
  }

  @Test
  void affinityKeepsAPodWithItsEndpoint() throws InterruptedException {
    world.apply(
        Sample.image(
            tcp("web", VIP, 80).to(THREE).sticky(3_600),
            tcp("web6", "fd00:96::1", 80).to("fd10:244:1::1", "fd10:244:1::2").sticky(3_600),
            udp("dns", VIP, 53).to(THREE).sticky(3_600)));
    String first = connect(VIP, 80);
    assertThat(ALL).contains(first);
    String six = connect(1, true, Protocol.TCP, "fd00:96::1", 80);
    assertThat(six).startsWith("fd10:244:1::");
    String sent = connect(1, false, Protocol.UDP, VIP, 53);
    for (int i = 0; i < 10; i++) {
      assertThat(connect(1, i % 2 == 0, Protocol.TCP, VIP, 80)).isEqualTo(first);
      assertThat(connect(1, true, Protocol.TCP, "fd00:96::1", 80)).isEqualTo(six);
      // One service, whether a socket is connected or not, and of whichever family.
      try (Datagrams client = world.openUdp(1, i % 2 == 0)) {
        assertThat(client.send(VIP, 53)).isEqualTo(sent + " as 10.96.0.1:53");
      }
    }
    // Another pod finds its own, sooner or later another one: a new time begins each time.
    Set<String> others = new TreeSet<>();
    for (int i = 0; i < TRIES && others.size() < 2; i++) {
      others.add(connect(2, false, Protocol.TCP, VIP, 80));
      world.apply(Sample.image());
      world.apply(Sample.image(tcp("web", VIP, 80).to(THREE).sticky(3)));
    }
    assertThat(others).hasSize(2);
  }

  @Test
  void affinityEndsWithTimeAndWithTheEndpoint() throws InterruptedException {
    world.apply(Sample.image(tcp("web", VIP, 80).to("10.244.1.1").sticky(1)));
    assertThat(connect(VIP, 80)).isEqualTo("10.244.1.1");
    world.apply(Sample.image(tcp("web", VIP, 80).to("10.244.1.2").serving("10.244.1.1").sticky(1)));
    assertThat(connect(VIP, 80)).isEqualTo("10.244.1.2");
    world.apply(Sample.image(tcp("web", VIP, 80).to(THREE).sticky(1)));
    Set<String> later = new TreeSet<>();
    for (int i = 0; i < 30 && later.size() < 2; i++) {
      world.sleep(2);
      later.add(connect(VIP, 80));
    }
    assertThat(later).hasSize(2);
  }
}
