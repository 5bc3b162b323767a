package dev.portolan.netlink.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Real sockets in a network namespace of their own. */
@NeedsKernel
final class InetSocketsTest {
  private static final int CONNECTED = 1 << InetSocket.ESTABLISHED;

  @Test
  void socketsAreFoundAndEnded() throws Exception {
    try (TestNamespace place = new TestNamespace();
        InetSockets kernel = new InetSockets(place.path());
        DatagramChannel four = udp(place, StandardProtocolFamily.INET, "127.0.0.1");
        DatagramChannel mapped = udp(place, StandardProtocolFamily.INET6, "127.0.0.1");
        DatagramChannel six = udp(place, StandardProtocolFamily.INET6, "::1")) {
      List<InetSocket> found = kernel.sockets(InetSocket.UDP, CONNECTED);
      assertThat(found)
          .extracting(socket -> socket.family() + " to " + socket.remote().getHostAddress())
          .containsExactlyInAnyOrder(
              "IPv4 to 127.0.0.1", "IPv6 to 0:0:0:0:0:ffff:7f00:1", "IPv6 to 0:0:0:0:0:0:0:1");
      assertThat(found).extracting(InetSocket::remotePort).containsOnly(5353);
      assertThat(found).extracting(InetSocket::cookie).doesNotHaveDuplicates();
      for (InetSocket socket : found) {
        assertThat(kernel.end(socket)).as(socket.toString()).isTrue();
        assertThat(kernel.end(socket)).as("it is gone").isFalse();
      }
      for (DatagramChannel channel : List.of(four, mapped, six)) {
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(8)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("abort");
      }
      assertThat(kernel.sockets(InetSocket.UDP, CONNECTED)).isEmpty();
    }
  }

  @Test
  void oneOfSeveralConnectionsIsEnded() throws Exception {
    try (TestNamespace place = new TestNamespace();
        InetSockets kernel = new InetSockets(place.path());
        ServerSocketChannel server =
            place.namespace().visit(() -> ServerSocketChannel.open().bind(at("127.0.0.1", 8080)));
        SocketChannel ended = place.namespace().visit(() -> SocketChannel.open(at(server)));
        SocketChannel other = place.namespace().visit(() -> SocketChannel.open(at(server)));
        SocketChannel peer = server.accept()) {
      int port = ((InetSocketAddress) ended.getLocalAddress()).getPort();
      InetSocket first =
          kernel.sockets(InetSocket.TCP, CONNECTED).stream()
              .filter(socket -> socket.remotePort() == 8080 && socket.localPort() == port)
              .findFirst()
              .orElseThrow();
      assertThat(first.toString()).isEqualTo("tcp 127.0.0.1:" + port + " -> 127.0.0.1:8080");
      assertThat(kernel.end(first)).isTrue();
      assertThatThrownBy(() -> ended.read(ByteBuffer.allocate(8))).hasMessageContaining("abort");
      assertThatThrownBy(() -> peer.read(ByteBuffer.allocate(8))).hasMessageContaining("reset");
      assertThat(other.write(ByteBuffer.wrap(new byte[] {1}))).isEqualTo(1);
    }
  }

  @Test
  void namespacesAreFoundOnceAndNotThisOne() {
    try (TestNamespace place = new TestNamespace()) {
      List<NetworkNamespace> found = NetworkNamespace.others();
      assertThat(found).contains(place.namespace());
      List<NetworkNamespace> there = place.namespace().visit(NetworkNamespace::others);
      assertThat(there).doesNotContain(place.namespace()).hasSize(found.size());
    }
  }

  private static DatagramChannel udp(
      TestNamespace place, StandardProtocolFamily family, String address) throws IOException {
    DatagramChannel channel = place.namespace().visit(() -> DatagramChannel.open(family));
    return channel.connect(at(address, 5353));
  }

  private static InetSocketAddress at(String address, int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(address), port);
  }

  private static InetSocketAddress at(ServerSocketChannel server) throws IOException {
    return (InetSocketAddress) server.getLocalAddress();
  }
}
