package dev.portolan.backend.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.bpf.Code;
import dev.portolan.bpf.Interpreter;
import dev.portolan.bpf.SocketHook;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * No kernel: maps in memory, filled from the table of an image, and the programs' bytes run in
 * Java.
 */
final class InterpretedWorld implements SocketWorld {
  private static final Map<SocketHook, Code> PROGRAMS =
      Stream.of(SocketHook.values())
          .collect(Collectors.toMap(hook -> hook, hook -> SocketPrograms.of(hook)));

  final Interpreter kernel = new Interpreter();
  private final Map<SocketTarget.PoolName, Integer> pools = new HashMap<>();
  private long generation;
  private long sockets;
  private long now = 1_000_000_000_000L;

  InterpretedWorld() {
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
  public Socket openUdp(int pod, boolean ofBoth) {
    return open(pod, ofBoth, Protocol.UDP);
  }

  @Override
  public int notes() {
    return kernel.map(SocketMap.REVERSE.toString()).size();
  }

  @Override
  public void sleep(int seconds) {
    now += seconds * 1_000_000_000L;
    kernel.now(now);
  }

  @Override
  public void close() {}

  /** The context of a program, as a socket's call fills it. */
  final class Socket implements Datagrams {
    private final long cookie;
    private final int pod;
    private final boolean ofBoth;
    private final Protocol protocol;
    private byte[] context = new byte[72];
    private int endpointPort;
    private boolean connected;

    Socket(long cookie, int pod, boolean ofBoth, Protocol protocol) {
      this.cookie = cookie;
      this.pod = pod;
      this.ofBoth = ofBoth;
      this.protocol = protocol;
    }

    @Override
    public String connect(String address, int port) {
      fill(Ip.of(address), port, ofBoth);
      String endpoint = call(ofBoth ? SocketHook.CONNECT6 : SocketHook.CONNECT4);
      connected = !endpoint.equals(REFUSED);
      return endpoint;
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
      fill(Ip.of(endpoint), endpointPort, ofBoth);
      return endpoint + " as " + back(ofBoth ? SocketHook.RECVMSG6 : SocketHook.RECVMSG4);
    }

    private String call(SocketHook hook) {
      byte[] before = context.clone();
      kernel.caller(cookie, pod);
      Interpreter.Result result = kernel.run(PROGRAMS.get(hook), context);
      endpointPort = port();
      if (result.value() == 0) {
        return result.returned() == -111 ? REFUSED : "refused with " + result.returned();
      }
      return Arrays.equals(before, context) ? UNTOUCHED : ip(hook.isIpv6()).toString();
    }

    String back(SocketHook hook) {
      kernel.caller(cookie, pod);
      assertThat(kernel.run(PROGRAMS.get(hook), context).value()).isEqualTo(1);
      return ip(hook.isIpv6()).withPort(port());
    }

    /** The port of the endpoint that the last call led to. */
    int endpointPort() {
      return endpointPort;
    }

    private int port() {
      return Short.toUnsignedInt(ByteBuffer.wrap(context).getShort(SocketPrograms.PORT));
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
          .putInt(
              SocketPrograms.PROTOCOL,
              switch (protocol) {
                case TCP -> 6;
                case UDP -> 17;
                case SCTP -> 132;
              });
    }

    private Ip ip(boolean six) {
      ByteBuffer bytes = ByteBuffer.wrap(context);
      return six
          ? new Ip(bytes.getLong(SocketPrograms.IP6), bytes.getLong(SocketPrograms.IP6 + 8))
          : Ip.v4(bytes.getInt(SocketPrograms.IP4));
    }

    /** The kernel calls with what the last connect led to. */
    @Override
    public void close() {
      byte[] closed = new byte[80];
      if (connected) {
        ByteBuffer bytes = ByteBuffer.wrap(closed);
        Ip peer = ip(ofBoth);
        if (ofBoth) {
          bytes.putLong(SocketPrograms.PEER_IP6, peer.high());
          bytes.putLong(SocketPrograms.PEER_IP6 + 8, peer.low());
        } else {
          bytes.putInt(SocketPrograms.PEER_IP4, (int) peer.low());
        }
        bytes.putShort(SocketPrograms.PEER_PORT, (short) port());
        bytes
            .order(ByteOrder.nativeOrder())
            .putInt(SocketPrograms.FAMILY, ofBoth ? SocketPrograms.AF_INET6 : 2);
      }
      kernel.caller(cookie, pod);
      assertThat(kernel.run(PROGRAMS.get(SocketHook.RELEASE), closed).value()).isEqualTo(1);
    }
  }
}
