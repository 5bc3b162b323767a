package dev.portolan.backend.ebpf;

import dev.portolan.bpf.BpfPlace;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.lab.TestNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Two network namespaces without a way out, each with all endpoints on its loopback device. Sockets
 * that are opened here belong to the cgroup of a {@link BpfPlace}; those that answer do not.
 */
final class Pods implements AutoCloseable {
  static final List<String> ENDPOINTS =
      List.of("10.244.1.1", "10.244.1.2", "10.244.1.3", "fd10:244:1::1", "fd10:244:1::2");

  private final BpfPlace place = BpfPlace.make();
  private final List<TestNamespace> namespaces = List.of(new TestNamespace(), new TestNamespace());
  private final List<AutoCloseable> servers = new ArrayList<>();

  Pods() {
    for (TestNamespace namespace : namespaces) {
      for (String address : ENDPOINTS) {
        boolean six = address.contains(":");
        namespace.ip("address", "add", address + (six ? "/128" : "/32"), "dev", "lo");
      }
      namespace
          .namespace()
          .visit(() -> {
            serve();
            return true;
          });
    }
  }

  BpfPlace place() {
    return place;
  }

  TestNamespace namespace(int pod) {
    return namespaces.get(pod - 1);
  }

  private void serve() {
    try {
      listen();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void listen() throws IOException {
    for (String address : ENDPOINTS) {
      InetSocketAddress at = address(address, 8080);
      ServerSocketChannel tcp = ServerSocketChannel.open().bind(at, 1_000);
      DatagramChannel udp = DatagramChannel.open().bind(at);
      servers.add(tcp);
      servers.add(udp);
      byte[] answer = address.getBytes(StandardCharsets.US_ASCII);
      start(() -> {
        try (SocketChannel client = tcp.accept()) {
          client.write(ByteBuffer.wrap(answer));
        }
      });
      start(() -> {
        var client = udp.receive(ByteBuffer.allocate(64));
        udp.send(ByteBuffer.wrap(answer), client);
      });
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Repeats a step until its channel is closed. */
  private static void start(Step step) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          while (true) {
            try {
              step.run();
            } catch (ClosedChannelException e) {
              return;
            } catch (IOException e) {
              // a client that went away
            }
          }
        });
  }

  /** Opens a socket in a pod. */
  SocketWorld.Client open(int pod, boolean ofBoth, Protocol protocol) {
    return protocol == Protocol.TCP
        ? open(pod, () -> new Tcp(SocketChannel.open(family(ofBoth))))
        : openUdp(pod, ofBoth);
  }

  /** Opens one for datagrams. */
  SocketWorld.Datagrams openUdp(int pod, boolean ofBoth) {
    return open(pod, () -> new Udp(DatagramChannel.open(family(ofBoth))));
  }

  private static StandardProtocolFamily family(boolean ofBoth) {
    return ofBoth ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
  }

  private interface Opening<T> {
    T open() throws IOException;
  }

  private <T> T open(int pod, Opening<T> opening) {
    try {
      return namespace(pod)
          .namespace()
          .visit(() -> {
            place.enter();
            return opening.open();
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static InetSocketAddress address(String text, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(Ip.of(text).toBytes()), port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What an exception means, in a word. */
  private static String word(IOException e) {
    return switch (e) {
      case PortUnreachableException _ -> SocketWorld.REFUSED;
      case NoRouteToHostException _ -> SocketWorld.UNTOUCHED;
      case ConnectException refused when refused.getMessage().contains("refused") ->
          SocketWorld.REFUSED;
      case SocketException other when other.getMessage().contains("unreachable") ->
          SocketWorld.UNTOUCHED;
      default -> throw new UncheckedIOException(e);
    };
  }

  private record Tcp(SocketChannel channel) implements SocketWorld.Client {
    @Override
    public String connect(String address, int port) {
      try {
        channel.connect(address(address, port));
        ByteBuffer answer = ByteBuffer.allocate(64);
        while (channel.read(answer) >= 0) {
          // until the server closes
        }
        return text(answer);
      } catch (IOException e) {
        return word(e);
      }
    }

    @Override
    public void close() {
      Pods.close(channel);
    }
  }

  private record Udp(DatagramChannel channel) implements SocketWorld.Datagrams {
    @Override
    public String connect(String address, int port) {
      try {
        channel.connect(address(address, port));
        channel.write(ByteBuffer.wrap(new byte[1]));
        ByteBuffer answer = ByteBuffer.allocate(64);
        receive(answer);
        return text(answer);
      } catch (IOException e) {
        return word(e);
      }
    }

    @Override
    public String send(String address, int port) {
      try {
        channel.send(ByteBuffer.wrap(new byte[1]), address(address, port));
        ByteBuffer answer = ByteBuffer.allocate(64);
        InetSocketAddress from = receive(answer);
        return text(answer)
            + " as "
            + Ip.fromBytes(from.getAddress().getAddress()).withPort(from.getPort());
      } catch (IOException e) {
        return word(e);
      }
    }

    /** Waits for an answer; after the timeout, none will come. */
    private InetSocketAddress receive(ByteBuffer answer) throws IOException {
      try (Selector selector = Selector.open()) {
        channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
        for (int i = 0; i < 10; i++) {
          selector.select(1_000);
          if (channel.receive(answer) instanceof InetSocketAddress from) {
            return from;
          }
        }
      }
      throw new IOException("no answer");
    }

    @Override
    public void close() {
      Pods.close(channel);
    }
  }

  private static String text(ByteBuffer answer) {
    return StandardCharsets.US_ASCII.decode(answer.flip()).toString();
  }

  private static void close(AutoCloseable channel) {
    try {
      channel.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    servers.forEach(Pods::close);
    namespaces.forEach(TestNamespace::close);
    place.close();
  }
}
