package dev.portolan.backend.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.bpf.Interpreter;
import dev.portolan.bpf.SocketHook;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The cases without a kernel: the programs' bytes, run in Java. */
class InterpreterTest extends SocketContract {
  @Override
  SocketWorld make() {
    return new Interpreted();
  }

  @Test
  void aConnectedSocketIsShownTheService() {
    world.apply(Sample.image(Sample.tcp("web", "10.96.0.1", 80).to("10.244.1.1")));
    Interpreted interpreted = (Interpreted) world;
    for (boolean ofBoth : new boolean[] {false, true}) {
      Interpreted.Socket socket = interpreted.open(1, ofBoth, Protocol.TCP);
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
    try (SocketWorld.Client client = world.open(1, false, Protocol.UDP)) {
      assertThat(client.send("10.96.0.1", 53)).isEqualTo(SocketWorld.REFUSED);
    }
  }

  @Test
  void aServiceWhoseElementNowBelongsToAnotherIsLeftAlone() {
    world.apply(Sample.image(Sample.tcp("web", "10.96.0.1", 80).to("10.244.1.1")));
    Interpreted interpreted = (Interpreted) world;
    // What a program would read if the kernel gave the element to another key meanwhile.
    interpreted.kernel.map("services").values().forEach(value -> value[15] ^= 1);
    assertThat(connect("10.96.0.1", 80)).isEqualTo(SocketWorld.UNTOUCHED);
  }

  @Test
  void aServiceWhoseSlotsAreGoneIsLeftAlone() {
    world.apply(Sample.image(Sample.tcp("web", "10.96.0.1", 80).to("10.244.1.1")));
    ((Interpreted) world).kernel.map("slots").clear();
    assertThat(connect("10.96.0.1", 80)).isEqualTo(SocketWorld.UNTOUCHED);
  }

  /** Maps in memory, filled from the table of an image. */
  private static final class Interpreted implements SocketWorld {
    private final Interpreter kernel = new Interpreter();
    private final Map<SocketTarget.PoolName, Integer> pools = new HashMap<>();
    private long generation;
    private long sockets;
    private long now = 1_000_000_000_000L;

    Interpreted() {
      for (SocketMap map : SocketMap.values()) {
        kernel.map(map.toString(), map.shape());
      }
      Random random = new Random(7);
      kernel.random(random::nextLong);
      kernel.now(now);
    }

    @Override
    public void apply(NodeImage image) {
      SocketTable table = SocketTable.of(image);
      pools.keySet().retainAll(table.pools().keySet());
      Map<SocketTarget.PoolName, MapContents.Numbers> numbers = new HashMap<>();
      for (SocketTarget.PoolName name : table.pools().keySet()) {
        int pool = pools.computeIfAbsent(name, _ -> (int) ++sockets);
        numbers.put(name, new MapContents.Numbers(++generation, pool));
      }
      MapContents contents = MapContents.of(table, numbers::get);
      contents
          .maps()
          .forEach((map, entries) -> {
            kernel.map(map.toString()).clear();
            kernel.put(map.toString(), entries);
          });
    }

    @Override
    public Socket open(int pod, boolean ofBoth, Protocol protocol) {
      return new Socket(++sockets, pod, ofBoth, protocol);
    }

    @Override
    public void sleep(int seconds) {
      now += seconds * 1_000_000_000L;
      kernel.now(now);
    }

    @Override
    public void close() {}

    /** The context of a program, as a socket's call fills it. */
    private final class Socket implements Client {
      private final long cookie;
      private final int pod;
      private final boolean ofBoth;
      private final Protocol protocol;
      private byte[] context = new byte[72];

      Socket(long cookie, int pod, boolean ofBoth, Protocol protocol) {
        this.cookie = cookie;
        this.pod = pod;
        this.ofBoth = ofBoth;
        this.protocol = protocol;
      }

      @Override
      public String connect(String address, int port) {
        fill(Ip.of(address), port, ofBoth);
        return call(ofBoth ? SocketHook.CONNECT6 : SocketHook.CONNECT4);
      }

      @Override
      public String send(String address, int port) {
        // The kernel turns a mapped address into one of IPv4 before it asks.
        boolean six = ofBoth && Ip.of(address).family() == IpFamily.IPV6;
        fill(Ip.of(address), port, six);
        String endpoint = call(six ? SocketHook.SENDMSG6 : SocketHook.SENDMSG4);
        if (endpoint.equals(REFUSED) || endpoint.equals(UNTOUCHED)) {
          return endpoint;
        }
        fill(Ip.of(endpoint), 8080, ofBoth);
        return endpoint + " as " + back(ofBoth ? SocketHook.RECVMSG6 : SocketHook.RECVMSG4);
      }

      private String call(SocketHook hook) {
        byte[] before = context.clone();
        kernel.caller(cookie, pod);
        Interpreter.Result result = kernel.run(SocketPrograms.of(hook), context);
        if (result.value() == 0) {
          return result.returned() == -111 ? REFUSED : "refused with " + result.returned();
        }
        return Arrays.equals(before, context) ? UNTOUCHED : ip(hook.isIpv6()).toString();
      }

      private String back(SocketHook hook) {
        kernel.caller(cookie, pod);
        assertThat(kernel.run(SocketPrograms.of(hook), context).value()).isEqualTo(1);
        int port = Short.toUnsignedInt(ByteBuffer.wrap(context).getShort(SocketPrograms.PORT));
        return ip(hook.isIpv6()).withPort(port);
      }

      private void fill(Ip address, int port, boolean six) {
        context = new byte[72];
        ByteBuffer bytes = ByteBuffer.wrap(context);
        if (six) {
          bytes.putLong(SocketPrograms.IP6, address.high());
          bytes.putLong(SocketPrograms.IP6 + 8, address.low());
        } else {
          bytes.putInt(SocketPrograms.IP4, (int) address.low());
        }
        bytes.putShort(SocketPrograms.PORT, (short) port);
        bytes
            .order(ByteOrder.nativeOrder())
            .putInt(SocketPrograms.PROTOCOL, protocol == Protocol.TCP ? 6 : 17);
      }

      private Ip ip(boolean six) {
        ByteBuffer bytes = ByteBuffer.wrap(context);
        return six
            ? new Ip(bytes.getLong(SocketPrograms.IP6), bytes.getLong(SocketPrograms.IP6 + 8))
            : Ip.v4(bytes.getInt(SocketPrograms.IP4));
      }

      @Override
      public void close() {}
    }
  }
}
